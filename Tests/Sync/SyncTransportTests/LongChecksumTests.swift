import Testing

@testable import SyncCore

/// The checksum of long inputs, compared with the bit-by-bit definition.
@Suite
struct LongChecksumTests {
    /// RFC 3720, appendix B.4.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? 0x82F6_3B78 ^ (remainder >> 1) : remainder >> 1 }
        }
        return ~remainder
    }

    private static let bytes: [UInt8] = {
        var generator = SplitMix64(seed: 32)
        return (0..<72_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }()

    /// At whole and partial words, below and above three lanes, and with one or many rounds.
    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 36, 3071, 3072, 3073, 3081, 6143, 6144, 6145, 32_768, 32_809, 72_000])
    func `bytes have the checksum of the definition, by the instruction and by tables`(_ count: Int) {
        // They begin at an unaligned address.
        let bytes = Array(Self.bytes.prefix(count + 1))[1...]
        let expected = Self.checksum(bytes)
        #expect(CRC32C.checksum(bytes) == expected)
        unsafe bytes.withUnsafeBytes { buffer in
            // The span lives as long as the buffer.
            let span = unsafe RawSpan(_unsafeBytes: buffer)
            var crc = CRC32C()
            crc.updateByTables(span)
            #expect(crc.value == expected)
            guard CRC32C.hasInstruction else { return }
            crc = CRC32C()
            crc.updateByInstruction(span)
            #expect(crc.value == expected)
        }
    }

    @Test
    func `long bytes behind others, and zeros, have the checksum of the definition`() {
        var crc = CRC32C()
        crc.update(Array(Self.bytes[..<41]))
        crc.update(Self.bytes[41..<32_809])
        #expect(crc.value == Self.checksum(Self.bytes[..<32_809]))
        let zeros = [UInt8](repeating: 0, count: 40_000)
        #expect(CRC32C.checksum(zeros) == Self.checksum(zeros))
    }
}
