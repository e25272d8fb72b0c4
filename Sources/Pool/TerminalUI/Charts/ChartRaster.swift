import PoolModel

/// A line as dots, several in a cell, with the worst status of each cell.
struct ChartRaster: Sendable {
    /// The number of dots in a cell.
    enum Grain: Sendable {
        /// Two by four dots, as braille has.
        case braille
        /// One dot, as ASCII has.
        case whole

        var columns: Int { self == .braille ? 2 : 1 }
        var rows: Int { self == .braille ? 4 : 1 }
    }

    /// A cell with at least one dot.
    struct Cell: Equatable, Sendable {
        var dots: UInt8 = 0
        var status = Status.normal
    }

    let grain: Grain
    let columns: Int
    let rows: Int
    /// The cells row by row.
    private(set) var cells: [Cell?]

    /// The means of each column of dots, nil for a gap.
    private(set) var means: [Double?]

    /// Draws points with a scale: a line through the means, and the whole span of each column of dots.
    init(
        _ points: [TimeSeries.Point], scale: ChartScale, limits: Limits, columns: Int, rows: Int, grain: Grain,
        isRaw: Bool = false
    ) {
        self.grain = grain
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: nil, count: columns * rows)
        let width = columns * grain.columns
        var spans = [Span?](repeating: nil, count: width)
        for point in points {
            guard let column = scale.column(point.start, of: width) else { continue }
            let span = isRaw ? Span(raw: point) : Span(point)
            guard let span else { continue }
            spans[column] = spans[column].map { $0.joined(span) } ?? span
        }
        means = spans.map { $0?.mean }
        var last: (column: Int, row: Int)?
        for (column, span) in spans.enumerated() {
            guard let span, let row = scale.row(span.mean, of: rows * grain.rows) else { continue }
            let status = limits.judge(span.mean).status
            let previous = span.isAfterGap ? nil : last
            line(from: previous ?? (column, row), to: (column, row), status: status)
            if !isRaw { extent(of: span, at: column, scale: scale, limits: limits) }
            last = (column, row)
        }
    }

    private struct Span {
        var least: Double
        var greatest: Double
        var sum: Double
        var count: Double
        var isAfterGap: Bool

        var mean: Double { sum / count }

        init?(_ point: TimeSeries.Point) {
            guard point.mean.isFinite, abs(point.mean) < 1e12 else { return nil }
            least = point.least.isFinite ? point.least : point.mean
            greatest = point.greatest.isFinite ? point.greatest : point.mean
            count = Double(max(1, point.count))
            sum = point.mean * count
            isAfterGap = point.isAfterGap
        }

        init?(raw point: TimeSeries.Point) {
            guard let raw = point.rawMean else { return nil }
            var flat = point
            flat.mean = raw
            flat.least = raw
            flat.greatest = raw
            self.init(flat)
        }

        /// The union of both; a gap inside a column is too small to show.
        func joined(_ other: Span) -> Span {
            var joined = self
            joined.least = min(least, other.least)
            joined.greatest = max(greatest, other.greatest)
            joined.sum += other.sum
            joined.count += other.count
            return joined
        }
    }

    private mutating func line(from start: (column: Int, row: Int), to end: (column: Int, row: Int), status: Status) {
        let steps = max(abs(end.column - start.column), abs(end.row - start.row))
        for step in 0...steps {
            let fraction = steps == 0 ? 1 : Double(step) / Double(steps)
            let column = start.column + Int((Double(end.column - start.column) * fraction).rounded())
            let row = start.row + Int((Double(end.row - start.row) * fraction).rounded())
            set(column, row, status)
            // Two dots high, so that a level line is visible from a distance.
            if grain == .braille { set(column, row + 1 < rows * 4 ? row + 1 : row - 1, status) }
        }
    }

    /// Draws from the minimum to the maximum, each dot with the status of its own value: the mean may be good although
    /// the water was bad for a moment.
    private mutating func extent(of span: Span, at column: Int, scale: ChartScale, limits: Limits) {
        let height = rows * grain.rows
        guard let top = scale.row(span.greatest, of: height), let bottom = scale.row(span.least, of: height),
            top <= bottom
        else { return }
        for row in top...bottom {
            let share = top == bottom ? 0.5 : Double(row - top) / Double(bottom - top)
            let value = span.greatest + (span.least - span.greatest) * share
            set(column, row, limits.judge(value).status)
        }
    }

    private mutating func set(_ column: Int, _ row: Int, _ status: Status) {
        guard column >= 0, row >= 0, column < columns * grain.columns, row < rows * grain.rows else { return }
        let index = row / grain.rows * columns + column / grain.columns
        var cell = cells[index] ?? Cell()
        cell.dots |= grain == .braille ? Self.bit(column % 2, row % 4) : 1
        if status != .offline { cell.status = max(cell.status, status) }
        cells[index] = cell
    }

    /// The bit of a braille dot: the left column counts 1, 2, 4, 64 downwards, the right one 8, 16, 32, 128.
    private static func bit(_ x: Int, _ y: Int) -> UInt8 {
        let left: [UInt8] = [1, 2, 4, 64]
        let right: [UInt8] = [8, 16, 32, 128]
        return x == 0 ? left[y] : right[y]
    }
}
