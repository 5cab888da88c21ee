// The module's functions: a token with a PIN, sessions and EC keys that works as PKCS#11 v2.40
// says unless the control file says otherwise.
//
//   pin PIN             the right one; 1234 where nothing is said
//   tries N             so many wrong PINs lock it; 3. Flags tell, but for `quiet-tries`
//   flags FLAG          locked | final-try | to-be-changed | uninitialized | no-login | no-pin
//   label TEXT, serial TEXT, twin (two slots with one label), absent (no token)
//   second-leaves N     the second of them goes for good with call N of C_Sign
//   empty-slots N       slots without a token before it
//   slots grow N        C_GetSlotList says BUFFER_TOO_SMALL N times; N 0: always
//   slots shrink        C_GetSlotList gives fewer than it said
//   list fail | null    C_GetFunctionList
//   null FUNCTION       that pointer of the table is NULL
//   initialise null-only | cant-lock | already
//   init TEXT           C_Initialize wants this string
//   swap                handles name other keys after each C_Initialize
//   sessions N          more are refused with CKR_SESSION_COUNT
//   read-only-refused   sessions are opened for reading and writing only
//   public-login        private keys are found without a login
#include "misbehaving.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { session_limit = 64 };

static struct session {
    CK_SLOT_ID slot;
    bool is_open, is_signing, has_context, may_write, is_finding;
    size_t key;
    CK_OBJECT_HANDLE found[128];
    size_t found_count, found_next;
} sessions[session_limit];

static bool initialised, adopted, second_gone;
// A slot's tokens log in by themselves.
static bool logged_in[64];
static unsigned long generation;
static CK_FUNCTION_LIST table;

#define ENTER(name)                                                                               \
    const char *const function = #name;                                                           \
    do {                                                                                          \
        CK_RV code = injected(function);                                                          \
        if (code != CKR_OK) return leave(function, code);                                         \
    } while (0)
#define LEAVE(code) return leave(function, code)
#define NEED(condition, code)                                                                     \
    do {                                                                                          \
        if (!(condition)) LEAVE(code);                                                            \
    } while (0)
#define SESSION(handle)                                                                           \
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);                                              \
    NEED(handle < session_limit && sessions[handle].is_open, CKR_SESSION_HANDLE_INVALID);         \
    NEED(sessions[handle].slot < slot_count(), CKR_DEVICE_REMOVED);                               \
    struct session *session = &sessions[handle]

static CK_RV leave(const char *function, CK_RV code) {
    record(function, code);
    return code;
}

static unsigned long wrong_tries(void) {
    unsigned long tries = 0;
    FILE *file = fopen(beside("tries"), "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &tries) != 1) tries = 0;
    fclose(file);
    return tries;
}

static void set_wrong_tries(unsigned long tries) {
    FILE *file = fopen(beside("tries"), "w");
    if (!file) return;
    fprintf(file, "%lu\n", tries);
    fclose(file);
}

// Objects: private and public halves take turns; handles of an earlier C_Initialize are dead.
static CK_OBJECT_HANDLE handle_of(size_t index, bool is_private) {
    if (said("swap")) {
        if (generation % 2 == 0) index = key_count - 1 - index;
        return index * 2 + is_private + 1;
    }
    return generation * 1000 + index * 2 + is_private + 1;
}

static bool object_of(CK_OBJECT_HANDLE handle, size_t *index, bool *is_private) {
    for (size_t i = 0; i < key_count; i++)
        for (int half = 0; half < 2; half++)
            if (handle_of(i, half) == handle && keys[i].label[0]) {
                *index = i;
                *is_private = half;
                return !(half == 0 && said("no-public"));
            }
    return false;
}

static CK_SLOT_ID first_slot(void) {
    return said_number("empty-slots", 0);
}

static CK_ULONG slot_count(void) {
    return first_slot() + (said("absent") ? 0 : said("twin") && !second_gone ? 2 : 1);
}

static void pad(unsigned char *field, size_t length, const char *text) {
    memset(field, ' ', length);
    memcpy(field, text, strlen(text) < length ? strlen(text) : length);
}

static CK_RV my_initialize(void *arguments) {
    read_control();
    ENTER(C_Initialize);
    const CK_C_INITIALIZE_ARGS *given = arguments;
    if (said_is("initialise", "already") && !adopted) {
        adopted = initialised = true;
        generation++;
        read_keys();
        LEAVE(CKR_CRYPTOKI_ALREADY_INITIALIZED);
    }
    NEED(!initialised, CKR_CRYPTOKI_ALREADY_INITIALIZED);
    NEED(!(said_is("initialise", "null-only") && given), CKR_ARGUMENTS_BAD);
    NEED(!(said_is("initialise", "cant-lock") && given && given->flags & CKF_OS_LOCKING_OK),
        CKR_CANT_LOCK);
    const char *wanted = said("init");
    NEED(!wanted || (given && given->pReserved && strcmp(given->pReserved, wanted) == 0),
        CKR_ARGUMENTS_BAD);
    initialised = true;
    memset(logged_in, 0, sizeof logged_in);
    generation++;
    found_again();
    memset(sessions, 0, sizeof sessions);
    read_keys();
    LEAVE(CKR_OK);
}

static CK_RV my_finalize(void *reserved) {
    (void)reserved;
    ENTER(C_Finalize);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    initialised = false;
    memset(logged_in, 0, sizeof logged_in);
    LEAVE(CKR_OK);
}

static CK_RV my_get_info(CK_INFO *info) {
    ENTER(C_GetInfo);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    memset(info, 0, sizeof *info);
    info->cryptokiVersion.major = 2;
    info->cryptokiVersion.minor = 40;
    pad(info->manufacturerID, sizeof info->manufacturerID, "Tests");
    pad(info->libraryDescription, sizeof info->libraryDescription, "Misbehaving module");
    LEAVE(CKR_OK);
}

static CK_RV my_get_slot_list(unsigned char present, CK_SLOT_ID *list, CK_ULONG *count) {
    static unsigned long grown;
    ENTER(C_GetSlotList);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    CK_SLOT_ID from = present ? first_slot() : 0;
    CK_ULONG there = slot_count() - from;
    if (!list) {
        *count = there + (said_is("slots", "shrink") ? 5 : 0);
        LEAVE(CKR_OK);
    }
    const char *slots = said("slots");
    if (slots && strncmp(slots, "grow ", 5) == 0) {
        unsigned long times = strtoul(slots + 5, NULL, 10);
        if (times == 0 || grown++ < times) {
            *count = there + 1;
            LEAVE(CKR_BUFFER_TOO_SMALL);
        }
    }
    NEED(*count >= there, CKR_BUFFER_TOO_SMALL);
    for (CK_ULONG i = 0; i < there; i++) list[i] = from + i;
    *count = there;
    LEAVE(CKR_OK);
}

static CK_RV my_get_slot_info(CK_SLOT_ID slot, CK_SLOT_INFO *info) {
    ENTER(C_GetSlotInfo);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    NEED(slot < slot_count(), CKR_SLOT_ID_INVALID);
    memset(info, 0, sizeof *info);
    pad(info->slotDescription, sizeof info->slotDescription, "Slot of a test");
    pad(info->manufacturerID, sizeof info->manufacturerID, "Tests");
    if (slot >= first_slot()) info->flags = CKF_TOKEN_PRESENT;
    LEAVE(CKR_OK);
}

static CK_FLAGS token_flags(void) {
    CK_FLAGS flags = CKF_TOKEN_INITIALIZED | CKF_USER_PIN_INITIALIZED | CKF_LOGIN_REQUIRED;
    if (said_is("flags", "uninitialized")) flags &= ~(CK_FLAGS)CKF_TOKEN_INITIALIZED;
    if (said_is("flags", "no-login")) flags &= ~(CK_FLAGS)CKF_LOGIN_REQUIRED;
    if (said_is("flags", "no-pin")) flags &= ~(CK_FLAGS)CKF_USER_PIN_INITIALIZED;
    if (said_is("flags", "locked")) flags |= CKF_USER_PIN_LOCKED;
    if (said_is("flags", "final-try")) flags |= CKF_USER_PIN_FINAL_TRY;
    if (said_is("flags", "to-be-changed")) flags |= CKF_USER_PIN_TO_BE_CHANGED;
    unsigned long wrong = wrong_tries(), limit = said_number("tries", 3);
    if (said("quiet-tries")) return flags;
    if (wrong > 0) flags |= CKF_USER_PIN_COUNT_LOW;
    if (wrong + 1 == limit) flags |= CKF_USER_PIN_FINAL_TRY;
    if (wrong >= limit) flags |= CKF_USER_PIN_LOCKED;
    return flags;
}

static CK_RV my_get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info) {
    ENTER(C_GetTokenInfo);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    NEED(slot < slot_count(), CKR_SLOT_ID_INVALID);
    NEED(slot >= first_slot(), CKR_TOKEN_NOT_PRESENT);
    memset(info, 0, sizeof *info);
    const char *label = said("label"), *serial = said("serial");
    pad(info->label, sizeof info->label, label ? label : "grona");
    pad(info->manufacturerID, sizeof info->manufacturerID, "Tests");
    pad(info->model, sizeof info->model, "misbehaving");
    pad(info->serialNumber, sizeof info->serialNumber,
        slot > first_slot() ? "2" : serial ? serial : "1");
    info->flags = token_flags();
    info->ulMaxSessionCount = info->ulMaxRwSessionCount = said_number("sessions", 0);
    info->ulSessionCount = info->ulRwSessionCount = CK_UNAVAILABLE_INFORMATION;
    info->ulMaxPinLen = 32;
    info->ulMinPinLen = 4;
    LEAVE(CKR_OK);
}

static CK_RV my_get_mechanism_info(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info) {
    (void)slot;
    ENTER(C_GetMechanismInfo);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    NEED(type == CKM_ECDSA || type == CKM_EC_KEY_PAIR_GEN, CKR_MECHANISM_INVALID);
    info->ulMinKeySize = 256;
    info->ulMaxKeySize = 521;
    info->flags = type == CKM_ECDSA ? CKF_SIGN | CKF_VERIFY : CKF_GENERATE_KEY_PAIR;
    LEAVE(CKR_OK);
}

static CK_RV my_open_session(
    CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
    CK_SESSION_HANDLE *handle) {
    (void)application;
    (void)notify;
    ENTER(C_OpenSession);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    NEED(slot < slot_count(), CKR_SLOT_ID_INVALID);
    NEED(slot >= first_slot(), CKR_TOKEN_NOT_PRESENT);
    NEED(flags & CKF_SERIAL_SESSION, CKR_SESSION_PARALLEL_NOT_SUPPORTED);
    NEED(!said("read-only-refused") || flags & CKF_RW_SESSION, CKR_SESSION_READ_ONLY);
    unsigned long open = 0, limit = said_number("sessions", 0);
    for (size_t i = 1; i < session_limit; i++) open += sessions[i].is_open;
    NEED(limit == 0 || open < limit, CKR_SESSION_COUNT);
    size_t next = 1;
    while (next < session_limit && sessions[next].is_open) next++;
    NEED(next < session_limit, CKR_SESSION_COUNT);
    memset(&sessions[next], 0, sizeof sessions[next]);
    sessions[next].is_open = true;
    sessions[next].slot = slot % session_limit;
    sessions[next].may_write = flags & CKF_RW_SESSION;
    *handle = next;
    LEAVE(CKR_OK);
}

static CK_RV my_close_session(CK_SESSION_HANDLE handle) {
    ENTER(C_CloseSession);
    SESSION(handle);
    session->is_open = false;
    bool any = false;
    for (size_t i = 1; i < session_limit; i++)
        any |= sessions[i].is_open && sessions[i].slot == session->slot;
    if (!any) logged_in[session->slot] = false;
    LEAVE(CKR_OK);
}

static CK_RV my_close_all_sessions(CK_SLOT_ID slot) {
    (void)slot;
    ENTER(C_CloseAllSessions);
    NEED(initialised, CKR_CRYPTOKI_NOT_INITIALIZED);
    memset(sessions, 0, sizeof sessions);
    memset(logged_in, 0, sizeof logged_in);
    LEAVE(CKR_OK);
}

static CK_RV my_get_session_info(CK_SESSION_HANDLE handle, CK_SESSION_INFO *info) {
    ENTER(C_GetSessionInfo);
    SESSION(handle);
    info->slotID = session->slot;
    bool is_in = logged_in[session->slot];
    info->state = session->may_write ? (is_in ? CKS_RW_USER_FUNCTIONS : CKS_RW_PUBLIC_SESSION)
                                     : (is_in ? CKS_RO_USER_FUNCTIONS : CKS_RO_PUBLIC_SESSION);
    info->flags = CKF_SERIAL_SESSION | (session->may_write ? CKF_RW_SESSION : 0);
    info->ulDeviceError = 0;
    LEAVE(CKR_OK);
}

static CK_RV my_login(
    CK_SESSION_HANDLE handle, CK_USER_TYPE user, unsigned char *pin, CK_ULONG length) {
    ENTER(C_Login);
    SESSION(handle);
    NEED(user == CKU_USER || user == CKU_CONTEXT_SPECIFIC, CKR_USER_TYPE_INVALID);
    NEED(user == CKU_USER || session->is_signing, CKR_OPERATION_NOT_INITIALIZED);
    NEED(user != CKU_USER || !logged_in[session->slot], CKR_USER_ALREADY_LOGGED_IN);
    NEED(!said_is("flags", "no-pin"), CKR_USER_PIN_NOT_INITIALIZED);
    unsigned long wrong = wrong_tries();
    NEED(wrong < said_number("tries", 3) && !said_is("flags", "locked"), CKR_PIN_LOCKED);
    const char *right = said("pin");
    if (!right) right = "1234";
    if (strlen(right) != length || memcmp(right, pin, length) != 0) {
        set_wrong_tries(wrong + 1);
        LEAVE(CKR_PIN_INCORRECT);
    }
    if (wrong > 0) set_wrong_tries(0);
    if (user == CKU_USER) logged_in[session->slot] = true;
    else session->has_context = true;
    LEAVE(CKR_OK);
}

static CK_RV my_logout(CK_SESSION_HANDLE handle) {
    ENTER(C_Logout);
    SESSION(handle);
    (void)session;
    NEED(logged_in[session->slot], CKR_USER_NOT_LOGGED_IN);
    logged_in[session->slot] = false;
    LEAVE(CKR_OK);
}

static CK_RV my_get_attribute_value(
    CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template, CK_ULONG count) {
    ENTER(C_GetAttributeValue);
    SESSION(handle);
    (void)session;
    size_t index;
    bool is_private;
    NEED(object_of(object, &index, &is_private), CKR_OBJECT_HANDLE_INVALID);
    CK_RV worst = CKR_OK;
    for (CK_ULONG i = 0; i < count; i++) {
        CK_RV code = attribute(index, is_private, &template[i]);
        if (code != CKR_OK) worst = code;
    }
    LEAVE(worst);
}

static CK_RV my_find_objects_init(
    CK_SESSION_HANDLE handle, CK_ATTRIBUTE *template, CK_ULONG count) {
    ENTER(C_FindObjectsInit);
    SESSION(handle);
    NEED(!session->is_finding, CKR_OPERATION_ACTIVE);
    session->is_finding = true;
    session->found_count = session->found_next = 0;
    for (size_t i = 0; i < key_count; i++)
        for (int half = 0; half < 2; half++) {
            if (!keys[i].label[0] || (half == 0 && said("no-public"))) continue;
            if (half == 1 && !logged_in[session->slot] && !said("public-login")) continue;
            if (matches(i, half, template, count))
                session->found[session->found_count++] = handle_of(i, half);
        }
    LEAVE(CKR_OK);
}

static CK_RV my_find_objects(
    CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE *objects, CK_ULONG room, CK_ULONG *count) {
    ENTER(C_FindObjects);
    SESSION(handle);
    NEED(session->is_finding, CKR_OPERATION_NOT_INITIALIZED);
    // One at a time, whatever was asked for: a module may.
    *count = room > 0 && session->found_next < session->found_count;
    if (*count) objects[0] = session->found[session->found_next++];
    LEAVE(CKR_OK);
}

static CK_RV my_find_objects_final(CK_SESSION_HANDLE handle) {
    ENTER(C_FindObjectsFinal);
    SESSION(handle);
    NEED(session->is_finding, CKR_OPERATION_NOT_INITIALIZED);
    session->is_finding = false;
    LEAVE(CKR_OK);
}

static CK_RV my_sign_init(
    CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE object) {
    ENTER(C_SignInit);
    SESSION(handle);
    NEED(!session->is_signing, CKR_OPERATION_ACTIVE);
    size_t index;
    bool is_private;
    NEED(object_of(object, &index, &is_private), CKR_KEY_HANDLE_INVALID);
    NEED(is_private && !said("no-sign"), CKR_KEY_FUNCTION_NOT_PERMITTED);
    NEED(mechanism->mechanism == CKM_ECDSA, CKR_MECHANISM_INVALID);
    NEED(logged_in[session->slot] || said("public-login"), CKR_USER_NOT_LOGGED_IN);
    session->is_signing = true;
    session->has_context = false;
    session->key = index;
    LEAVE(CKR_OK);
}

static CK_RV my_sign(
    CK_SESSION_HANDLE handle, unsigned char *data, CK_ULONG length, unsigned char *signature,
    CK_ULONG *signature_length) {
    ENTER(C_Sign);
    static unsigned long signs;
    if (++signs == said_number("second-leaves", 0)) second_gone = true;
    SESSION(handle);
    NEED(session->is_signing, CKR_OPERATION_NOT_INITIALIZED);
    session->is_signing = false;
    NEED(!said("always-authenticate") || session->has_context, CKR_USER_NOT_LOGGED_IN);
    LEAVE(sign_with(session->key, data, length, signature, signature_length));
}

static CK_RV my_generate_key_pair(
    CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_ATTRIBUTE *public_template,
    CK_ULONG public_count, CK_ATTRIBUTE *private_template, CK_ULONG private_count,
    CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key) {
    ENTER(C_GenerateKeyPair);
    SESSION(handle);
    (void)public_template;
    (void)public_count;
    NEED(session->may_write, CKR_SESSION_READ_ONLY);
    NEED(logged_in[session->slot], CKR_USER_NOT_LOGGED_IN);
    NEED(mechanism->mechanism == CKM_EC_KEY_PAIR_GEN, CKR_MECHANISM_INVALID);
    char label[64] = "unnamed";
    unsigned char id[64];
    size_t id_length = 0, index;
    for (CK_ULONG i = 0; i < private_count; i++) {
        const CK_ATTRIBUTE *given = &private_template[i];
        if (given->type == CKA_LABEL)
            snprintf(label, sizeof label, "%.*s", (int)given->ulValueLen, (char *)given->pValue);
        if (given->type == CKA_ID && given->ulValueLen <= sizeof id)
            memcpy(id, given->pValue, id_length = given->ulValueLen);
    }
    NEED(make_key(label, id, id_length, &index), CKR_DEVICE_ERROR);
    *public_key = handle_of(index, false);
    *private_key = handle_of(index, true);
    LEAVE(CKR_OK);
}

static CK_RV my_destroy_object(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object) {
    ENTER(C_DestroyObject);
    SESSION(handle);
    NEED(session->may_write, CKR_SESSION_READ_ONLY);
    size_t index;
    bool is_private;
    NEED(object_of(object, &index, &is_private), CKR_OBJECT_HANDLE_INVALID);
    if (is_private) delete_key(index);
    LEAVE(CKR_OK);
}

static CK_RV not_supported(void) {
    record("other", CKR_FUNCTION_NOT_SUPPORTED);
    return CKR_FUNCTION_NOT_SUPPORTED;
}

#define MEMBER(name, function)                                                                    \
    { #name, offsetof(CK_FUNCTION_LIST, name), (void (*)(void))function }

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list) {
    static const struct {
        const char *name;
        size_t offset;
        void (*function)(void);
    } members[] = {
        MEMBER(C_Initialize, my_initialize),
        MEMBER(C_Finalize, my_finalize),
        MEMBER(C_GetInfo, my_get_info),
        MEMBER(C_GetFunctionList, C_GetFunctionList),
        MEMBER(C_GetSlotList, my_get_slot_list),
        MEMBER(C_GetSlotInfo, my_get_slot_info),
        MEMBER(C_GetTokenInfo, my_get_token_info),
        MEMBER(C_GetMechanismInfo, my_get_mechanism_info),
        MEMBER(C_OpenSession, my_open_session),
        MEMBER(C_CloseSession, my_close_session),
        MEMBER(C_CloseAllSessions, my_close_all_sessions),
        MEMBER(C_GetSessionInfo, my_get_session_info),
        MEMBER(C_Login, my_login),
        MEMBER(C_Logout, my_logout),
        MEMBER(C_GetAttributeValue, my_get_attribute_value),
        MEMBER(C_FindObjectsInit, my_find_objects_init),
        MEMBER(C_FindObjects, my_find_objects),
        MEMBER(C_FindObjectsFinal, my_find_objects_final),
        MEMBER(C_SignInit, my_sign_init),
        MEMBER(C_Sign, my_sign),
        MEMBER(C_GenerateKeyPair, my_generate_key_pair),
        MEMBER(C_DestroyObject, my_destroy_object),
    };
    read_control();
    if (said_is("list", "fail")) return leave("C_GetFunctionList", CKR_FUNCTION_FAILED);
    if (said_is("list", "null")) {
        *list = NULL;
        return leave("C_GetFunctionList", CKR_OK);
    }
    table.version.major = 2;
    table.version.minor = 40;
    void (*other)(void) = (void (*)(void))not_supported;
    size_t start = offsetof(CK_FUNCTION_LIST, C_Initialize);
    for (size_t at = start; at < sizeof table; at += sizeof other)
        memcpy((char *)&table + at, &other, sizeof other);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        void (*function)(void) = members[i].function;
        if (said_is("null", members[i].name)) function = NULL;
        memcpy((char *)&table + members[i].offset, &function, sizeof function);
    }
    *list = &table;
    return leave("C_GetFunctionList", CKR_OK);
}
