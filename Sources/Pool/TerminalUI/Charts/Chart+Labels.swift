import PoolModel

extension Chart {
    /// Draws labels at the newest value and at the band's edges; a label that would cover a more important one is left
    /// out.
    func drawValueLabels(
        on buffer: inout CellBuffer, in rect: Rect, plot: Rect, scale: ChartScale, look: ResolvedTheme
    ) {
        var labels: [(value: Double, style: Style)] = []
        if let (value, mark) = newestValue { labels.append((value, Style(look.ink(mark), .bold))) }
        if limits.isOrdered {
            let edge = Style(look.theme.legibleTint(.normal, 0.7))
            labels += [(limits.high, edge), (limits.low, edge)]
        }
        if labels.allSatisfy({ scale.row($0.value, of: plot.size.rows) == nil }) {
            let quiet = Style(look.theme.tertiaryText)
            labels += [(scale.values.upperBound, quiet), (scale.values.lowerBound, quiet)]
        }
        var taken: Set<Int> = []
        for (value, style) in labels {
            guard let row = scale.row(value, of: plot.size.rows), taken.insert(row).inserted else { continue }
            buffer.write(
                quantity.text(value), x: rect.x, y: plot.y + row, columns: Self.gutter - 1, alignment: .trailing,
                style: style)
        }
    }

    /// Draws times below the line: how long ago if the chart ends now, else the times of day or the days.
    func drawTimeLabels(on buffer: inout CellBuffer, in plot: Rect, y: Int, look: ResolvedTheme) {
        let window = navigator.window(now: now)
        let style = Style(look.theme.tertiaryText)
        let labels = navigator.range.ticks.map { tick -> (x: Int, text: String) in
            let text = navigator.end == nil ? tick.text : label(window.upperBound.advanced(byMilliseconds: -tick.back))
            let part = 1 - Double(tick.back) / Double(navigator.range.milliseconds)
            let centre = plot.x + Int((Double(plot.size.columns - 1) * part).rounded())
            let x = max(plot.x, min(plot.endX - text.displayWidth, centre - text.displayWidth / 2))
            return (x, text)
        }
        // Backwards from now, so that the newest time always has its label.
        var free = plot.endX
        for (x, text) in labels where x + text.displayWidth <= free && x + text.displayWidth <= plot.endX {
            buffer.write(text, x: x, y: y, style: style, limit: plot.endX - x)
            free = x - 2
        }
    }

    private func label(_ moment: Timestamp) -> String {
        let clock = ClockText(moment, utcOffsetSeconds: utcOffsetSeconds)
        return switch navigator.range {
        case .hour, .sixHours: clock.minute
        case .day: clock.dayAndMinute
        case .week, .month: clock.day
        case .year: clock.date
        }
    }
}

extension ChartRange {
    /// The labelled times, backwards from now: how far back each is, in milliseconds, and its text.
    fileprivate var ticks: [(back: Int64, text: String)] {
        let (unit, sign, steps): (Int64, String, [Int64]) =
            switch self {
            case .hour: (60_000, "m", [15, 30, 45, 60])
            case .sixHours: (3_600_000, "h", [2, 4, 6])
            case .day: (3_600_000, "h", [6, 12, 18, 24])
            case .week: (86_400_000, "d", [1, 2, 3, 4, 5, 6, 7])
            case .month: (86_400_000, "d", [7, 14, 21, 28])
            case .year: (365 * 7_200_000, "mo", [3, 6, 9, 12])
            }
        return [(0, "now")] + steps.map { ($0 * unit, "-\($0)\(sign)") }
    }
}
