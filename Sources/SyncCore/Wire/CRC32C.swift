/// The CRC-32C (Castagnoli) checksum of stored and sent bytes.
///
/// It guards against accidents; against people the transport's encryption does.
/// Source: RFC 3720, appendix B.4 (polynomial 0x1EDC6F41, reflected).
public struct CRC32C: Sendable {
    private var remainder: UInt32 = 0xFFFF_FFFF

    /// Creates the checksum of no bytes.
    public init() {}

    /// The checksum of the bytes so far.
    public var value: UInt32 { ~remainder }

    /// Adds bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        var remainder = remainder
        for byte in bytes {
            remainder = Self.table[Int((remainder ^ UInt32(byte)) & 0xFF)] ^ (remainder >> 8)
        }
        self.remainder = remainder
    }

    /// The checksum of some bytes.
    public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = CRC32C()
        crc.update(bytes)
        return crc.value
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) -> UInt32 in
        (0..<8).reduce(index) { entry, _ in entry & 1 == 1 ? 0x82F6_3B78 ^ (entry >> 1) : entry >> 1 }
    }
}
