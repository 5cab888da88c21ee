// A PKCS#11 module whose faults are asked for, line by line, in a file beside it.
//
// For a module DIR/x.so: DIR/x.so.control says what it does (see control.c and the uses of `said`),
// DIR/x.so.log gets a line for each call, DIR/x.so.tries holds the wrong PINs in a row, and
// DIR/x.so.keys/LABEL.HEXID.pem are its keys.
#pragma once

#include <openssl/evp.h>
#include <p11-kit/pkcs11.h>
#include <stdbool.h>
#include <stddef.h>

// control.c

// Reads the control file; called when the module is opened and at each C_Initialize.
void read_control(void);
// The first line that begins with this word: the rest of it, or NULL. Valid until the next reading.
const char *said(const char *word);
bool said_is(const char *word, const char *value);
unsigned long said_number(const char *word, unsigned long otherwise);
// The path of a file that belongs to the module.
const char *beside(const char *suffix);
void record(const char *function, CK_RV code);
// Counts a call of a function and answers what a line of the control file makes of it; CKR_OK for
// nothing. May never return.
CK_RV injected(const char *function);
// The token came back: what `lose` took away is there again.
void found_again(void);

// keys.c

struct key {
    char label[64];
    unsigned char id[64];
    size_t id_length;
    EVP_PKEY *pair;
};

extern struct key keys[64];
extern size_t key_count;

void read_keys(void);
bool make_key(const char *label, const unsigned char *id, size_t id_length, size_t *index);
void delete_key(size_t index);
// What C_Sign answers; `length` is the room on entry.
CK_RV sign_with(
    size_t index, const unsigned char *digest, size_t digest_length, unsigned char *signature,
    CK_ULONG *length);

// attributes.c

// Copies one attribute as C_GetAttributeValue does, errors included.
CK_RV attribute(size_t index, bool is_private, CK_ATTRIBUTE *attribute);
bool matches(size_t index, bool is_private, const CK_ATTRIBUTE *template, CK_ULONG count);
