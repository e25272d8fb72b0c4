#define _GNU_SOURCE
#include "CPowerCut.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(power_cut_sync) taker = NULL;

void power_cut_take_syncs(power_cut_sync function) { atomic_store(&taker, function); }

#if defined(__linux__)

#include <sys/syscall.h>

static int take(int descriptor, long number) {
    power_cut_sync function = atomic_load(&taker);
    if (function != NULL && function(descriptor) != 0) return 0;
    return (int)syscall(number, descriptor);
}

__attribute__((visibility("default"))) int fsync(int descriptor) { return take(descriptor, SYS_fsync); }

__attribute__((visibility("default"))) int fdatasync(int descriptor) { return take(descriptor, SYS_fdatasync); }

#endif
