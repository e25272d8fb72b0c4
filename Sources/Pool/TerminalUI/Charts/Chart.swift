import PoolModel

/// Draws a quantity over time, as a line on its safe band.
///
/// The picture depends only on the input; a time without samples stays empty.
struct Chart: Sendable {
    /// The data; nil before it was fetched.
    var series: TimeSeries?
    var quantity: Quantity
    /// The limits of the band.
    var limits: Limits
    var navigator: ChartNavigator
    var now: Timestamp
    /// How far local time is ahead of UTC, in seconds.
    var utcOffsetSeconds = 0
    /// The present gauge of the quantity; its value is the end of a chart that ends now.
    ///
    /// The points are summaries, and some of them may have been fetched some time ago.
    var gauge: Glance.Gauge?

    private var window: ClosedRange<Timestamp> { navigator.window(now: now) }

    /// The points to show; none while the data is that of another chart.
    private var points: [TimeSeries.Point] {
        guard let series, series.quantity == quantity else { return [] }
        guard let newest else { return series.points }
        return series.points.filter { $0.start <= newest.start } + [newest]
    }

    /// The newest value as a point; nil if its time is not known or not in the chart.
    private var newest: TimeSeries.Point? {
        guard navigator.end == nil, let value = gauge?.shownValue, let age = gauge?.ageSeconds else { return nil }
        let moment = now.advanced(byMilliseconds: -1000 * Int64(age))
        guard window.contains(moment) else { return nil }
        return TimeSeries.Point(start: moment, least: value, greatest: value, mean: value)
    }

    /// The newest value and its status; nil if it is not in the chart.
    var newestValue: (value: Double, mark: GaugeMark)? {
        guard let newest, let gauge else { return nil }
        return (newest.mean, gauge.mark)
    }

    private var scale: ChartScale? {
        ChartScale(
            points, limits: limits, window: window, showsRaw: navigator.showsRaw, isFitted: navigator.isFitted)
    }

    /// The columns for the labels of values.
    static let gutter = 8

    /// The area of the line inside of a rectangle.
    static func plot(in rect: Rect) -> Rect {
        let left = rect.size.columns >= 24 ? gutter : 0
        let bottom = rect.size.rows >= 4 ? 1 : 0
        return Rect(
            x: rect.x + left, y: rect.y, columns: rect.size.columns - left, rows: rect.size.rows - bottom)
    }

    /// Draws the chart into a rectangle of any size.
    func draw(on buffer: inout CellBuffer, in rect: Rect, look: ResolvedTheme) {
        let plot = Self.plot(in: rect)
        guard plot.size.columns > 0, plot.size.rows > 0 else { return }
        guard let scale else {
            drawNothing(on: &buffer, in: plot, look: look)
            return
        }
        drawBand(on: &buffer, in: plot, scale: scale, look: look)
        let grain: ChartRaster.Grain = look.isASCII ? .whole : .braille
        let (columns, rows) = (plot.size.columns, plot.size.rows)
        if navigator.showsRaw {
            let raw = ChartRaster(
                points, scale: scale, limits: limits, columns: columns, rows: rows, grain: grain, isRaw: true)
            draw(raw, on: &buffer, in: plot, look: look) { _ in look.theme.tertiaryText }
        }
        let line = ChartRaster(points, scale: scale, limits: limits, columns: columns, rows: rows, grain: grain)
        drawGaps(of: line, on: &buffer, in: plot, look: look)
        draw(line, on: &buffer, in: plot, look: look) { look.theme.ink($0) }
        drawCursor(on: &buffer, in: plot, scale: scale, line: line, look: look)
        drawNewest(on: &buffer, in: plot, scale: scale, look: look)
        if plot.x > rect.x { drawValueLabels(on: &buffer, in: rect, plot: plot, scale: scale, look: look) }
        if plot.endY < rect.endY { drawTimeLabels(on: &buffer, in: plot, y: plot.endY, look: look) }
    }

    /// The text of the reading at the cursor; nil without a cursor or without a sample near it.
    func reading() -> String? {
        guard let cursor = navigator.cursor else { return nil }
        let time = ClockText(cursor, utcOffsetSeconds: utcOffsetSeconds).dayAndMinute
        guard let point = nearest(to: cursor) else { return "\(time)  no data" }
        var text = "\(time)  \(quantity.textWithUnit(point.mean))"
        if point.count > 1, point.least < point.greatest {
            text += " (\(quantity.text(point.least))–\(quantity.text(point.greatest)))"
        }
        if navigator.showsRaw, let raw = point.rawMean { text += " raw \(quantity.text(raw))" }
        return text
    }

    /// The point with the nearest time, if it is within a thirtieth of the window.
    private func nearest(to moment: Timestamp) -> TimeSeries.Point? {
        func distance(_ point: TimeSeries.Point) -> UInt64 {
            let middle = (series?.bucketMilliseconds ?? 0) / 2
            return point.start.advanced(byMilliseconds: middle).milliseconds(since: moment).magnitude
        }
        let limit = UInt64(navigator.range.milliseconds / 30)
        return points.min { distance($0) < distance($1) }.flatMap { distance($0) <= limit ? $0 : nil }
    }

    // MARK: Line

    private func draw(
        _ raster: ChartRaster, on buffer: inout CellBuffer, in plot: Rect, look: ResolvedTheme,
        ink: (Status) -> AdaptiveColor
    ) {
        for row in 0..<raster.rows {
            for column in 0..<raster.columns {
                guard let cell = raster.cells[row * raster.columns + column] else { continue }
                let character: Character
                if look.isASCII {
                    character = "*"
                } else {
                    character = Unicode.Scalar(0x2800 + UInt32(cell.dots)).map { Character($0) } ?? "*"
                }
                buffer.put(character, x: plot.x + column, y: plot.y + row, style: Style(ink(cell.status)))
            }
        }
    }

    /// Draws the newest value with the sign of its status or of its age, if the chart ends now.
    private func drawNewest(on buffer: inout CellBuffer, in plot: Rect, scale: ChartScale, look: ResolvedTheme) {
        guard let newest, let mark = gauge?.mark, let column = scale.column(newest.start, of: plot.size.columns),
            let row = scale.row(newest.mean, of: plot.size.rows)
        else { return }
        buffer.put(look.glyph(mark), x: plot.x + column, y: plot.y + row, style: Style(look.ink(mark), .bold))
    }

    private func drawCursor(
        on buffer: inout CellBuffer, in plot: Rect, scale: ChartScale, line: ChartRaster, look: ResolvedTheme
    ) {
        guard let cursor = navigator.cursor, let column = scale.column(cursor, of: plot.size.columns) else { return }
        for row in 0..<plot.size.rows where line.cells[row * line.columns + column] == nil {
            buffer.put(
                look.isASCII ? "|" : "│", x: plot.x + column, y: plot.y + row, style: Style(look.theme.accent))
        }
    }

    // MARK: Band and gaps

    private func drawBand(on buffer: inout CellBuffer, in plot: Rect, scale: ChartScale, look: ResolvedTheme) {
        let rows = plot.size.rows
        let top = scale.row(min(limits.high, scale.values.upperBound), of: rows)
        let bottom = scale.row(max(limits.low, scale.values.lowerBound), of: rows)
        guard limits.isOrdered, let top, let bottom, top <= bottom else { return }
        if look.capabilities.depth >= .indexed256 {
            let band = Rect(x: plot.x, y: plot.y + top, columns: plot.size.columns, rows: bottom - top + 1)
            buffer.fill(band, style: Style(.terminalDefault, on: look.bandInk))
            return
        }
        for (limit, row) in [(limits.high, top), (limits.low, bottom)] where scale.values.contains(limit) {
            for column in stride(from: 0, to: plot.size.columns, by: 2) {
                buffer.put(
                    look.isASCII ? "-" : "·", x: plot.x + column, y: plot.y + row,
                    style: Style(look.theme.tertiaryText))
            }
        }
    }

    /// Labels wide gaps between two parts of the line.
    private func drawGaps(of line: ChartRaster, on buffer: inout CellBuffer, in plot: Rect, look: ResolvedTheme) {
        let filled = (0..<line.columns).map { column in
            (0..<line.rows).contains { line.cells[$0 * line.columns + column] != nil }
        }
        var start = 0
        for column in 0...line.columns where column == line.columns || filled[column] {
            let length = column - start
            if length >= 12, start > 0, column < line.columns {
                buffer.write(
                    "silent", x: plot.x + start, y: plot.y + plot.size.rows / 2, columns: length, alignment: .center,
                    style: Style(look.theme.tertiaryText))
            }
            start = column + 1
        }
    }

    private func drawNothing(on buffer: inout CellBuffer, in plot: Rect, look: ResolvedTheme) {
        let text = series == nil ? "loading…" : "no data in this time"
        buffer.write(
            text, x: plot.x, y: plot.y + (plot.size.rows - 1) / 2, columns: plot.size.columns, alignment: .center,
            style: Style(look.theme.tertiaryText))
    }
}

extension ResolvedTheme {
    /// The background of the safe band.
    var bandInk: AdaptiveColor {
        var ink = panelsGround.mixed(with: theme.ink(.normal), amount: theme.appearance == .dark ? 0.13 : 0.1)
        ink.indexed = theme.appearance == .dark ? 235 : 254
        return ink
    }
}
