import SyncCore
import Testing

/// The checksum of bytes that are long enough to be folded, beside the definition, one bit after the other.
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

    /// Below and above the least length, at whole and broken words, and where it takes one, two and three goes.
    @Test(arguments: [3072, 3719, 3720, 3721, 3727, 3784, 5000, 32_768, 32_809, 34_439, 34_440, 38_160, 72_000])
    func `long bytes have the checksum of the definition`(_ count: Int) {
        let bytes = Array(Self.bytes.prefix(count))
        #expect(CRC32C.checksum(bytes) == Self.checksum(bytes))
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
