/// The content of a QR code, in the mode that needs the fewest bits.
///
/// Digits, capitals and a few signs take 5½ bits each in alphanumeric mode; everything else takes 8 in byte mode.
/// Source: ISO/IEC 18004:2015, 7.4.4 and 7.4.5, and its table 3 for the bits of a length.
struct QRText: Equatable, Sendable {
    let bytes: [UInt8]
    /// The values of the characters in alphanumeric mode; nil if one has none.
    private let values: [Int]?

    /// The characters of alphanumeric mode in the order of their values.
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let values = bytes.compactMap { Self.alphabet.firstIndex(of: $0) }
        self.values = values.count == bytes.count && !bytes.isEmpty ? values : nil
    }

    /// Whether it is in alphanumeric mode.
    var isAlphanumeric: Bool { values != nil }

    private func lengthBits(version: Int) -> Int {
        if isAlphanumeric { return version < 10 ? 9 : 11 }
        return version < 10 ? 8 : 16
    }

    /// The number of its bits, including the mode and the length.
    func bitCount(version: Int) -> Int {
        let payload = isAlphanumeric ? bytes.count / 2 * 11 + bytes.count % 2 * 6 : bytes.count * 8
        return 4 + lengthBits(version: version) + payload
    }

    /// The mode, the length and the characters.
    func bits(version: Int) -> [Bool] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for shift in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> shift & 1 == 1) }
        }
        append(isAlphanumeric ? 0b0010 : 0b0100, 4)
        append(bytes.count, lengthBits(version: version))
        guard let values else {
            for byte in bytes { append(Int(byte), 8) }
            return bits
        }
        for first in stride(from: 0, to: values.count, by: 2) {
            if first + 1 < values.count {
                append(values[first] * 45 + values[first + 1], 11)
            } else {
                append(values[first], 6)
            }
        }
        return bits
    }
}
