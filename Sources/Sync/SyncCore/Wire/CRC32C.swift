internal import CChecksum

/// The CRC-32C (Castagnoli) checksum of stored and sent bytes.
///
/// It detects accidental changes; the transport's encryption protects against deliberate ones. Source: RFC 3720,
/// appendix B.4 (polynomial 0x1EDC6F41, reflected).
public struct CRC32C: Sendable {
    private(set) var remainder: UInt32

    /// Creates the checksum of no bytes.
    public init() {
        self.init(remainder: 0xFFFF_FFFF)
    }

    /// Continues from the remainder of other bytes.
    init(remainder: UInt32) {
        self.remainder = remainder
    }

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
            // The span does not outlive the call that lends the buffer.
            unsafe update(Span(_unsafeElements: buffer))
        }
        if isDone == nil { update(Array(bytes)) }
    }

    /// Adds bytes.
    public mutating func update(_ bytes: Span<UInt8>) {
        // Bytes have no padding between them.
        update(unsafe bytes.bytes)
    }

    mutating func update(_ bytes: RawSpan) {
        if Self.hasInstruction {
            updateByInstruction(bytes)
        } else {
            updateByTables(bytes)
        }
    }

    /// Whether the processor has an instruction for it.
    static let hasInstruction = cchecksum_is_available()

    /// Adds bytes with the processor's instruction: many bytes in three parallel lanes first, then the rest.
    mutating func updateByInstruction(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { buffer in
            guard var next = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            var count = buffer.count
            // Each call reads exactly the given number of bytes, and that many are left.
            while count >= 3 * Self.laneByteCount {
                var lanes = (remainder, UInt32(0), UInt32(0))
                unsafe withUnsafeMutableBytes(of: &lanes) { lanes in
                    if let lanes = unsafe lanes.baseAddress?.assumingMemoryBound(to: UInt32.self) {
                        unsafe cchecksum_add_lanes(lanes, next, Self.laneByteCount)
                    }
                }
                remainder = Self.joined(lanes)
                unsafe next += 3 * Self.laneByteCount
                count -= 3 * Self.laneByteCount
            }
            remainder = unsafe cchecksum_add(remainder, next, count)
        }
    }

    /// Adds bytes with tables: many bytes in three parallel lanes first, then sixteen at a time, then the rest one by
    /// one.
    mutating func updateByTables(_ bytes: RawSpan) {
        var offset = 0
        let table = Self.table
        let entries = table.span
        var remainder = remainder
        while bytes.byteCount - offset >= 3 * Self.laneByteCount {
            remainder = Self.lanes(bytes, at: offset, remainder, entries)
            offset += 3 * Self.laneByteCount
        }
        while bytes.byteCount - offset >= 16 {
            remainder = Self.sixteen(bytes, at: offset, remainder, entries)
            offset += 16
        }
        while offset < bytes.byteCount {
            // The load checks its range, and any byte is a valid number.
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            remainder = entries[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)] ^ (remainder >> 8)
            offset += 1
        }
        self.remainder = remainder
    }

    /// The bytes of a lane.
    private static let laneByteCount = 1024

    /// Adds three lanes of bytes in parallel, because a processor can wait for three table lookups at the same time;
    /// then shifts the remainders of the first lanes over the lanes after them.
    private static func lanes(
        _ bytes: RawSpan, at start: Int, _ remainder: UInt32, _ entries: Span<UInt32>
    ) -> UInt32 {
        var (first, second, third) = (remainder, UInt32(0), UInt32(0))
        for offset in stride(from: start, to: start + laneByteCount, by: 16) {
            first = sixteen(bytes, at: offset, first, entries)
            second = sixteen(bytes, at: offset + laneByteCount, second, entries)
            third = sixteen(bytes, at: offset + 2 * laneByteCount, third, entries)
        }
        return joined((first, second, third))
    }

    /// The combined remainder of three consecutive lanes.
    @inline(__always)
    private static func joined(_ lanes: (UInt32, UInt32, UInt32)) -> UInt32 {
        let laneTable = laneTable
        return moved(moved(lanes.0, laneTable) ^ lanes.1, laneTable) ^ lanes.2
    }

    /// Adds sixteen bytes, by a table for each of them ("slicing by 16").
    @inline(__always)
    private static func sixteen(
        _ bytes: RawSpan, at offset: Int, _ remainder: UInt32, _ entries: Span<UInt32>
    ) -> UInt32 {
        // Any bit pattern is a valid number, and the callers guarantee sixteen bytes.
        let low = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        let high = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 8, as: UInt64.self)
        let first = UInt64(littleEndian: low) ^ UInt64(remainder)
        return fold(first, entries, 8) ^ fold(UInt64(littleEndian: high), entries, 0)
    }

    /// The remainder after a lane of zero bytes.
    @inline(__always)
    private static func moved(_ remainder: UInt32, _ table: [UInt32]) -> UInt32 {
        let low = table[Int(remainder & 0xFF)] ^ table[256 + Int(remainder >> 8 & 0xFF)]
        return low ^ table[512 + Int(remainder >> 16 & 0xFF)] ^ table[768 + Int(remainder >> 24)]
    }

    /// The effect of a lane of zero bytes on each value of each byte of a remainder; four rows of 256.
    private static let laneTable: [UInt32] = {
        var entries = [UInt32](repeating: 0, count: 4 * 256)
        for bit in 0..<32 {
            var remainder: UInt32 = 1 << UInt32(bit)
            for _ in 0..<laneByteCount {
                remainder = table[Int(UInt8(truncatingIfNeeded: remainder))] ^ (remainder >> 8)
            }
            let (row, mask) = (bit / 8 * 256, 1 << (bit % 8))
            for byte in 0..<256 where byte & mask != 0 { entries[row + byte] ^= remainder }
        }
        return entries
    }()

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

    /// What eight bytes contribute to the remainder when `rest` more of the sixteen bytes follow.
    @inline(__always)
    private static func fold(_ word: UInt64, _ entries: Span<UInt32>, _ rest: Int) -> UInt32 {
        // The table has 16 × 256 entries, a byte is less than 256, and the last row is 15.
        @inline(__always)
        func entry(_ position: Int) -> UInt32 {
            let byte = Int(UInt8(truncatingIfNeeded: word >> UInt64(8 * position)))
            return unsafe entries[unchecked: (rest + 7 - position) * 256 + byte]
        }
        return entry(0) ^ entry(1) ^ entry(2) ^ entry(3) ^ entry(4) ^ entry(5) ^ entry(6) ^ entry(7)
    }

    /// Row *n* holds the effect of a byte that *n* zero bytes follow; sixteen rows of 256.
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
