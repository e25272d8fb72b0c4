import PoolModel

/// The large watch face: the assessment, four ring gauges, the last day of the worst quantity, and the notice line.
///
/// The glass has 44 × 20 cells; with a bezel around it the face has 46 × 22.
struct LargeFace: Sendable {
    static let glassSize = Size(columns: 44, rows: 20)
    static let bezelSize = Size(columns: 46, rows: 22)
    private static let gaugeSize = Size(columns: 21, rows: 8)

    private let glance: Glance
    private let look: ResolvedTheme
    private let headline: Headline
    private let notice: Notice
    private let message: String?
    private let glass: Rect
    /// The assessment in rows; empty where nothing is known.
    private let assessment: [String]
    private var buffer: CellBuffer

    private var theme: Theme { look.theme }
    /// The first column for text: the glass has one blank column at each side.
    private var textX: Int { glass.x + 1 }
    private var textColumns: Int { glass.size.columns - 2 }

    /// Draws the face of a glance.
    /// - Parameters:
    ///   - glance: What to show.
    ///   - look: How.
    ///   - picked: The quantity whose last day is shown; nil for the worst.
    ///   - message: The text in place of the notice line.
    ///   - hasBezel: Whether there is an edge around the glass.
    ///   - rings: The cache of ring pictures.
    /// - Returns: A buffer of the size of the glass, or of the bezel.
    static func draw(
        _ glance: Glance, look: ResolvedTheme, picked: Quantity? = nil, message: String? = nil, hasBezel: Bool,
        rings: inout RingCache
    ) -> CellBuffer {
        var face = LargeFace(glance, look: look, message: message, hasBezel: hasBezel)
        if hasBezel { face.drawBezel() }
        face.drawAssessment()
        face.drawHeader()
        let gauges = glance.faceGauges(atMost: 4)
        guard !gauges.isEmpty else {
            face.drawAdvice()
            return face.buffer
        }
        for (index, gauge) in gauges.enumerated() {
            face.drawGauge(gauge, at: index, rings: &rings)
        }
        let hasHistory = face.drawHistory(of: picked)
        face.drawNotice(rows: hasHistory ? 1 : 3 - face.assessment.count)
        return face.buffer
    }

    private init(_ glance: Glance, look: ResolvedTheme, message: String?, hasBezel: Bool) {
        let size = hasBezel ? Self.bezelSize : Self.glassSize
        let edge = hasBezel ? 1 : 0
        self.glance = glance
        self.look = look
        headline = Headline(glance)
        notice = look.notice(glance)
        self.message = message
        glass = Rect(x: edge, y: edge, columns: Self.glassSize.columns, rows: Self.glassSize.rows)
        assessment = Self.assessment(glance, look: look)
        buffer = CellBuffer(size, background: look.theme.background)
    }

    /// Draws the edge of the glass, with the crown and the side button of a watch.
    private mutating func drawBezel() {
        let whole = Rect(x: 0, y: 0, columns: buffer.size.columns, rows: buffer.size.rows)
        let ink = look.bezelInk(headline, isLinked: glance.link.isLinked)
        buffer.outline(whole, style: Style(ink), glyphs: look.outline)
        guard !look.isASCII else { return }
        for y in 5...7 { buffer.put("┃", x: whole.endX - 1, y: y, style: Style(theme.tertiaryText)) }
        for y in 11...13 { buffer.put("┃", x: whole.endX - 1, y: y, style: Style(theme.line)) }
    }

    /// The assessment in two rows at most, each of which moves the gauges down.
    private static func assessment(_ glance: Glance, look: ResolvedTheme) -> [String] {
        guard glance.beginsWithAssessment else { return [] }
        let (assessment, isNamed) = glance.shownAssessment
        return look.line(assessment, isNamed: isNamed).wrapped(columns: glassSize.columns - 2, lines: 2)
    }

    /// The number of rows of the assessment of a glance.
    static func assessmentRows(_ glance: Glance, look: ResolvedTheme) -> Int { assessment(glance, look: look).count }

    private mutating func drawAssessment() {
        let style = look.style(glance.shownAssessment.assessment)
        for (index, line) in assessment.enumerated() {
            buffer.write(line, x: textX, y: glass.y + index, style: style)
        }
    }

    /// Draws the name, the headline, the age, marks and the time of day; the name is shortened first.
    private mutating func drawHeader() {
        let clock = glance.clock.sanitized.fitted(columns: 8)
        let y = glass.y + assessment.count
        var end = textX + textColumns - clock.displayWidth
        buffer.write(clock, x: end, y: y, style: Style(theme.text, .bold))
        for mark in look.marks(glance, beside: notice).reversed() {
            end -= mark.text.displayWidth + 1
            buffer.write(mark.text, x: end, y: y, style: Style(mark.ink))
        }
        let age = headline.hasAge ? glance.ageSeconds.map(look.age) ?? "" : ""
        let words = "\(look.glyph(headline)) \(headline.word)"
        let fixed = words.displayWidth + age.displayWidth + 4
        let name = (glance.deviceName?.sanitized ?? "").fitted(columns: max(0, end - textX - fixed))
        var x = buffer.write(name, x: textX, y: y, style: Style(theme.text, .bold))
        if !name.isEmpty { x += 2 }
        x = buffer.write(words, x: x, y: y, style: Style(look.ink(headline), .bold))
        if x + 1 + age.displayWidth < end {
            buffer.write(age, x: x + 1, y: y, style: Style(theme.tertiaryText))
        }
    }

    // MARK: Gauges

    private mutating func drawGauge(_ gauge: Glance.Gauge, at index: Int, rings: inout RingCache) {
        let size = Self.gaugeSize
        let x = index % 2 == 0 ? glass.x : glass.endX - size.columns
        let y = glass.y + 1 + assessment.count + index / 2 * size.rows
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        if let rung = look.ringRung {
            let ring = Ring(gauge, scale: scale, look: look, size: size)
            rings.picture(ring, rung: rung).draw(on: &buffer, x: x, y: y)
        } else {
            drawBar(gauge, scale: scale, x: x, y: y + 2)
        }
        drawValue(gauge, x: x, y: y + 3)
        let former = FaceFormatter.former(gauge).first { $0.displayWidth <= size.columns - 5 }
        buffer.write(
            former ?? look.unit(gauge.quantity), x: x, y: y + 6, columns: size.columns, alignment: .center,
            style: Style(former == nil ? theme.secondaryText : look.ink(gauge.mark)))
        drawLabel(gauge, x: x, y: y + 7)
    }

    /// Draws a bar in place of a ring on an ASCII terminal.
    private mutating func drawBar(_ gauge: Glance.Gauge, scale: GaugeScale, x: Int, y: Int) {
        let mark = gauge.mark
        let columns = Self.gaugeSize.columns
        let band = mark.isOff ? theme.tint(.offline, 0.5) : theme.tint(.normal, 0.52)
        let bar = BulletBar(
            band: scale.bandFractions, trackStyle: Style(theme.track), bandStyle: Style(band))
        let style = Style(look.ink(mark), .bold)
        buffer.write("[", x: x + 1, y: y, style: Style(theme.tertiaryText))
        buffer.write("]", x: x + columns - 2, y: y, style: Style(theme.tertiaryText))
        bar.draw(
            on: &buffer, x: x + 2, y: y, columns: columns - 4, glyphs: .ascii,
            mark: gauge.shownValue.map { (scale.fraction($0), mark.isOld ? look.glyph(mark) : "#", style) })
    }

    /// Draws the value in large numerals, or as bold text if those do not fit inside the ring.
    private mutating func drawValue(_ gauge: Glance.Gauge, x: Int, y: Int) {
        let text = gauge.shownValue.map(gauge.quantity.text) ?? look.noValue
        let ink = look.valueInk(gauge.mark)
        let columns = Self.gaugeSize.columns
        if !look.isASCII, let width = BigNumerals.width(text), width <= 13 {
            BigNumerals.draw(
                text, on: &buffer, x: x + (columns - width) / 2, y: y, ink: ink, paintsCells: look.paintsCells)
        } else {
            buffer.write(
                text.fitted(columns: 15), x: x, y: y + 1, columns: columns, alignment: .center,
                style: Style(ink, .bold))
        }
    }

    /// Draws the sign, the name and the trend; on a coloured background when critical, so that it stands out also
    /// without colour.
    private mutating func drawLabel(_ gauge: Glance.Gauge, x: Int, y: Int) {
        let mark = gauge.mark
        let glyph = String(look.glyph(mark))
        let label = gauge.quantity.facts.gaugeLabel
        var arrow = ""
        // A trend describes the present; beside an old value it would mislead.
        if case .judged = mark, let trend = gauge.trend { arrow = " \(look.arrow(trend))" }
        let text = "\(glyph) \(label)\(arrow)"
        let left = x + (Self.gaugeSize.columns - text.displayWidth) / 2
        if mark == .judged(.critical) {
            let chip = look.banner(.critical)
            buffer.fill(Rect(x: left - 1, y: y, columns: text.displayWidth + 2, rows: 1), style: chip)
            buffer.write(text, x: left, y: y, style: chip)
            return
        }
        buffer.write(glyph, x: left, y: y, style: Style(look.ink(mark), .bold))
        let after = buffer.write(
            label, x: left + 2, y: y, style: Style(mark.isAlarming ? look.ink(mark) : theme.secondaryText, .bold))
        buffer.write(arrow, x: after, y: y, style: Style(theme.secondaryText))
    }

    /// Draws, where no quantity is known, why that is so.
    private mutating func drawAdvice() {
        let lines = (message ?? notice.text).wrapped(columns: textColumns, lines: 6)
        let y = glass.y + (glass.size.rows - lines.count) / 2
        let style = message == nil ? look.style(notice.kind) : Style(theme.text, .bold)
        for (index, line) in lines.enumerated() {
            buffer.write(line, x: textX, y: y + index, columns: textColumns, alignment: .center, style: style)
        }
        if let hint = notice.hints.first(where: { $0.displayWidth <= textColumns }) {
            buffer.write(
                hint, x: textX, y: glass.endY - 1, columns: textColumns, alignment: .trailing,
                style: Style(theme.secondaryText))
        }
    }

    // MARK: Bottom

    /// Draws the last day of the picked or the worst quantity, each column in the colour of its status, in the rows that the
    /// assessment leaves.
    /// - Returns: Whether there was anything to draw.
    private mutating func drawHistory(of picked: Quantity?) -> Bool {
        let rows = 2 - assessment.count
        guard rows > 0 else { return false }
        let area = Rect(x: textX + 13, y: glass.endY - 1 - rows, columns: textColumns - 13, rows: rows)
        let worst = picked ?? glance.alarmingGauges.first?.quantity ?? .temperature
        let shown = glance.measuredGauges.filter { $0.shownValue != nil }
        let gauge = shown.first { $0.quantity == worst } ?? shown.first
        guard let gauge else { return false }
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        guard let line = Sparkline(history: gauge.history, columns: area.size.columns, scale: scale.range)
        else { return false }
        buffer.write(
            "\(gauge.quantity.facts.gaugeLabel) 24h", x: textX, y: area.endY - 1, columns: 12, alignment: .leading,
            style: Style(theme.tertiaryText))
        let (look, mark, limits) = (look, gauge.mark, gauge.limits)
        func ink(_ value: Double, _ isNewest: Bool) -> AdaptiveColor {
            look.historyInk(limits.judge(value).status, mark: mark, isNewest: isNewest)
        }
        if look.isASCII {
            line.drawASCII(on: &buffer, x: area.x, y: area.endY - 1) { ink($0, false) }
        } else {
            line.draw(on: &buffer, in: area, paintsCells: look.paintsCells, ink: ink)
        }
        return true
    }

    /// Draws the notice line; a longer text uses the rows above it if there is no history.
    private mutating func drawNotice(rows: Int) {
        let bottom = glass.endY - 1
        if let message {
            let line = "\(look.bullet) \(message)".fitted(columns: textColumns)
            buffer.write(line, x: textX, y: bottom, style: Style(theme.text, .bold))
            return
        }
        let hint = notice.hint(columns: textColumns - 2)
        let style = look.style(notice.kind)
        var sign = ""
        var hintStyle = Style(theme.secondaryText)
        switch notice.kind {
        case .alarm(let status):
            hintStyle = style
            sign = "\(look.glyph(status)) "
            buffer.fill(Rect(x: glass.x, y: bottom, columns: glass.size.columns, rows: 1), style: style)
        case .calm, .news: sign = "\(look.bullet) "
        case .outdated, .problem, .refusal: break
        }
        let hintColumns = hint.isEmpty ? 0 : hint.displayWidth + 2
        let lines = (sign + notice.text).wrapped(columns: textColumns - hintColumns, lines: rows)
        for (index, line) in lines.enumerated() {
            buffer.write(line, x: textX, y: bottom - lines.count + 1 + index, style: style)
        }
        buffer.write(hint, x: textX, y: bottom, columns: textColumns, alignment: .trailing, style: hintStyle)
    }
}

extension LargeFace {
    /// The part of the face at a cell of the glass.
    ///
    /// - Parameters:
    ///   - x: The column.
    ///   - y: The row.
    ///   - assessmentRows: The number of rows of the assessment.
    ///   - quantities: The gauges, in order.
    /// - Returns: The part; nil beside all of them.
    static func place(x: Int, y: Int, assessmentRows: Int, quantities: [Quantity]) -> WatchPlace? {
        guard (0..<glassSize.columns).contains(x), y >= 0 else { return nil }
        let isRight = x >= glassSize.columns / 2
        switch y == glassSize.rows - 1 ? y : max(0, y - assessmentRows) {
        case 0: return .header
        case 1...16:
            let index = (y - assessmentRows > 8 ? 2 : 0) + (isRight ? 1 : 0)
            return quantities.indices.contains(index) ? .gauge(quantities[index]) : nil
        case 17, 18: return .history
        case 19: return .notice
        default: return nil
        }
    }
}
