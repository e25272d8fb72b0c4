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
    public mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// Adds bytes.
    @inlinable
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            // The span is only used within the call that lends the buffer.
            unsafe update(Span(_unsafeElements: buffer))
        }
        if isDone == nil { update(Array(bytes)) }
    }

    /// Adds bytes: sixteen at a time, by a table for each of them ("slicing by 16"), then the rest one by one.
    public mutating func update(_ bytes: Span<UInt8>) {
        let table = Self.table
        let entries = table.span
        // Bytes have no padding between them.
        let raw = unsafe bytes.bytes
        var remainder = remainder
        var offset = 0
        while bytes.count - offset >= 16 {
            // Any bytes are a number, and sixteen of them are left.
            let low = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let high = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            let first = UInt64(littleEndian: low) ^ UInt64(remainder)
            remainder = Self.fold(first, entries, 8) ^ Self.fold(UInt64(littleEndian: high), entries, 0)
            offset += 16
        }
        while offset < bytes.count {
            remainder = entries[Int(UInt8(truncatingIfNeeded: remainder) ^ bytes[offset])] ^ (remainder >> 8)
            offset += 1
        }
        self.remainder = remainder
    }

    /// The checksum of some bytes.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32C()
        crc.update(bytes.span)
        return crc.value
    }

    /// The checksum of some bytes.
    @inlinable
    public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = CRC32C()
        crc.update(bytes)
        return crc.value
    }

    /// What eight bytes add to the remainder when `rest` more bytes of the sixteen follow them.
    @inline(__always)
    private static func fold(_ word: UInt64, _ entries: Span<UInt32>, _ rest: Int) -> UInt32 {
        // The table has sixteen times 256 entries, a byte is less than 256, and the last row is 15.
        @inline(__always)
        func entry(_ position: Int) -> UInt32 {
            let byte = Int(UInt8(truncatingIfNeeded: word >> UInt64(8 * position)))
            return unsafe entries[unchecked: (rest + 7 - position) * 256 + byte]
        }
        return entry(0) ^ entry(1) ^ entry(2) ^ entry(3) ^ entry(4) ^ entry(5) ^ entry(6) ^ entry(7)
    }

    /// Row *n* holds what a byte leaves behind when *n* zero bytes follow it; sixteen rows of 256.
    private static let table: [UInt32] = {
        var table = (0..<256).map { (index: UInt32) -> UInt32 in
            (0..<8).reduce(index) { entry, _ in entry & 1 == 1 ? 0x82F6_3B78 ^ (entry >> 1) : entry >> 1 }
        }
        for position in 256..<16 * 256 {
            let entry = table[position - 256]
            table.append(table[Int(entry & 0xFF)] ^ (entry >> 8))
        }
        return table
    }()
}
