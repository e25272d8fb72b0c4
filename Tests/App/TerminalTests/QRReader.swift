@testable import Terminal

/// Decodes a QR code from its modules alone, without the encoder's code: format, mask, blocks and bytes.
///
/// It does not correct errors, but detects them: the error correction of each block must be valid.
struct QRReader {
    private let side: Int
    private let modules: [[Bool]]

    init(_ code: QRCode) {
        side = code.side
        modules = (0..<code.side).map { row in (0..<code.side).map { code.isDark($0, row) } }
    }

    private var version: Int { (side - 17) / 4 }

    /// The bytes; nil if it is not a valid code in byte or alphanumeric mode.
    func bytes() -> [UInt8]? {
        guard let format else { return nil }
        let stream = codewords(mask: format & 7)
        guard let data = data(of: stream, level: format >> 3) else { return nil }
        let bits: [Bool] = data.flatMap { byte -> [Bool] in (0..<8).map { byte >> UInt8(7 - $0) & 1 == 1 } }
        func number(_ start: Int, _ count: Int) -> Int {
            bits[start..<start + count].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
        }
        if number(0, 4) == 2 { return Self.characters(version < 10 ? 9 : 11, bits.count, number) }
        guard number(0, 4) == 4 else { return nil }
        let lengthBits = version < 10 ? 8 : 16
        let count = number(4, lengthBits)
        guard 4 + lengthBits + 8 * count <= bits.count else { return nil }
        return (0..<count).map { UInt8(number(4 + lengthBits + 8 * $0, 8)) }
    }

    /// The characters of alphanumeric mode: pairs in base 45, and possibly a single one at the end.
    private static func characters(_ lengthBits: Int, _ bitCount: Int, _ number: (Int, Int) -> Int) -> [UInt8]? {
        let signs = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
        let count = number(4, lengthBits)
        guard 4 + lengthBits + count / 2 * 11 + count % 2 * 6 <= bitCount else { return nil }
        var bytes: [UInt8] = []
        for pair in 0..<count / 2 {
            let value = number(4 + lengthBits + 11 * pair, 11)
            guard value < 45 * 45 else { return nil }
            bytes += [signs[value / 45], signs[value % 45]]
        }
        if count % 2 == 1 {
            let value = number(4 + lengthBits + count / 2 * 11, 6)
            guard value < 45 else { return nil }
            bytes.append(signs[value])
        }
        return bytes
    }

    /// The five bits of the format, read near the upper left finder pattern; nil if its check fails.
    private var format: Int? {
        let places =
            (0...5).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (9..<15).map { (14 - $0, 8) }
        var bits = 0
        for (index, (x, y)) in places.enumerated() where modules[y][x] { bits |= 1 << index }
        bits ^= 0b101_0100_0001_0010
        let data = bits >> 10
        // Dividing by x¹⁰ + x⁸ + x⁵ + x⁴ + x² + x + 1 must leave no remainder.
        var rest = bits
        for shift in stride(from: 4, through: 0, by: -1) where rest >> (10 + shift) & 1 == 1 {
            rest ^= 0b101_0011_0111 << shift
        }
        return rest == 0 ? data : nil
    }

    /// Table E.1: the centres of the alignment patterns.
    private var alignments: [Int] {
        let table: [[Int]] = [
            [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
            [6, 30, 54], [6, 32, 58], [6, 34, 62], [6, 26, 46, 66], [6, 26, 48, 70], [6, 26, 50, 74], [6, 30, 54, 78],
            [6, 30, 56, 82], [6, 30, 58, 86], [6, 34, 62, 90],
        ]
        return table[version - 1]
    }

    private func isReserved(_ x: Int, _ y: Int) -> Bool {
        if x == 6 || y == 6 { return true }
        if x < 9, y < 9 { return true }
        if x < 9, y >= side - 8 { return true }
        if x >= side - 8, y < 9 { return true }
        if version >= 7, x < 6 && y >= side - 11 || y < 6 && x >= side - 11 { return true }
        let corners = [(6, 6), (6, side - 7), (side - 7, 6)]
        return alignments.contains { cx in
            alignments.contains { cy in
                !corners.contains { $0 == (cx, cy) } && abs(x - cx) <= 2 && abs(y - cy) <= 2
            }
        }
    }

    private func isMasked(_ mask: Int, _ column: Int, _ row: Int) -> Bool {
        let (i, j) = (row, column)
        return switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: (i * j) % 2 + (i * j) % 3 == 0
        case 6: ((i * j) % 2 + (i * j) % 3) % 2 == 0
        default: ((i * j) % 3 + (i + j) % 2) % 2 == 0
        }
    }

    private func codewords(mask: Int) -> [UInt8] {
        var bits: [Bool] = []
        var columns: [Int] = []
        var column = side - 1
        while column > 0 {
            if column == 6 { column -= 1 }
            columns.append(column)
            column -= 2
        }
        for (index, right) in columns.enumerated() {
            let rows = index % 2 == 0 ? Array((0..<side).reversed()) : Array(0..<side)
            for y in rows {
                for x in [right, right - 1] where !isReserved(x, y) {
                    bits.append(modules[y][x] != isMasked(mask, x, y))
                }
            }
        }
        return stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 * 2 + ($1 ? 1 : 0) }
        }
    }

    /// Table 9 for the levels L (1) and M (0): blocks and their data codewords, the shorter group first.
    private func groups(level: Int) -> (correction: Int, lengths: [Int])? {
        let low: [Int: (Int, [(Int, Int)])] = [
            1: (7, [(1, 19)]), 2: (10, [(1, 34)]), 3: (15, [(1, 55)]), 4: (20, [(1, 80)]), 5: (26, [(1, 108)]),
            6: (18, [(2, 68)]), 7: (20, [(2, 78)]), 8: (24, [(2, 97)]), 9: (30, [(2, 116)]),
            10: (18, [(2, 68), (2, 69)]),
            11: (20, [(4, 81)]), 12: (24, [(2, 92), (2, 93)]), 13: (26, [(4, 107)]), 14: (30, [(3, 115), (1, 116)]),
            20: (28, [(3, 107), (5, 108)]),
        ]
        let medium: [Int: (Int, [(Int, Int)])] = [
            1: (10, [(1, 16)]), 2: (16, [(1, 28)]), 3: (26, [(1, 44)]), 4: (18, [(2, 32)]), 5: (24, [(2, 43)]),
            6: (16, [(4, 27)]), 7: (18, [(4, 31)]), 8: (22, [(2, 38), (2, 39)]), 9: (22, [(3, 36), (2, 37)]),
            10: (26, [(4, 43), (1, 44)]),
        ]
        guard let (correction, parts) = (level == 1 ? low : medium)[version] else { return nil }
        return (correction, parts.flatMap { Array(repeating: $1, count: $0) })
    }

    private func data(of stream: [UInt8], level: Int) -> [UInt8]? {
        guard let (correction, lengths) = groups(level: level) else { return nil }
        var blocks = [[UInt8]](repeating: [], count: lengths.count)
        var position = 0
        for offset in 0..<(lengths.max() ?? 0) {
            for block in lengths.indices where offset < lengths[block] {
                blocks[block].append(stream[position])
                position += 1
            }
        }
        let data = blocks.flatMap(\.self)
        for _ in 0..<correction {
            for block in blocks.indices {
                blocks[block].append(stream[position])
                position += 1
            }
        }
        return blocks.allSatisfy { isSound($0, correction: correction) } ? data : nil
    }

    /// A block is valid if its polynomial is zero at the first powers of 2.
    private func isSound(_ block: [UInt8], correction: Int) -> Bool {
        (0..<correction).allSatisfy { power in
            block.reduce(0) { multiply($0, Self.powers[power]) ^ Int($1) } == 0
        }
    }

    private func multiply(_ left: Int, _ right: Int) -> Int {
        left == 0 || right == 0 ? 0 : Self.powers[(Self.logarithms[left] + Self.logarithms[right]) % 255]
    }

    private static let powers: [Int] = {
        var value = 1
        return (0..<255).map { _ in
            defer {
                value *= 2
                if value > 255 { value ^= 0b1_0001_1101 }
            }
            return value
        }
    }()

    private static let logarithms: [Int] = {
        var table = [Int](repeating: 0, count: 256)
        for (power, value) in powers.enumerated() { table[value] = power }
        return table
    }()
}
