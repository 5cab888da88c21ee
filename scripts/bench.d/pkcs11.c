// Signs with a key on a token and verifies each signature, with nothing between this loop, the
// module and OpenSSL.
//
//   pkcs11 MODULE INIT LABEL PINFILE OBJECT SPKIFILE
//
// For each line of stdin it works for 200 ms and answers with the nanoseconds of one signature.
#include <dlfcn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <p11-kit/pkcs11.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void need(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "pkcs11: %s\n", what);
    exit(1);
}

static size_t contents(const char *path, unsigned char *out, size_t room) {
    FILE *file = fopen(path, "rb");
    need(file != NULL, path);
    size_t length = fread(out, 1, room, file);
    fclose(file);
    return length;
}

static CK_FUNCTION_LIST *module;
static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE key;
static EVP_PKEY *public_key;

static void open_token(char **words) {
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    need(library != NULL, words[1]);
    CK_RV (*list)(CK_FUNCTION_LIST **) = NULL;
    *(void **)&list = dlsym(library, "C_GetFunctionList");
    need(list && list(&module) == CKR_OK, "C_GetFunctionList");
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    if (*words[2]) arguments.pReserved = words[2];
    need(module->C_Initialize(&arguments) == CKR_OK, "C_Initialize");
    CK_SLOT_ID slots[32];
    CK_ULONG count = 32;
    need(module->C_GetSlotList(1, slots, &count) == CKR_OK, "C_GetSlotList");
    CK_ULONG at = 0;
    for (; at < count; at++) {
        CK_TOKEN_INFO info;
        if (module->C_GetTokenInfo(slots[at], &info) != CKR_OK) continue;
        size_t length = 32;
        while (length > 0 && info.label[length - 1] == ' ') length--;
        if (length == strlen(words[3]) && memcmp(info.label, words[3], length) == 0) break;
    }
    need(at < count, "no such token");
    need(module->C_OpenSession(slots[at], CKF_SERIAL_SESSION, NULL, NULL, &session) == CKR_OK,
        "C_OpenSession");
    unsigned char pin[256];
    size_t length = contents(words[4], pin, sizeof pin);
    while (length > 0 && pin[length - 1] == '\n') length--;
    need(module->C_Login(session, CKU_USER, pin, length) == CKR_OK, "C_Login");
    CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
    CK_ATTRIBUTE template[] = {
        {CKA_CLASS, &class, sizeof class}, {CKA_LABEL, words[5], strlen(words[5])}};
    need(module->C_FindObjectsInit(session, template, 2) == CKR_OK, "C_FindObjectsInit");
    need(module->C_FindObjects(session, &key, 1, &count) == CKR_OK && count == 1, "no such key");
    need(module->C_FindObjectsFinal(session) == CKR_OK, "C_FindObjectsFinal");
    unsigned char spki[256];
    const unsigned char *start = spki;
    public_key = d2i_PUBKEY(NULL, &start, (long)contents(words[6], spki, sizeof spki));
    need(public_key != NULL, "no public key");
}

static void sign_and_verify(unsigned char *digest) {
    CK_MECHANISM mechanism = {CKM_ECDSA, NULL, 0};
    unsigned char raw[256], *der = NULL;
    CK_ULONG length = sizeof raw;
    need(module->C_SignInit(session, &mechanism, key) == CKR_OK, "C_SignInit");
    need(module->C_Sign(session, digest, 32, raw, &length) == CKR_OK && length == 64, "C_Sign");
    ECDSA_SIG *parts = ECDSA_SIG_new();
    ECDSA_SIG_set0(parts, BN_bin2bn(raw, 32, NULL), BN_bin2bn(raw + 32, 32, NULL));
    int der_length = i2d_ECDSA_SIG(parts, &der);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(public_key, NULL);
    need(EVP_PKEY_verify_init(context) == 1, "EVP_PKEY_verify_init");
    need(EVP_PKEY_verify(context, der, (size_t)der_length, digest, 32) == 1, "EVP_PKEY_verify");
    EVP_PKEY_CTX_free(context);
    ECDSA_SIG_free(parts);
    OPENSSL_free(der);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    if (count != 7) return 64;
    open_token(words);
    unsigned char digest[32] = {0};
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        long long start = now(), elapsed = 0, times = 0;
        while (elapsed < 200000000) {
            memcpy(digest, &times, sizeof times);
            sign_and_verify(digest);
            times++;
            elapsed = now() - start;
        }
        printf("%lld\n", elapsed / times);
        fflush(stdout);
    }
    module->C_Finalize(NULL);
    return 0;
}
