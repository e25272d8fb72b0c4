#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// CRC-32C by the instruction that processors of the last ten years have for it: SSE 4.2 on x86-64, the CRC extension on
// arm64. Remainders are those of the reflected polynomial, neither begun nor ended. All functions may be called from any
// thread.

/// Whether this processor has the instruction; without it the other functions must not be called.
bool cchecksum_is_available(void);

/// The remainder after `count` more bytes.
uint32_t cchecksum_add(uint32_t remainder, const uint8_t *bytes, size_t count);

/// The remainders of three runs of `count` bytes that lie one behind the other, each begun with its own: at once, since
/// the instruction can begin three times before its first result is there. `count` is a multiple of 8.
void cchecksum_add_lanes(uint32_t remainders[3], const uint8_t *bytes, size_t count);

#endif
