import PoolModel

/// The inline watch face: one line of whole fields.
///
/// The freshness and the link come first, so that they are shown in any width. With fewer columns, details are left out
/// in this order: trends, the unit of the redox potential, wide gaps, the text about edits (their signs remain), the
/// age of fresh values, the name of the device, those signs; then whole values, the least severe ones first.
struct InlineFace: Sendable {
    /// A piece of text in one style.
    struct Run: Equatable, Sendable {
        var text: String
        var style: Style

        init(_ text: String, _ style: Style) {
            self.text = text
            self.style = style
        }
    }

    /// A piece that is shown completely or not at all.
    private struct Field {
        var runs: [Run]

        init(_ runs: Run...) { self.runs = runs.filter { !$0.text.isEmpty } }
    }

    /// The details to show.
    private struct Detail {
        var hasTrends = true
        var hasUnit = true
        var hasWideGaps = true
        var hasNotes = true
        var hasAge = true
        var hasName = true
        var hasMarks = true
        var hasOldAge = true
        var hasLink = true
        var quantities = Set(Quantity.allCases)
    }

    private let glance: Glance
    private let look: ResolvedTheme
    private let headline: Headline
    private let notice: Notice
    private var theme: Theme { look.theme }

    /// The runs of the line.
    /// - Parameters:
    ///   - glance: What to show.
    ///   - look: The look to draw with.
    ///   - columns: The available columns; nil for no limit.
    /// - Returns: The runs from left to right.
    static func runs(_ glance: Glance, look: ResolvedTheme, columns: Int?) -> [Run] {
        let face = InlineFace(glance, look: look)
        guard let columns else { return face.line(Detail()) }
        for detail in face.details {
            let line = face.line(detail)
            if line.reduce(0, { $0 + $1.text.displayWidth }) <= columns { return line }
        }
        let sign = Run(String(look.glyph(face.headline)), Style(look.ink(face.headline), .bold))
        return columns > 0 ? [sign] : []
    }

    /// Draws the line into the first row of a size.
    static func draw(_ glance: Glance, look: ResolvedTheme, size: Size, message: String? = nil) -> CellBuffer {
        var buffer = CellBuffer(size, background: look.theme.background)
        if let message {
            buffer.write(message.fitted(columns: size.columns), x: 0, y: 0, style: Style(look.theme.text, .bold))
            return buffer
        }
        var x = 0
        for run in runs(glance, look: look, columns: size.columns) {
            x = buffer.write(run.text, x: x, y: 0, style: run.style)
        }
        return buffer
    }

    private init(_ glance: Glance, look: ResolvedTheme) {
        self.glance = glance
        self.look = look
        headline = Headline(glance)
        notice = look.notice(glance)
    }

    // MARK: Detail

    /// The sets of details to try, from all to almost none.
    private var details: [Detail] {
        var details = [Detail()]
        func leaveOut(_ change: (inout Detail) -> Void) {
            var next = details[details.count - 1]
            change(&next)
            details.append(next)
        }
        leaveOut { $0.hasTrends = false }
        leaveOut { $0.hasUnit = false }
        leaveOut { $0.hasWideGaps = false }
        leaveOut { $0.hasNotes = false }
        leaveOut { $0.hasAge = false }
        leaveOut { $0.hasName = false }
        leaveOut { $0.hasMarks = false }
        let alarming = glance.alarmingGauges.map(\.quantity)
        let dispensable = Quantity.allCases.reversed().filter { !alarming.contains($0) } + alarming.reversed()
        for quantity in dispensable { leaveOut { $0.quantities.remove(quantity) } }
        leaveOut { $0.hasOldAge = false }
        leaveOut { $0.hasLink = false }
        return details
    }

    private func line(_ detail: Detail) -> [Run] {
        var fields = [leadField(detail)]
        let hasValues = glance.gauges.contains { $0.shownValue != nil }
        var values: [Field] = []
        if hasValues {
            let gauges = glance.faceGauges().filter { detail.quantities.contains($0.quantity) && $0.mark != .missing }
            values = gauges.map { valueField($0, detail) }
        } else if detail.hasNotes {
            values = [Field(Run(notice.text, Style(theme.secondaryText)))]
        }
        fields += values
        if detail.hasNotes, let note { fields.append(note) }
        if !detail.hasNotes, detail.hasMarks, let marks { fields.append(marks) }
        if detail.hasAge, headline.isFresh, let age = glance.ageSeconds {
            fields.append(Field(Run("\(look.separator) \(look.age(age))", Style(theme.tertiaryText))))
        }
        if detail.hasNotes, let source = glance.source {
            let ink = source == .hub ? theme.tertiaryText : theme.ink(.warning)
            fields.append(Field(Run("\(look.separator) \(FaceFormatter.source(source, of: glance))", Style(ink))))
        }
        let gap = Run(detail.hasWideGaps ? "  " : " ", Style(theme.text))
        // Two columns separate the name and the first value, so that a number at the end of a name does not look like a
        // value.
        let isWordy = detail.hasName && glance.deviceName != nil || !hasValues && fields[0].runs.count > 1
        let first = Run(isWordy ? "  " : " ", Style(theme.text))
        var runs: [Run] = []
        for (index, field) in fields.enumerated() where !field.runs.isEmpty {
            if !runs.isEmpty { runs.append(index == 1 ? first : gap) }
            runs += field.runs
        }
        return runs
    }

    // MARK: Fields

    /// The sign, the reason why the values may be wrong, and the name.
    private func leadField(_ detail: Detail) -> Field {
        let style = Style(look.ink(headline), .bold)
        var field = Field(Run(String(look.glyph(headline)), style))
        if let words = leadWords(detail), !saysItself(words, detail) { field.runs.append(Run(" \(words)", style)) }
        if detail.hasLink, !glance.link.isLinked, headline.hasAge || headline == .lastKnown || headline.isFormer {
            field.runs.append(Run(" no link", Style(theme.ink(.warning), .bold)))
        }
        if detail.hasName, let name = glance.deviceName?.sanitized.nonEmpty {
            let isOff = headline == .offline
            field.runs.append(
                Run(" \(name.fitted(columns: 24))", Style(isOff ? theme.ink(.offline) : theme.text, .bold)))
        }
        return field
    }

    /// The text of a headline that is not fresh; nil for a fresh one.
    private func leadWords(_ detail: Detail) -> String? {
        let age = !detail.hasOldAge ? "" : glance.ageSeconds.map { " \(look.age($0))" } ?? ""
        switch headline {
        case .judged: return nil
        case .formerly:
            let gauge = glance.formerlyAlarmingGauges.first
            let past = detail.hasOldAge ? gauge?.ageSeconds.map { " \(look.age($0))" } ?? "" : ""
            return headline.word.lowercased() + past
        case .partlyStale: return "partly stale"
        case .stale: return "stale\(age)"
        case .offline: return "offline\(age)"
        case .lastKnown, .noReading, .noDevice, .waiting, .connecting, .linkLost, .refused, .unpaired:
            return headline.word.lowercased()
        }
    }

    /// Whether the notice, which is shown in place of the values, begins with the text.
    private func saysItself(_ words: String, _ detail: Detail) -> Bool {
        detail.hasNotes && !glance.gauges.contains { $0.shownValue != nil } && notice.text.hasPrefix(words)
    }

    private func valueField(_ gauge: Glance.Gauge, _ detail: Detail) -> Field {
        let (quantity, mark) = (gauge.quantity, gauge.mark)
        let quiet = Style(mark.isOff ? theme.ink(.offline) : theme.secondaryText)
        // What the headline says about all values is not repeated at each.
        let isMixed = headline == .partlyStale || headline.isFormer
        let saysNothing = mark == .judged(.normal) || !headline.isFresh && !isMixed
        let sign = saysNothing ? "" : String(look.glyph(mark))
        let name = quantity.facts.shortName.isEmpty ? "" : "\(quantity.facts.shortName) "
        let nameStyle = mark.isAlarming ? Style(look.ink(mark)) : quiet
        let value = Run(gauge.shownValue.map(quantity.text) ?? look.noValue, Style(look.valueInk(mark), .bold))
        let degree = quantity == .temperature ? look.isASCII ? look.unit(quantity) : "°" : ""
        let unit = detail.hasUnit && quantity.facts.alwaysHasUnit ? " \(quantity.unit)" : ""
        var arrow = ""
        if detail.hasTrends, case .judged = mark, let trend = gauge.trend { arrow = " \(look.arrow(trend))" }
        return Field(
            Run(sign, Style(look.ink(mark), .bold)), Run(name, nameStyle), value, Run(degree + unit + arrow, quiet))
    }

    /// The counts of conflicts and edits with their signs.
    private var marks: Field? {
        let marks = look.marks(glance, beside: notice, isAlone: true)
        guard !marks.isEmpty else { return nil }
        var field = Field()
        for mark in marks {
            field.runs.append(Run(field.runs.isEmpty ? mark.text : " \(mark.text)", Style(mark.ink)))
        }
        return field
    }

    /// The outcome of the person's edits, in few words.
    private var note: Field? {
        var words: [Run] = []
        if !glance.conflicts.isEmpty {
            words.append(Run(FaceFormatter.openConflicts(glance), Style(theme.ink(.warning))))
        }
        if glance.uploadObstacle != nil { words.append(Run("edits not taken", Style(theme.ink(.warning)))) }
        if let waiting = FaceFormatter.waitingEdits(glance) { words.append(Run(waiting, Style(theme.secondaryText))) }
        if glance.restoreNotice != nil { words.append(Run("hub restored", Style(theme.accent))) }
        if glance.fileNotice != nil { words.append(Run("file received", Style(theme.accent))) }
        guard !words.isEmpty else { return nil }
        var field = Field()
        for word in words {
            field.runs.append(Run(field.runs.isEmpty ? "\(look.separator) " : ", ", Style(theme.tertiaryText)))
            field.runs.append(word)
        }
        return field
    }
}
