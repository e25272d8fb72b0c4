/// The modules of a QR code while they are drawn.
struct QRCanvas: Sendable {
    let side: Int
    package private(set) var modules: [Bool]
    /// The modules that contain no data; the mask is not applied to them.
    private var isFixed: [Bool]
    private let version: Int

    init(version: Int, codewords: [UInt8]) {
        self.version = version
        side = 17 + 4 * version
        modules = Array(repeating: false, count: side * side)
        isFixed = Array(repeating: false, count: side * side)
        drawTiming()
        for (column, row) in [(3, 3), (side - 4, 3), (3, side - 4)] { drawFinder(column, row) }
        drawAlignments()
        drawVersion()
        // This keeps its modules free of data; the bits are drawn with the mask.
        drawFormat(.low, mask: 0)
        drawData(codewords)
    }

    private mutating func fix(_ column: Int, _ row: Int, _ isDark: Bool) {
        guard column >= 0, row >= 0, column < side, row < side else { return }
        modules[row * side + column] = isDark
        isFixed[row * side + column] = true
    }

    // MARK: Fixed parts

    private mutating func drawTiming() {
        for index in 0..<side {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
    }

    private mutating func drawFinder(_ column: Int, _ row: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                let distance = max(abs(dx), abs(dy))
                fix(column + dx, row + dy, distance != 2 && distance != 4)
            }
        }
    }

    private var alignmentPlaces: [Int] {
        guard version >= 2 else { return [] }
        let count = version / 7 + 2
        let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { side - 7 - $0 * step }.reversed()
    }

    private mutating func drawAlignments() {
        let places = alignmentPlaces
        for (i, row) in places.enumerated() {
            for (j, column) in places.enumerated() {
                let last = places.count - 1
                // Three of the corners have finder patterns.
                if (i == 0 && (j == 0 || j == last)) || (i == last && j == 0) { continue }
                for dy in -2...2 {
                    for dx in -2...2 { fix(column + dx, row + dy, max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        var remainder = version
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version << 12 | remainder
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            fix(side - 11 + index % 3, index / 3, isDark)
            fix(index / 3, side - 11 + index % 3, isDark)
        }
    }

    /// Draws the format, which names error correction and mask, twice.
    mutating func drawFormat(_ correction: QRCode.Correction, mask: Int) {
        let data = correction.bits << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (data << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(8, index, bit(index)) }
        fix(8, 7, bit(6))
        fix(8, 8, bit(7))
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(side - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, side - 15 + index, bit(index)) }
        fix(8, side - 8, true)
    }

    // MARK: Data

    /// Draws the data upwards and downwards in pairs of columns, from the right, without the column of the timing
    /// pattern.
    private mutating func drawData(_ codewords: [UInt8]) {
        var index = 0
        var right = side - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            for step in 0..<side {
                let isUpward = (right + 1) & 2 == 0
                let row = isUpward ? side - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * side + column] && index < codewords.count * 8 {
                    modules[row * side + column] = codewords[index >> 3] >> UInt8(7 - index & 7) & 1 == 1
                    index += 1
                }
            }
            right -= 2
        }
    }

    mutating func apply(mask: Int) {
        for row in 0..<side {
            for column in 0..<side where !isFixed[row * side + column] {
                if Self.isInverted(mask, column, row) { modules[row * side + column].toggle() }
            }
        }
    }

    private static func isInverted(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    // MARK: Penalty

    /// How hard the code is to read: long runs, squares, patterns like a finder, and too much of one colour.
    var penalty: Int {
        var sum = 0
        for line in 0..<side {
            sum += Self.penalty((0..<side).map { modules[line * side + $0] })
            sum += Self.penalty((0..<side).map { modules[$0 * side + line] })
        }
        for row in 0..<side - 1 {
            for column in 0..<side - 1 {
                let first = modules[row * side + column]
                if first == modules[row * side + column + 1], first == modules[(row + 1) * side + column],
                    first == modules[(row + 1) * side + column + 1]
                {
                    sum += 3
                }
            }
        }
        let dark = modules.count(where: \.self)
        return sum + abs(dark * 20 - side * side * 10) / (side * side) * 10
    }

    private static func penalty(_ line: [Bool]) -> Int {
        var sum = 0
        var run = 1
        for index in 1..<line.count {
            run = line[index] == line[index - 1] ? run + 1 : 1
            if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
        }
        let finder = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        for start in 0...max(0, line.count - 11) where line.count >= 11 {
            let part = Array(line[start..<start + 11])
            if part == finder + light || part == light + finder { sum += 40 }
        }
        return sum
    }
}
