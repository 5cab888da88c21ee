// The attributes of the module's objects.
//
//   point raw | xy | long | compressed | off-curve | other | huge    how CKA_EC_POINT is told
//   no-public          there are no public-key objects
//   no-sign            CKA_SIGN is false, and C_SignInit says so
//   always-authenticate
//   curve p384 | k256 | text    what CKA_EC_PARAMS says
//   length NAME BYTES  an attribute comes with another length; NAME is class, type, sign, always,
//                      id, label, params or point
//   code NAME CODE     an attribute's answer
#include "misbehaving.h"

#include <openssl/ec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char p256[] = {0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07};
static const unsigned char p384[] = {0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22};
static const unsigned char k256[] = {0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A};
static const unsigned char named[] = {0x13, 0x0A, 'p', 'r', 'i', 'm', 'e', '2', '5', '6', 'v', '1'};

static size_t point(size_t index, unsigned char *out) {
    size_t length = 0;
    if (said_is("point", "other")) index = (index + 1) % key_count;
    EVP_PKEY_get_octet_string_param(
        keys[index].pair, "encoded-pub-key", out + 2, 140, &length);
    const char *form = said("point");
    if (!form) form = "";
    if (strcmp(form, "off-curve") == 0) out[2 + 40] ^= 1;
    if (strcmp(form, "compressed") == 0) {
        out[2] = (unsigned char)(2 + (out[2 + 64] & 1));
        length = 33;
    }
    if (strcmp(form, "raw") == 0) {
        memmove(out, out + 2, length);
        return length;
    }
    if (strcmp(form, "xy") == 0) {
        memmove(out, out + 3, 64);
        return 64;
    }
    out[0] = 4;
    out[1] = (unsigned char)length;
    // One byte short of the wrapped form: 66 bytes.
    return strcmp(form, "long") == 0 ? length + 1 : length + 2;
}

struct value {
    const char *name;
    unsigned char bytes[200];
    size_t length;
};

static void put(struct value *value, const char *name, const void *bytes, size_t length) {
    value->name = name;
    memcpy(value->bytes, bytes, length);
    value->length = length;
}

static void put_number(struct value *value, const char *name, CK_ULONG number) {
    put(value, name, &number, sizeof number);
}

static void put_flag(struct value *value, const char *name, bool flag) {
    unsigned char byte = flag;
    put(value, name, &byte, 1);
}

static bool find(size_t index, bool is_private, CK_ATTRIBUTE_TYPE type, struct value *value) {
    const struct key *key = &keys[index];
    switch (type) {
    case CKA_CLASS:
        put_number(value, "class", is_private ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY);
        return true;
    case CKA_KEY_TYPE: put_number(value, "type", CKK_EC); return true;
    case CKA_LABEL: put(value, "label", key->label, strlen(key->label)); return true;
    case CKA_ID: put(value, "id", key->id, key->id_length); return true;
    case CKA_TOKEN: put_flag(value, "token", true); return true;
    case CKA_EC_PARAMS:
        if (said_is("curve", "p384")) put(value, "params", p384, sizeof p384);
        else if (said_is("curve", "k256")) put(value, "params", k256, sizeof k256);
        else if (said_is("curve", "text")) put(value, "params", named, sizeof named);
        else put(value, "params", p256, sizeof p256);
        return true;
    case CKA_EC_POINT:
        if (is_private) return false;
        value->name = "point";
        value->length = point(index, value->bytes);
        return true;
    case CKA_VERIFY: put_flag(value, "verify", !is_private); return !is_private;
    case CKA_SIGN: put_flag(value, "sign", said("no-sign") == NULL); return is_private;
    case CKA_PRIVATE: put_flag(value, "private", is_private); return true;
    case CKA_SENSITIVE: put_flag(value, "sensitive", true); return is_private;
    case CKA_EXTRACTABLE: put_flag(value, "extractable", false); return is_private;
    case CKA_DECRYPT: put_flag(value, "decrypt", false); return is_private;
    case CKA_ALWAYS_AUTHENTICATE:
        put_flag(value, "always", said("always-authenticate") != NULL);
        return is_private;
    default: return false;
    }
}

static bool told(const char *verb, const char *name, unsigned long *number) {
    char word[64];
    snprintf(word, sizeof word, "%s %s", verb, name);
    const char *rest = said(word);
    if (rest) *number = strtoul(rest, NULL, 0);
    return rest != NULL;
}

CK_RV attribute(size_t index, bool is_private, CK_ATTRIBUTE *out) {
    struct value value = {0};
    if (!find(index, is_private, out->type, &value)) {
        out->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
    unsigned long number;
    if (told("code", value.name, &number)) {
        out->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return number;
    }
    if (told("length", value.name, &number)) value.length = number;
    bool is_huge = strcmp(value.name, "point") == 0 && said_is("point", "huge");
    if (is_huge && !out->pValue) {
        out->ulValueLen = 1UL << 40;
        return CKR_OK;
    }
    if (!out->pValue) {
        out->ulValueLen = value.length;
        return CKR_OK;
    }
    if (out->ulValueLen < value.length) {
        out->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_BUFFER_TOO_SMALL;
    }
    if (value.length <= sizeof value.bytes) memcpy(out->pValue, value.bytes, value.length);
    out->ulValueLen = is_huge ? 1UL << 40 : value.length;
    return CKR_OK;
}

bool matches(size_t index, bool is_private, const CK_ATTRIBUTE *template, CK_ULONG count) {
    for (CK_ULONG i = 0; i < count; i++) {
        struct value value = {0};
        if (!find(index, is_private, template[i].type, &value)) return false;
        if (value.length != template[i].ulValueLen
            || memcmp(value.bytes, template[i].pValue, value.length) != 0)
            return false;
    }
    return true;
}
