// The types and numbers of PKCS#11 v2.40, from the header of libp11-kit-dev. Only the header is
// used: modules are opened at run time, and nothing is linked.
#ifndef GRONA_CPKCS11_SHIM_H
#define GRONA_CPKCS11_SHIM_H

#include "/usr/include/p11-kit-1/p11-kit/pkcs11.h"

#endif
