// Does on a token what the tools of the modules do not: makes keys of any kind through any module.
//
//   token MODULE INIT LABEL PIN generate CURVE OBJECT HEXID [no-sign] [always] [no-public] …
//   token MODULE INIT LABEL PIN show OBJECT         the attributes of a private key, a line each
//   token MODULE INIT LABEL PIN point OBJECT        its public point in hexadecimal digits
//   token MODULE INIT LABEL PIN change NEWPIN
// INIT and PIN may be empty: no init string, no login. CURVE is p256, p384, k256 or rsa.
#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CK_FUNCTION_LIST *module;
static CK_SESSION_HANDLE session;

static void need(CK_RV code, const char *what) {
    if (code == CKR_OK) return;
    fprintf(stderr, "token: %s: 0x%lx\n", what, (unsigned long)code);
    exit(1);
}

static void open_token(char **words) {
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "token: %s\n", dlerror());
        exit(1);
    }
    CK_RV (*list)(CK_FUNCTION_LIST **) = NULL;
    *(void **)&list = dlsym(library, "C_GetFunctionList");
    need(list(&module), "C_GetFunctionList");
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    if (*words[2]) arguments.pReserved = words[2];
    need(module->C_Initialize(&arguments), "C_Initialize");
    CK_SLOT_ID slots[32];
    CK_ULONG count = 32;
    need(module->C_GetSlotList(1, NULL, &count), "C_GetSlotList");
    count = 32;
    need(module->C_GetSlotList(1, slots, &count), "C_GetSlotList");
    for (CK_ULONG i = 0; i < count; i++) {
        CK_TOKEN_INFO info;
        if (module->C_GetTokenInfo(slots[i], &info) != CKR_OK) continue;
        size_t length = 32;
        while (length > 0 && info.label[length - 1] == ' ') length--;
        if (length != strlen(words[3]) || memcmp(info.label, words[3], length) != 0) continue;
        CK_FLAGS flags = CKF_SERIAL_SESSION | CKF_RW_SESSION;
        need(module->C_OpenSession(slots[i], flags, NULL, NULL, &session), "C_OpenSession");
        unsigned char *pin = (unsigned char *)words[4];
        if (*pin) need(module->C_Login(session, CKU_USER, pin, strlen(words[4])), "C_Login");
        return;
    }
    fprintf(stderr, "token: no token %s among %lu\n", words[3], count);
    exit(1);
}

static CK_OBJECT_HANDLE find(CK_OBJECT_CLASS class, char *label) {
    CK_ATTRIBUTE template[] = {
        {CKA_CLASS, &class, sizeof class}, {CKA_LABEL, label, strlen(label)}};
    CK_OBJECT_HANDLE object;
    CK_ULONG count = 0;
    need(module->C_FindObjectsInit(session, template, 2), "C_FindObjectsInit");
    need(module->C_FindObjects(session, &object, 1, &count), "C_FindObjects");
    need(module->C_FindObjectsFinal(session), "C_FindObjectsFinal");
    if (count == 1) return object;
    fprintf(stderr, "token: no object %s\n", label);
    exit(1);
}

static bool has(char **words, const char *word) {
    for (; *words; words++)
        if (strcmp(*words, word) == 0) return true;
    return false;
}

static void generate(char **words) {
    static unsigned char p256[] = {0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07};
    static unsigned char p384[] = {0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22};
    static unsigned char k256[] = {0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A};
    unsigned char id[64], yes = 1, no = 0, exponent[] = {1, 0, 1};
    CK_ULONG id_length = 0, bits = 2048;
    for (char *c = words[2]; c[0] && c[1]; c += 2) {
        unsigned byte = 0;
        sscanf(c, "%2x", &byte);
        id[id_length++] = (unsigned char)byte;
    }
    unsigned char *sign = has(words, "no-sign") ? &no : &yes;
    unsigned char *extractable = has(words, "extractable") ? &yes : &no;
    CK_ATTRIBUTE public_template[8] = {
        {CKA_TOKEN, &yes, 1}, {CKA_LABEL, words[1], strlen(words[1])},
        {CKA_ID, id, id_length}, {CKA_VERIFY, &yes, 1}};
    CK_ULONG public_count = 4;
    bool is_rsa = strcmp(words[0], "rsa") == 0;
    if (is_rsa) {
        public_template[public_count++] = (CK_ATTRIBUTE){CKA_MODULUS_BITS, &bits, sizeof bits};
        public_template[public_count++] = (CK_ATTRIBUTE){CKA_PUBLIC_EXPONENT, exponent, 3};
    } else {
        CK_ATTRIBUTE curve = {CKA_EC_PARAMS, p256, sizeof p256};
        if (strcmp(words[0], "p384") == 0)
            curve = (CK_ATTRIBUTE){CKA_EC_PARAMS, p384, sizeof p384};
        if (strcmp(words[0], "k256") == 0)
            curve = (CK_ATTRIBUTE){CKA_EC_PARAMS, k256, sizeof k256};
        public_template[public_count++] = curve;
    }
    CK_ATTRIBUTE private_template[9] = {
        {CKA_TOKEN, &yes, 1}, {CKA_PRIVATE, &yes, 1}, {CKA_SENSITIVE, &yes, 1},
        {CKA_EXTRACTABLE, extractable, 1}, {CKA_LABEL, words[1], strlen(words[1])},
        {CKA_ID, id, id_length}, {CKA_SIGN, sign, 1}};
    CK_ULONG private_count = 7;
    if (has(words, "always"))
        private_template[private_count++] = (CK_ATTRIBUTE){CKA_ALWAYS_AUTHENTICATE, &yes, 1};
    CK_MECHANISM mechanism = {
        is_rsa ? CKM_RSA_PKCS_KEY_PAIR_GEN : CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_OBJECT_HANDLE public_key, private_key;
    need(
        module->C_GenerateKeyPair(
            session, &mechanism, public_template, public_count, private_template, private_count,
            &public_key, &private_key),
        "C_GenerateKeyPair");
    if (has(words, "no-public"))
        need(module->C_DestroyObject(session, public_key), "C_DestroyObject");
    if (has(words, "no-private"))
        need(module->C_DestroyObject(session, private_key), "C_DestroyObject");
}

static void show(char *label) {
    static const struct {
        const char *name;
        CK_ATTRIBUTE_TYPE type;
    } flags[] = {
        {"token", CKA_TOKEN}, {"private", CKA_PRIVATE}, {"sensitive", CKA_SENSITIVE},
        {"extractable", CKA_EXTRACTABLE}, {"sign", CKA_SIGN}, {"decrypt", CKA_DECRYPT},
        {"sign-recover", CKA_SIGN_RECOVER}, {"unwrap", CKA_UNWRAP}, {"derive", CKA_DERIVE},
        {"always-authenticate", CKA_ALWAYS_AUTHENTICATE}};
    CK_OBJECT_HANDLE object = find(CKO_PRIVATE_KEY, label);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        unsigned char flag = 0;
        CK_ATTRIBUTE attribute = {flags[i].type, &flag, 1};
        CK_RV code = module->C_GetAttributeValue(session, object, &attribute, 1);
        printf("%s %s\n", flags[i].name, code != CKR_OK ? "missing" : flag ? "true" : "false");
    }
}

static void point(char *label) {
    unsigned char bytes[200];
    CK_ATTRIBUTE attribute = {CKA_EC_POINT, bytes, sizeof bytes};
    need(
        module->C_GetAttributeValue(session, find(CKO_PUBLIC_KEY, label), &attribute, 1),
        "C_GetAttributeValue");
    for (CK_ULONG i = 0; i < attribute.ulValueLen; i++) printf("%02x", bytes[i]);
    printf("\n");
}

int main(int count, char **words) {
    if (count < 7) return 64;
    open_token(words);
    if (strcmp(words[5], "generate") == 0 && count >= 9) generate(words + 6);
    else if (strcmp(words[5], "show") == 0) show(words[6]);
    else if (strcmp(words[5], "point") == 0) point(words[6]);
    else if (strcmp(words[5], "change") == 0)
        need(
            module->C_SetPIN(
                session, (unsigned char *)words[4], strlen(words[4]), (unsigned char *)words[6],
                strlen(words[6])),
            "C_SetPIN");
    else return 64;
    need(module->C_Finalize(NULL), "C_Finalize");
    return 0;
}
