import PoolModel

/// The compact watch face: the assessment, a header, a value and a bar for each quantity, and the notice line.
///
/// It needs 24 × 10 cells and grows to 40 columns and 15 rows: with more room, the bars are longer, names are written
/// in full, and blank rows are added.
struct CompactFace: Sendable {
    static let minimumSize = Size(columns: 24, rows: 10)
    fileprivate static let maximumColumns = 40
    fileprivate static let airyRows = 15
    /// The least width for full names.
    private static let fullNameColumns = 32

    private let glance: Glance
    private let look: ResolvedTheme
    private let headline: Headline
    private let notice: Notice
    private let message: String?
    private let isAiry: Bool
    /// Whether the first row is the assessment; it moves the header down.
    private let hasAssessment: Bool
    private let hasFullNames: Bool
    private var buffer: CellBuffer

    private var theme: Theme { look.theme }
    private var columns: Int { buffer.size.columns }
    /// The first and the last column for text.
    private var textX: Int { 1 }
    private var textColumns: Int { columns - 2 }

    /// Draws the face of a glance into a size of 24 × 10 at least; the face may be smaller than the size.
    static func draw(_ glance: Glance, look: ResolvedTheme, size: Size, message: String? = nil) -> CellBuffer {
        var face = CompactFace(glance, look: look, size: size, message: message)
        face.drawAssessment()
        face.drawHeader()
        if glance.gauges.contains(where: { $0.shownValue != nil }) {
            for (index, gauge) in glance.faceGauges(atMost: 4).enumerated() {
                face.drawGauge(gauge, y: face.isAiry ? 2 + 3 * index : (face.hasAssessment ? 2 : 1) + 2 * index)
            }
            face.drawNotice()
        } else {
            face.drawAdvice()
        }
        return face.buffer
    }

    private init(_ glance: Glance, look: ResolvedTheme, size: Size, message: String?) {
        self.glance = glance
        self.look = look
        self.message = message
        headline = Headline(glance)
        notice = look.notice(glance)
        let size = Self.size(in: size)
        isAiry = size.rows == Self.airyRows
        hasAssessment = glance.beginsWithAssessment
        hasFullNames = size.columns >= Self.fullNameColumns
        buffer = CellBuffer(size, background: look.theme.background)
    }

    // MARK: Header

    private mutating func drawAssessment() {
        guard hasAssessment else { return }
        let (assessment, isNamed) = glance.shownAssessment
        let line = look.line(assessment, isNamed: isNamed).wholeWords(columns: textColumns)
        buffer.write(line, x: textX, y: 0, style: look.style(assessment))
    }

    /// Draws the name, the headline and the time of day; the name is shortened first.
    private mutating func drawHeader() {
        let clock = glance.clock.sanitized.fitted(columns: 5)
        let y = hasAssessment ? 1 : 0
        var end = textX + textColumns - clock.displayWidth
        buffer.write(clock, x: end, y: y, style: Style(theme.secondaryText))
        for mark in look.marks(glance, beside: notice).reversed() where columns >= 30 {
            end -= mark.text.displayWidth + 1
            buffer.write(mark.text, x: end, y: y, style: Style(mark.ink))
        }
        let word = hasFullNames ? headline.word : headline.shortWord
        let words = "\(look.glyph(headline)) \(word)"
        end -= words.displayWidth + 1
        buffer.write(words, x: end, y: y, style: Style(look.ink(headline), .bold))
        let name = (glance.deviceName?.sanitized ?? "").fitted(columns: max(0, end - textX - 1))
        buffer.write(name, x: textX, y: y, style: Style(theme.text, .bold))
    }

    // MARK: Gauges

    private mutating func drawGauge(_ gauge: Glance.Gauge, y: Int) {
        let mark = gauge.mark
        let quantity = gauge.quantity
        let nameInk = mark.isAlarming ? look.ink(mark) : mark.isOff ? theme.ink(.offline) : theme.secondaryText
        buffer.put(look.glyph(mark), x: 1, y: y, style: Style(look.ink(mark), .bold))
        let name = hasFullNames ? quantity.name : quantity.facts.compactName
        buffer.write(name, x: 3, y: y, style: Style(nameInk, mark.isAlarming ? .bold : []))
        let valueEnd = drawValue(gauge, y: y)
        let free = columns - valueEnd - 2
        if let former = FaceFormatter.former(gauge).first(where: { $0.displayWidth <= free }) {
            buffer.write(former, x: valueEnd + 1, y: y, style: Style(look.ink(mark)))
        } else {
            buffer.write(look.unit(quantity), x: valueEnd + 1, y: y, style: Style(theme.tertiaryText), limit: 4)
        }
        // A trend describes the present; beside an old value it would mislead.
        if case .judged = mark, let trend = gauge.trend {
            buffer.put(look.arrow(trend), x: columns - 2, y: y, style: Style(theme.secondaryText))
        }
        // The last of four has no bar where the assessment takes its row.
        if y + 2 < buffer.size.rows { drawBar(gauge, y: y + 1) }
    }

    /// Draws the value at the right of its column, on a coloured background when critical.
    /// - Returns: The column after it.
    private mutating func drawValue(_ gauge: Glance.Gauge, y: Int) -> Int {
        let end = hasFullNames ? 22 : 14
        let text = gauge.shownValue.map(gauge.quantity.text) ?? look.noValue
        let fitted = text.fitted(columns: hasFullNames ? 7 : 6)
        let x = end - fitted.displayWidth
        if gauge.mark == .judged(.critical) {
            let chip = look.banner(.critical)
            buffer.fill(Rect(x: x - 1, y: y, columns: fitted.displayWidth + 2, rows: 1), style: chip)
            buffer.write(fitted, x: x, y: y, style: chip)
            return end
        }
        buffer.write(fitted, x: x, y: y, style: Style(look.valueInk(gauge.mark), .bold))
        return end
    }

    private mutating func drawBar(_ gauge: Glance.Gauge, y: Int) {
        let mark = gauge.mark
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        let band =
            mark.isOff ? theme.tint(.offline, 0.5) : theme.tint(.normal, mark.isOld ? 0.3 : 0.52)
        let bar = BulletBar(
            band: scale.bandFractions, trackStyle: Style(theme.track), bandStyle: Style(band))
        let sign = mark.isOld || !look.isASCII ? look.glyph(mark) : "#"
        bar.draw(
            on: &buffer, x: 3, y: y, columns: columns - 4, glyphs: look.isASCII ? .ascii : .lines,
            mark: gauge.shownValue.map { (scale.fraction($0), sign, Style(look.ink(mark), .bold)) })
    }

    // MARK: Bottom

    /// Draws what is wrong, in the longest form that fits, or that nothing is.
    private mutating func drawNotice() {
        let y = buffer.size.rows - 1
        if let message {
            buffer.write(message.fitted(columns: textColumns), x: textX, y: y, style: Style(theme.text, .bold))
            return
        }
        let style = look.style(notice.kind)
        var texts = [notice.text, notice.brief]
        var hints = notice.hints
        var hintStyle = Style(theme.tertiaryText)
        switch notice.kind {
        case .alarm(let status):
            buffer.fill(Rect(x: 0, y: y, columns: columns, rows: 1), style: style)
            texts = texts.map { "\(look.glyph(status)) \($0)" } + texts
            hintStyle = style
        case .calm:
            let age = glance.ageSeconds.map { " \(look.age($0))" } ?? ""
            texts = ["\(look.bullet) live\(age)"]
        case .news: texts = texts.map { "\(look.bullet) \($0)" }
        case .outdated where !notice.isAboutLink:
            let sign = notice.isAboutConflicts ? look.conflictGlyph : look.staleGlyph
            texts = texts.map { "\(sign) \($0)" } + texts
        case .outdated, .problem, .refusal: break
        }
        texts.sort { $0.displayWidth > $1.displayWidth }
        let text = texts.first { $0.displayWidth <= textColumns } ?? notice.brief.fitted(columns: textColumns)
        if columns < 30 { hints.insert(contentsOf: marks.map { [$0] } ?? [], at: 0) }
        buffer.write(text, x: textX, y: y, style: style)
        if let hint = hints.first(where: { text.displayWidth + 2 + $0.displayWidth <= textColumns }) {
            buffer.write(hint, x: textX, y: y, columns: textColumns, alignment: .trailing, style: hintStyle)
        }
    }

    /// The marks that do not fit into the header.
    private var marks: String? {
        look.marks(glance, beside: notice).map(\.text).joined(separator: " ").nonEmpty
    }

    /// Draws, where no values are, the full reason for that.
    private mutating func drawAdvice() {
        let text = message ?? notice.text
        let rows = buffer.size.rows
        let lines = text.wrapped(columns: textColumns, lines: rows - 5)
        let y = 1 + (rows - 2 - lines.count) / 2
        let style = message == nil ? look.style(notice.kind) : Style(theme.text, .bold)
        for (index, line) in lines.enumerated() {
            buffer.write(line, x: textX, y: y + index, columns: textColumns, alignment: .center, style: style)
        }
        if let hint = notice.hints.first(where: { $0.displayWidth <= textColumns }) {
            buffer.write(hint, x: textX, y: rows - 1, style: Style(theme.secondaryText))
        }
    }
}

extension CompactFace {
    /// The size of the face inside a given size.
    static func size(in size: Size) -> Size {
        Size(
            columns: min(maximumColumns, size.columns),
            rows: size.rows >= airyRows ? airyRows : minimumSize.rows)
    }

    /// The part of a face at a cell, for a face of a given size.
    static func place(
        x: Int, y: Int, size: Size, hasAssessment: Bool, quantities: [Quantity]
    ) -> WatchPlace? {
        guard (0..<size.columns).contains(x), (0..<size.rows).contains(y) else { return nil }
        let headerY = hasAssessment ? 1 : 0
        if y <= headerY { return .header }
        if y == size.rows - 1 { return .notice }
        let index = size.rows == airyRows ? (y - 1) / 3 : (y - headerY - 1) / 2
        return quantities.indices.contains(index) ? .gauge(quantities[index]) : nil
    }
}

extension String {
    /// As many words as fit, because half a number would be another number.
    func wholeWords(columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var words = split(separator: " ")
        while words.count > 1, words.joined(separator: " ").displayWidth + 1 > columns { words.removeLast() }
        return (words.joined(separator: " ") + "…").fitted(columns: columns)
    }
}
