// The part of libsodium that this project calls: guarded memory and constant-time comparison.
#ifndef GRONA_CSODIUM_SHIM_H
#define GRONA_CSODIUM_SHIM_H

#include <sodium/core.h>
#include <sodium/utils.h>

#endif
