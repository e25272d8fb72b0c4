#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)

#define TARGET __attribute__((target("sse4.2")))
#define ADD_8(remainder, word) ((uint32_t)__builtin_ia32_crc32di((remainder), (word)))
#define ADD_1(remainder, byte) (__builtin_ia32_crc32qi((remainder), (byte)))

bool cchecksum_is_available(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2");
}

#elif defined(__aarch64__)

#if defined(__linux__)
#include <sys/auxv.h>
#endif

#define TARGET __attribute__((target("crc")))
#define ADD_8(remainder, word) (__builtin_arm_crc32cd((remainder), (word)))
#define ADD_1(remainder, byte) (__builtin_arm_crc32cb((remainder), (byte)))

bool cchecksum_is_available(void) {
#if defined(__linux__)
    return getauxval(AT_HWCAP) & (1 << 7); // HWCAP_CRC32
#else
    return true; // Each Mac with such a processor has it.
#endif
}

#else

// No such instruction is known here, and nobody calls what must not be called.
#define TARGET
#define ADD_8(remainder, word) (remainder)
#define ADD_1(remainder, byte) (remainder)

bool cchecksum_is_available(void) { return false; }

#endif

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

TARGET uint32_t cchecksum_add(uint32_t remainder, const uint8_t *bytes, size_t count) {
    size_t done = 0;
    for (; count - done >= 8; done += 8) remainder = ADD_8(remainder, word_at(bytes + done));
    for (; done < count; done++) remainder = ADD_1(remainder, bytes[done]);
    return remainder;
}

TARGET void cchecksum_add_lanes(uint32_t remainders[3], const uint8_t *bytes, size_t count) {
    uint32_t first = remainders[0], second = remainders[1], third = remainders[2];
    for (size_t done = 0; done < count; done += 8) {
        first = ADD_8(first, word_at(bytes + done));
        second = ADD_8(second, word_at(bytes + count + done));
        third = ADD_8(third, word_at(bytes + 2 * count + done));
    }
    remainders[0] = first;
    remainders[1] = second;
    remainders[2] = third;
}
