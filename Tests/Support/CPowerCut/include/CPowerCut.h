#ifndef CPOWERCUT_H
#define CPOWERCUT_H

/// Called instead of `fsync` and `fdatasync` with the open file; returns 0 if the system is to do it, and nothing else is
/// meant then.
typedef int (*power_cut_sync)(int descriptor);

/// Lets a function take all calls of `fsync` and `fdatasync` of this process, those of its libraries included, from now on.
///
/// The functions of the C library are hidden by those of the program that is linked with this target. That is so where
/// programs look for names as ELF does; elsewhere nothing is taken.
void power_cut_take_syncs(power_cut_sync function);

#endif
