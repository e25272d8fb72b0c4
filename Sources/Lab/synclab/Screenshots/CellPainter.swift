import Foundation

/// Draws a character into its cell: letters from a font; lines, blocks, braille and a few signs from their geometry, so
/// that cells join without gaps.
struct CellPainter {
    /// The pixels of a cell.
    static let width = BitmapFont.width
    static let height = BitmapFont.height
    /// The samples in each direction of a pixel, for smoothing edges.
    private static let samples = 4

    /// Whether a point of the cell is covered; its coordinates are 0…1.
    private typealias Coverage = (_ x: Double, _ y: Double) -> Bool

    var picture: Picture

    /// Draws a cell.
    mutating func draw(_ cell: StyledCell, column: Int, row: Int) {
        let (left, top) = (column * Self.width, row * Self.height)
        let (ink, paper) = cell.colors
        for y in 0..<Self.height {
            for x in 0..<Self.width { picture[left + x, top + y] = paper }
        }
        guard let scalar = cell.text.unicodeScalars.first, scalar != " " else { return }
        if let coverage = Self.coverage(of: scalar) {
            fill(left, top, ink, paper, coverage)
        } else {
            let rows = BitmapFont.standard.rows(of: scalar, isBold: cell.isBold)
            for (y, bits) in rows.enumerated() {
                for x in 0..<Self.width where bits >> (Self.width - 1 - x) & 1 == 1 { picture[left + x, top + y] = ink }
            }
        }
        if cell.isUnderlined {
            for x in 0..<Self.width { picture[left + x, top + Self.height - 2] = ink }
        }
    }

    private mutating func fill(_ left: Int, _ top: Int, _ ink: RGB, _ paper: RGB, _ isCovered: Coverage) {
        let count = Self.samples
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                var hits = 0
                for part in 0..<count * count {
                    let sampleX = (Double(x) + (Double(part % count) + 0.5) / Double(count)) / Double(Self.width)
                    let sampleY = (Double(y) + (Double(part / count) + 0.5) / Double(count)) / Double(Self.height)
                    if isCovered(sampleX, sampleY) { hits += 1 }
                }
                guard hits > 0 else { continue }
                picture[left + x, top + y] = paper.mixed(with: ink, share: Double(hits) / Double(count * count))
            }
        }
    }

    // MARK: - Geometry

    /// The geometry of a character, nil for a letter.
    private static func coverage(of scalar: Unicode.Scalar) -> Coverage? {
        switch scalar.value {
        case 0x2500...0x257F: line(scalar.value)
        case 0x2580...0x259F: block(scalar.value)
        case 0x2800...0x28FF: braille(scalar.value - 0x2800)
        case 0x25CF: disc(inner: 0)
        case 0x25CB: disc(inner: 0.3)
        case 0x25B2: { x, y in (0.24...0.76).contains(y) && abs(x - 0.5) <= (y - 0.24) / 0.52 * 0.48 }
        case 0x25C6: { x, y in abs(x - 0.5) / 0.48 + abs(y - 0.5) / 0.28 <= 1 }
        default: nil
        }
    }

    /// A disc of the cell's width, or a ring.
    private static func disc(inner: Double) -> Coverage {
        { x, y in
            let (distanceX, distanceY) = (x - 0.5, (y - 0.5) * Double(height) / Double(width))
            let distance = (distanceX * distanceX + distanceY * distanceY).squareRoot()
            return distance <= 0.43 && distance >= inner
        }
    }

    /// Blocks: eighths from below or from the left, shades, quadrants.
    private static func block(_ code: UInt32) -> Coverage? {
        switch code {
        case 0x2580: { _, y in y < 0.5 }
        case 0x2581...0x2588: { _, y in y >= 1 - Double(code - 0x2580) / 8 }
        case 0x2589...0x258F: { x, _ in x < Double(0x2590 - code) / 8 }
        case 0x2590: { x, _ in x >= 0.5 }
        case 0x2591...0x2593:
            { x, y in
                let (column, row) = (Int(x * Double(width)), Int(y * Double(height)))
                return (column + row * 2) % 4 < Int(code - 0x2590)
            }
        case 0x2594: { _, y in y < 0.125 }
        case 0x2595: { x, _ in x >= 0.875 }
        default: quadrants(code)
        }
    }

    private static func quadrants(_ code: UInt32) -> Coverage? {
        // Bits: upper left 1, upper right 2, lower left 4, lower right 8.
        let masks: [Int] = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]
        let index = Int(code) - 0x2596
        guard masks.indices.contains(index) else { return nil }
        let mask = masks[index]
        return { x, y in mask >> ((x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)) & 1 == 1 }
    }

    /// Eight dots in two columns.
    private static func braille(_ bits: UInt32) -> Coverage {
        // The bits of the dots, row by row.
        let order: [UInt32] = [0, 3, 1, 4, 2, 5, 6, 7]
        return { x, y in
            let (column, row) = (x < 0.5 ? 0 : 1, min(3, Int(y * 4)))
            guard bits >> order[row * 2 + column] & 1 == 1 else { return false }
            let distanceX = (x - (column == 0 ? 0.25 : 0.75)) * Double(width)
            let distanceY = (y - (Double(row) + 0.5) / 4) * Double(height)
            return distanceX * distanceX + distanceY * distanceY <= 1.7 * 1.7
        }
    }

    // MARK: - Lines

    /// The arms of a line: up, right, down, left; 0 none, 1 light, 2 heavy.
    private static let arms: [UInt32: [Int]] = [
        0x2500: [0, 1, 0, 1], 0x2501: [0, 2, 0, 2], 0x2502: [1, 0, 1, 0], 0x2503: [2, 0, 2, 0],
        0x250C: [0, 1, 1, 0], 0x250F: [0, 2, 2, 0], 0x2510: [0, 0, 1, 1], 0x2513: [0, 0, 2, 2],
        0x2514: [1, 1, 0, 0], 0x2517: [2, 2, 0, 0], 0x2518: [1, 0, 0, 1], 0x251B: [2, 0, 0, 2],
        0x251C: [1, 1, 1, 0], 0x2523: [2, 2, 2, 0], 0x2524: [1, 0, 1, 1], 0x252B: [2, 0, 2, 2],
        0x252C: [0, 1, 1, 1], 0x2533: [0, 2, 2, 2], 0x2534: [1, 1, 0, 1], 0x253B: [2, 2, 0, 2],
        0x253C: [1, 1, 1, 1], 0x254B: [2, 2, 2, 2], 0x2574: [0, 0, 0, 1], 0x2575: [1, 0, 0, 0],
        0x2576: [0, 1, 0, 0], 0x2577: [0, 0, 1, 0], 0x2578: [0, 0, 0, 2], 0x2579: [2, 0, 0, 0],
        0x257A: [0, 2, 0, 0], 0x257B: [0, 0, 2, 0], 0x257C: [0, 2, 0, 1], 0x257E: [0, 1, 0, 2],
    ]

    private static func line(_ code: UInt32) -> Coverage? {
        let unit = 1.0
        switch code {
        case 0x256D...0x2570: return corner(code)
        case 0x2504, 0x2508, 0x254C: return dashes(isHorizontal: true)
        case 0x2506, 0x250A, 0x254E: return dashes(isHorizontal: false)
        default: break
        }
        guard let arms = arms[code] else { return nil }
        let half = arms.map { Double($0) * unit / 2 + ($0 == 2 ? 0.5 : 0) }
        return { x, y in
            let (pixelX, pixelY) = ((x - 0.5) * Double(width), (y - 0.5) * Double(height))
            // Each arm reaches into the crossing, so that corners are closed.
            let reach = half.max() ?? 0
            if arms[0] > 0, pixelY <= reach, abs(pixelX) <= half[0] { return true }
            if arms[1] > 0, pixelX >= -reach, abs(pixelY) <= half[1] { return true }
            if arms[2] > 0, pixelY >= -reach, abs(pixelX) <= half[2] { return true }
            return arms[3] > 0 && pixelX <= reach && abs(pixelY) <= half[3]
        }
    }

    /// A round corner: a quarter of a circle, and a straight piece to the edge.
    private static func corner(_ code: UInt32) -> Coverage {
        // Whether the arms go right and down.
        let (goesRight, goesDown) = (code == 0x256D || code == 0x2570, code == 0x256D || code == 0x256E)
        let radius = Double(width) / 2
        return { x, y in
            let pixelX = (x - 0.5) * Double(width) * (goesRight ? 1 : -1)
            let pixelY = (y - 0.5) * Double(height) * (goesDown ? 1 : -1)
            if pixelY > radius { return abs(pixelX) <= 0.5 }
            guard pixelX >= -0.5, pixelY >= -0.5 else { return false }
            let (distanceX, distanceY) = (pixelX - radius, pixelY - radius)
            return abs((distanceX * distanceX + distanceY * distanceY).squareRoot() - radius) <= 0.6
        }
    }

    private static func dashes(isHorizontal: Bool) -> Coverage {
        { x, y in
            let (along, across) = isHorizontal ? (x, (y - 0.5) * Double(height)) : (y, (x - 0.5) * Double(width))
            return abs(across) <= 0.5 && (along * 3).truncatingRemainder(dividingBy: 1) < 0.6
        }
    }
}
