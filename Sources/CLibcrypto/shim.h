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

#endif
