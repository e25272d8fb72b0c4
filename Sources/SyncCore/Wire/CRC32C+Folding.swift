/// Shortens long runs of bytes to 209 words with the same remainder, before the tables see them.
///
/// The polynomial of CRC-32C divides x²⁰⁹ + x¹⁴⁴ + x⁵⁴ + x³⁹ + x¹⁴ + 1, and the same with x⁶⁴ for x, since in GF(2) to
/// square a sum squares each term. So a word of 64 bits may be struck out if it is added to the words that stand 65, 155,
/// 170, 195 and 209 places behind it. That takes no table and no multiplication, and goes for eight words at once.
/// Source: the idea is that of "Chorba: A novel CRC32 implementation" (S. Russell, 2024); this multiple was searched for.
extension CRC32C {
    /// The words that are left.
    private static let leftCount = 209
    /// The least words to strike out for which it pays, and the most at once, so that the room for them stays small.
    private static let struckCounts = (min: 256, max: 4096)

    /// The bytes from which on to fold.
    static let foldedByteCountMin = (leftCount + struckCounts.min) * 8

    /// Adds as many bytes as it takes at once; at least ``foldedByteCountMin`` must be there.
    ///
    /// - Returns: The remainder behind them, and their number.
    static func folded(_ bytes: RawSpan, at start: Int, _ remainder: UInt32) -> (remainder: UInt32, byteCount: Int) {
        let struckCount = min((bytes.byteCount - start) / 8 - leftCount, struckCounts.max) & ~7
        let byteCount = (struckCount + leftCount) * 8
        // Zeros before the first word, the words that are struck out, zeros behind them, and what is left.
        let roomByteCount = byteCount + 2 * leftCount * 8
        // Room and source have the bytes that are counted here, and nobody keeps their addresses.
        let folded = unsafe withUnsafeTemporaryAllocation(byteCount: roomByteCount, alignment: 64) { room in
            unsafe bytes.withUnsafeBytes { source in
                if let source = source.baseAddress, let room = room.baseAddress {
                    unsafe fold(source + start, struckCount, remainder, room)
                }
            }
            let left = unsafe UnsafeRawBufferPointer(rebasing: room[(roomByteCount - leftCount * 8)...])
            var crc = CRC32C(remainder: 0)
            crc.update(unsafe RawSpan(_unsafeBytes: left))
            return crc.remainder
        }
        return (folded, byteCount)
    }

    /// Strikes words out; the last words of the room are what is left.
    private static func fold(
        _ source: UnsafeRawPointer, _ struckCount: Int, _ remainder: UInt32, _ room: UnsafeMutableRawPointer
    ) {
        let (gap, middle) = (leftCount * 8, struckCount * 8)
        let struck = unsafe room + gap
        unsafe room.initializeMemory(as: UInt8.self, repeating: 0, count: gap)
        unsafe (struck + middle).initializeMemory(as: UInt8.self, repeating: 0, count: gap)
        // Only the first word looks 209 places back to here.
        unsafe room.storeBytes(of: UInt64(remainder).littleEndian, as: UInt64.self)
        for offset in stride(from: 0, to: middle, by: 64) {
            let words = unsafe sum(source + offset, struck + offset, of: SIMD8<UInt64>.self, ^)
            unsafe (struck + offset).storeBytes(of: words, as: SIMD8<UInt64>.self)
        }
        for offset in stride(from: middle, to: middle + gap, by: 8) {
            let word = unsafe sum(source + offset, struck + offset, of: UInt64.self, ^)
            unsafe (struck + gap + offset).storeBytes(of: word, as: UInt64.self)
        }
    }

    /// What words become by the words that were struck out before them.
    @inline(__always)
    private static func sum<Words: BitwiseCopyable>(
        _ source: UnsafeRawPointer, _ struck: UnsafeMutableRawPointer, of type: Words.Type,
        _ add: (Words, Words) -> Words
    ) -> Words {
        @inline(__always)
        func back(_ distance: Int) -> Words {
            // All of these words were written, or are the zeros before them.
            unsafe (struck - distance * 8).loadUnaligned(as: type)
        }
        let words = unsafe source.loadUnaligned(as: type)
        return add(add(words, back(65)), add(add(back(155), back(170)), add(back(195), back(209))))
    }
}
