/// Compresses bytes as a zlib stream (RFC 1950) in one block with the fixed codes of deflate (RFC 1951).
///
/// It only tries the last position with the same three bytes. Pictures of text have so many repetitions that a longer
/// search gains little.
struct Deflate {
    private static let windowSize = 32_768
    private static let matchMax = 258

    private var bytes: [UInt8] = [0x78, 0x01]
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    /// Compresses bytes.
    static func packed(_ input: [UInt8]) -> [UInt8] {
        var stream = Deflate()
        // The last block, with fixed codes.
        stream.put(0b011, count: 3)
        stream.write(input)
        stream.putCode(0, count: 7)
        stream.flush()
        let sum = adler(input)
        return stream.bytes + [UInt8(sum >> 24), UInt8(sum >> 16 & 0xFF), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF)]
    }

    private mutating func write(_ input: [UInt8]) {
        var lastPlaces = [Int](repeating: -1, count: 1 << 15)
        func hash(_ place: Int) -> Int {
            let number = UInt32(input[place]) | UInt32(input[place + 1]) << 8 | UInt32(input[place + 2]) << 16
            return Int((number &* 2_654_435_761) >> 17)
        }
        var place = 0
        while place < input.count {
            var length = 0
            var distance = 0
            if place + 2 < input.count {
                let key = hash(place)
                let candidate = lastPlaces[key]
                lastPlaces[key] = place
                if candidate >= 0, place - candidate <= Self.windowSize {
                    let end = min(input.count, place + Self.matchMax)
                    var next = place
                    while next < end, input[next] == input[candidate + next - place] { next += 1 }
                    (length, distance) = (next - place, place - candidate)
                }
            }
            if length >= 3 {
                putMatch(length: length, distance: distance)
                // Positions inside a match are not recorded; matches are found often enough without them.
                place += length
            } else {
                putLiteral(Int(input[place]))
                place += 1
            }
        }
    }

    // MARK: - Codes

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12_289, 16_385, 24_577,
    ]

    private mutating func putMatch(length: Int, distance: Int) {
        let lengthIndex = Self.lengthBases.lastIndex { $0 <= length } ?? 0
        putLiteral(257 + lengthIndex)
        let lengthBits = lengthIndex < 8 || lengthIndex == 28 ? 0 : lengthIndex / 4 - 1
        put(UInt64(length - Self.lengthBases[lengthIndex]), count: UInt64(lengthBits))
        let distanceIndex = Self.distanceBases.lastIndex { $0 <= distance } ?? 0
        putCode(UInt64(distanceIndex), count: 5)
        let distanceBits = distanceIndex < 4 ? 0 : distanceIndex / 2 - 1
        put(UInt64(distance - Self.distanceBases[distanceIndex]), count: UInt64(distanceBits))
    }

    /// Writes a literal, or a length of 257 and more, with the fixed code.
    private mutating func putLiteral(_ value: Int) {
        switch value {
        case 0...143: putCode(UInt64(0x30 + value), count: 8)
        case 144...255: putCode(UInt64(0x190 + value - 144), count: 9)
        case 256...279: putCode(UInt64(value - 256), count: 7)
        default: putCode(UInt64(0xC0 + value - 280), count: 8)
        }
    }

    // MARK: - Bits

    /// Writes a Huffman code, highest bit first.
    private mutating func putCode(_ code: UInt64, count: UInt64) {
        var reversed: UInt64 = 0
        for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
        put(reversed, count: count)
    }

    /// Writes a number, lowest bit first.
    private mutating func put(_ bits: UInt64, count: UInt64) {
        pending |= bits << pendingCount
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(pending & 0xFF))
            pending >>= 8
            pendingCount -= 8
        }
    }

    private mutating func flush() {
        if pendingCount > 0 { put(0, count: 8 - pendingCount) }
    }

    private static func adler(_ input: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in input {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
