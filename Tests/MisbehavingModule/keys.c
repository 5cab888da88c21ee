// The keys of the module, and the ways in which it signs.
//
//   signature short | long | der | constant | rehash | zero | huge
#include "misbehaving.h"

#include <dirent.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct key keys[64];
size_t key_count;

static void key_path(char *path, size_t room, const struct key *key) {
    int used = snprintf(path, room, "%s/%s.", beside("keys"), key->label);
    for (size_t i = 0; i < key->id_length; i++)
        used += snprintf(path + used, room - (size_t)used, "%02x", key->id[i]);
    snprintf(path + used, room - (size_t)used, ".pem");
}

static int is_pem(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".pem") == 0;
}

void read_keys(void) {
    for (size_t i = 0; i < key_count; i++) EVP_PKEY_free(keys[i].pair);
    key_count = 0;
    struct dirent **entries;
    int count = scandir(beside("keys"), &entries, is_pem, alphasort);
    for (int i = 0; i < count && key_count < 64; i++) {
        struct key *key = &keys[key_count];
        memset(key, 0, sizeof *key);
        char hex[160] = "", path[4400];
        // LABEL.HEXID.pem, where both may be empty.
        const char *name = entries[i]->d_name;
        const char *dot = strchr(name, '.');
        snprintf(key->label, sizeof key->label, "%.*s", (int)(dot - name), name);
        snprintf(hex, sizeof hex, "%.*s", (int)(strlen(dot + 1) - 4), dot + 1);
        for (const char *c = hex; c[0] && c[1]; c += 2) {
            unsigned byte;
            sscanf(c, "%2x", &byte);
            key->id[key->id_length++] = (unsigned char)byte;
        }
        snprintf(path, sizeof path, "%s/%s", beside("keys"), name);
        FILE *file = fopen(path, "r");
        if (file) {
            key->pair = PEM_read_PrivateKey(file, NULL, NULL, NULL);
            fclose(file);
        }
        if (key->pair) key_count++;
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

bool make_key(const char *label, const unsigned char *id, size_t id_length, size_t *index) {
    struct key *key = &keys[key_count];
    memset(key, 0, sizeof *key);
    snprintf(key->label, sizeof key->label, "%s", label);
    memcpy(key->id, id, id_length);
    key->id_length = id_length;
    key->pair = EVP_EC_gen("P-256");
    char path[4400];
    mkdir(beside("keys"), 0700);
    key_path(path, sizeof path, key);
    FILE *file = fopen(path, "wx");
    if (!file) return false;
    PEM_write_PrivateKey(file, key->pair, NULL, NULL, 0, NULL, NULL);
    fclose(file);
    *index = key_count++;
    return true;
}

void delete_key(size_t index) {
    char path[4400];
    key_path(path, sizeof path, &keys[index]);
    unlink(path);
    keys[index].label[0] = 0;
}

static size_t der_signature(
    size_t index, const unsigned char *digest, size_t length, unsigned char *out, size_t room) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(keys[index].pair, NULL);
    if (EVP_PKEY_sign_init(context) != 1
        || EVP_PKEY_sign(context, out, &room, digest, length) != 1)
        room = 0;
    EVP_PKEY_CTX_free(context);
    return room;
}

CK_RV sign_with(
    size_t index, const unsigned char *digest, size_t digest_length, unsigned char *signature,
    CK_ULONG *length) {
    static unsigned char kept[200];
    static size_t kept_length;
    unsigned char der[200], hashed[32], raw[80] = {0};
    if (said_is("signature", "rehash")) {
        unsigned size;
        EVP_Digest(digest, digest_length, hashed, &size, EVP_sha256(), NULL);
        digest = hashed;
        digest_length = size;
    }
    size_t der_length = der_signature(index, digest, digest_length, der, sizeof der);
    if (der_length == 0) return CKR_FUNCTION_FAILED;
    const unsigned char *start = der;
    ECDSA_SIG *parts = d2i_ECDSA_SIG(NULL, &start, (long)der_length);
    BN_bn2binpad(ECDSA_SIG_get0_r(parts), raw, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(parts), raw + 32, 32);
    ECDSA_SIG_free(parts);

    const unsigned char *answer = raw;
    size_t count = 64;
    if (said_is("signature", "der")) {
        answer = der;
        count = der_length;
    }
    if (said_is("signature", "short")) count = 63;
    if (said_is("signature", "long")) count = 65;
    if (said_is("signature", "zero")) memset(raw, 0, sizeof raw);
    if (said_is("signature", "constant")) {
        if (kept_length == 0) memcpy(kept, raw, kept_length = 64);
        answer = kept;
    }
    if (*length < count) return CKR_BUFFER_TOO_SMALL;
    memcpy(signature, answer, count);
    // More than there was room for.
    *length = said_is("signature", "huge") ? 1UL << 40 : count;
    return CKR_OK;
}
