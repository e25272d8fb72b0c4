#ifndef POOLSENSORS_CTURBOJPEG_SHIM_H
#define POOLSENSORS_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Lets each large block of memory go back to the system when it is freed.
///
/// glibc keeps blocks as large as the largest that was freed so far, up to 32 MiB: then one picture after the other takes
/// more. Source: mallopt(3), `M_MMAP_THRESHOLD`.
static inline void return_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

#endif
