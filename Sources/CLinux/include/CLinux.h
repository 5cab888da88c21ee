// What Swift cannot reach by itself in glibc: variadic calls and names behind _GNU_SOURCE.
#ifndef GRONA_CLINUX_H
#define GRONA_CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <sys/prctl.h>
#include <sys/random.h>

static inline int grona_prctl_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}

#endif
