// The part of OpenSSL's libcrypto that this project calls, with the deprecated calls hidden.
//
// Macros and names which Swift does not import are typed inline functions here. A static inline
// function is compiled only into the module that calls it, so that nothing here makes a program
// import what it does not use.
#ifndef GRONA_CLIBCRYPTO_SHIM_H
#define GRONA_CLIBCRYPTO_SHIM_H

#define OPENSSL_API_COMPAT 30000
#define OPENSSL_NO_DEPRECATED

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rand.h>

/// What `EVP_PKEY_fromdata` takes for a public key alone.
static inline int grona_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

/// What `EVP_PKEY_fromdata` takes for a private key with its public half.
static inline int grona_key_pair_selection(void) { return EVP_PKEY_KEYPAIR; }

// Parameters keep the address of their name and text, which Swift's strings do not have for longer
// than a call.

static inline OSSL_PARAM grona_p256_parameter(void) {
    return OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
}

static inline OSSL_PARAM grona_public_point_parameter(void *point, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, count);
}

static inline OSSL_PARAM grona_sha256_parameter(void) {
    return OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA2-256", 0);
}

static inline int grona_push_p256(OSSL_PARAM_BLD *builder) {
    return OSSL_PARAM_BLD_push_utf8_string(
        builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
}

static inline int grona_push_public_point(
    OSSL_PARAM_BLD *builder, const void *point, size_t count) {
    return OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count);
}

static inline int grona_push_private_value(OSSL_PARAM_BLD *builder, const BIGNUM *value) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, value);
}

#endif
