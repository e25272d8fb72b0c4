import PoolModel

/// The face for sizes in which the large one does not fit: a list, a few lines or one line of whole fields.
///
/// The freshness comes first, so that it is shown in any size. A field is shown completely or not at all.
enum SummaryFace {
    /// How much detail a face shows; less in a smaller size.
    private enum Detail: CaseIterable {
        /// Words, units, trends and the time of day.
        case full
        /// Short words, units.
        case short
        /// Only the sign for a fresh headline, and the values.
        case least
    }

    /// A piece of text that is not broken.
    private struct Field {
        var runs: [(text: String, style: Style)]

        var columns: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }

        init(_ runs: (text: String, style: Style)...) { self.runs = runs }
    }

    /// Draws the face into a size, however small.
    static func draw(_ glance: Glance, look: ResolvedTheme, size: Size, message: String? = nil) -> CellBuffer {
        var buffer = CellBuffer(size, background: look.theme.background)
        for detail in Detail.allCases {
            let fields = fields(glance, look: look, detail: detail, columns: size.columns)
            let isLast = detail == .least
            if let places = arrange(fields, in: size, mayDrop: isLast) {
                for (field, x, y) in places { write(field, on: &buffer, x: x, y: y) }
                break
            }
        }
        if let message {
            let y = size.rows - 1
            buffer.fill(Rect(x: 0, y: y, columns: size.columns, rows: 1), style: Style(look.theme.text))
            buffer.write(message.fitted(columns: size.columns), x: 0, y: y, style: Style(look.theme.text, .bold))
        }
        return buffer
    }

    private static func write(_ field: Field, on buffer: inout CellBuffer, x: Int, y: Int) {
        var column = x
        for (text, style) in field.runs {
            column = buffer.write(text, x: column, y: y, style: style)
        }
    }

    // MARK: Layout

    /// Places fields one below the other or, if there are more fields than rows, side by side.
    ///
    /// Nil if not all of them fit, unless fields may be left out.
    private static func arrange(
        _ fields: [Field], in size: Size, mayDrop: Bool
    ) -> [(field: Field, x: Int, y: Int)]? {
        if fields.count <= size.rows, fields.allSatisfy({ $0.columns <= size.columns }) {
            return fields.enumerated().map { ($0.element, 0, $0.offset) }
        }
        var places: [(Field, Int, Int)] = []
        var (x, y) = (0, 0)
        for field in fields {
            if x > 0, x + 2 + field.columns > size.columns { (x, y) = (0, y + 1) }
            if x > 0 { x += 2 }
            guard y < size.rows, x + field.columns <= size.columns else {
                if mayDrop { continue }
                return nil
            }
            places.append((field, x, y))
            x += field.columns
        }
        return places
    }

    // MARK: Fields

    private static func fields(_ glance: Glance, look: ResolvedTheme, detail: Detail, columns: Int) -> [Field] {
        let theme = look.theme
        var fields = [headlineField(glance, look: look, detail: detail, columns: columns)]
        for (text, ink) in problems(glance, look: look, detail: detail, columns: columns) {
            fields.append(Field((text, Style(ink))))
        }
        if detail != .least, let name = glance.deviceName?.sanitized.nonEmpty {
            fields.append(Field((name.fitted(columns: min(columns, 24)), Style(theme.text, .bold))))
        }
        let gauges = glance.faceGauges().filter { $0.mark != .missing || detail == .full }
        // If fields may have to be left out, the worst values come first.
        let alarming = glance.alarmingGauges
        let sorted = alarming + gauges.filter { !alarming.contains($0) }
        fields += (detail == .least ? sorted : gauges).map { gaugeField($0, look: look, detail: detail) }
        if detail == .full, let clock = glance.clock.sanitized.nonEmpty {
            fields.append(Field((clock, Style(theme.secondaryText))))
        }
        return fields
    }

    /// The headline in the longest form that fits, down to the sign alone.
    private static func headlineField(_ glance: Glance, look: ResolvedTheme, detail: Detail, columns: Int) -> Field {
        let headline = Headline(glance)
        let style = Style(look.ink(headline), .bold)
        let sign = Field((String(look.glyph(headline)), style))
        let words = Field((String(look.glyph(headline)) + " \(headline.word)", style))
        var aged = words
        if headline.hasAge, let age = glance.ageSeconds {
            aged.runs.append((" \(look.age(age))", Style(look.theme.tertiaryText)))
        }
        // A fresh headline may be shortened to its sign; one that is not fresh only if nothing else fits.
        if detail == .least, headline.isFresh { return sign }
        return [aged, words].first { $0.columns <= columns } ?? sign
    }

    /// Problems that the headline and the gauges do not show, in lines that fit.
    private static func problems(
        _ glance: Glance, look: ResolvedTheme, detail: Detail, columns: Int
    ) -> [(text: String, ink: AdaptiveColor)] {
        let notice = look.notice(glance)
        let ink = look.style(notice.kind).foreground
        var marks = look.marks(glance, beside: notice).map { ($0.text, $0.ink) }
        if detail == .least { marks.removeAll { $0.0 != "no link" } }
        switch notice.kind {
        case .alarm, .calm: return marks
        case .outdated, .problem, .refusal, .news: break
        }
        let headline = Headline(glance)
        if glance.link == .linked, [.stale, .offline, .lastKnown, .noReading].contains(headline) { return marks }
        switch detail {
        case .full: return notice.text.wrapped(columns: columns, lines: 3).map { ($0, ink) }
        case .short: return [([notice.text, notice.brief].first { $0.displayWidth <= columns } ?? notice.brief, ink)]
        case .least: return (headline.hasAge || headline.isFormer) && glance.link != .linked ? [("no link", ink)] : []
        }
    }

    private static func gaugeField(_ gauge: Glance.Gauge, look: ResolvedTheme, detail: Detail) -> Field {
        let (quantity, mark) = (gauge.quantity, gauge.mark)
        let value = gauge.shownValue.map(quantity.text) ?? look.noValue
        let valueStyle = Style(look.valueInk(mark), .bold)
        let quiet = Style(look.theme.secondaryText)
        let sign = "\(look.glyph(mark))"
        let signStyle = Style(look.ink(mark), .bold)
        if detail == .full {
            let unit = quantity.unit.isEmpty || mark == .missing ? "" : " \(look.unit(quantity))"
            var arrow = ""
            if case .judged = mark, let trend = gauge.trend { arrow = " \(look.arrow(trend))" }
            return Field(
                ("\(sign) ", signStyle), ("\(quantity.name) ", quiet), (value, valueStyle), (unit + arrow, quiet),
                (FaceFormatter.former(gauge).dropFirst().first.map { " \($0)" } ?? "", signStyle))
        }
        let degree = quantity == .temperature && !look.isASCII ? "°" : ""
        let unit = detail == .short && quantity.facts.alwaysHasUnit ? " \(quantity.unit)" : ""
        let name = quantity.facts.shortName.isEmpty ? "" : "\(quantity.facts.shortName) "
        let shownSign = mark == .judged(.normal) ? "" : sign
        return Field((shownSign, signStyle), (name, quiet), (value, valueStyle), (degree + unit, quiet))
    }
}
