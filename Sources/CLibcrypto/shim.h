// The part of OpenSSL's libcrypto that this project calls, with the deprecated calls hidden.
#ifndef GRONA_CLIBCRYPTO_SHIM_H
#define GRONA_CLIBCRYPTO_SHIM_H

#define OPENSSL_API_COMPAT 30000
#define OPENSSL_NO_DEPRECATED

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

#endif
