extension AlertNotice {
    /// The message in one sentence: its parts in the words of the language.
    ///
    /// In English it is ``text``, which is what every channel got.
    package func sentence(in language: TextLanguage) -> String {
        language == .english && !text.isEmpty ? text : language.sentence(parts)
    }

    /// The facts of the message, in order; the same in every language.
    package var parts: [NoticePart] {
        guard key != .test else { return [NoticePart(.start, .test)] }
        return [NoticePart(.start, .subject(name))] + (kind == .recovered ? recoveredParts : openParts)
    }

    /// For how long it has lasted, or did last, in milliseconds.
    private var lasted: Int64 { max(0, (until ?? at).milliseconds(since: since)) }

    /// How long it lasted, unless that was less than a second.
    private func span(_ separator: NoticePart.Separator, _ fact: (Int64) -> NoticePart.Fact) -> [NoticePart] {
        lasted < 1000 ? [] : [NoticePart(separator, fact(lasted))]
    }

    private var recoveredParts: [NoticePart] {
        let fact: NoticePart.Fact
        switch key {
        case .value(_, let quantity, let side):
            if let value, let opposite, side.opposite.isBeyond(opposite, value) {
                fact = .crossed(quantity, value, from: side)
            } else {
                fact = .backInside(quantity, value)
            }
        case .missing(_, let quantity): fact = .arrivesAgain(quantity)
        case .fault(_, let quantity): fact = .sensible(quantity)
        case .hub(.storage): fact = .stored
        case .connection: fact = .reconnected
        case .test: fact = .test
        }
        return [NoticePart(.colon, fact)] + span(.comma) { .lasted($0) }
    }

    private var openParts: [NoticePart] {
        switch key {
        case .test: return []
        case .value(_, let quantity, let side): return valueParts(quantity, side)
        case .missing(_, let quantity):
            let why: [NoticePart] =
                if quantity != nil { [NoticePart(.comma, .restArrives)] } else {
                    reason.map { [NoticePart(.comma, .reason($0))] } ?? []
                }
            return [NoticePart(.colon, .missing(quantity))] + span(.space) { .lasting($0) } + why
                + [NoticePart(.semicolon, .action(reason == .refused ? .allowTopics : .checkPower))]
        case .fault(_, let quantity):
            if let quantity, let report = detail.flatMap(ProbeFault.read) {
                return [NoticePart(.colon, .probeReports(quantity, report.value, report.fault))]
                    + span(.comma) { .lasting($0) } + [NoticePart(.semicolon, .action(.checkCable))]
            }
            return [NoticePart(.colon, .senseless(quantity))] + span(.space) { .lasting($0) }
                + [NoticePart(.semicolon, .action(.checkProbe))]
        case .hub(.storage):
            return [NoticePart(.colon, .unstored(detail))] + span(.comma) { .lasting($0) }
                + [NoticePart(.semicolon, .action(.notInHistory))]
        case .connection:
            return [NoticePart(.colon, .disconnected)] + span(.space) { .lasting($0) }
                + [NoticePart(.semicolon, .action(.checkServer))]
        }
    }

    private func valueParts(_ quantity: Quantity, _ side: Limits.Deviation) -> [NoticePart] {
        let isDangerous = severity == .critical && quantity.facts.dangerousSides.contains(side)
        let care = isDangerous ? [NoticePart(.semicolon, .keepOut)] : []
        let action = NoticePart(.semicolon, .action(quantity.facts.action(side)))
        guard let value, let limit else {
            return [NoticePart(.colon, .outsideLimits(quantity))] + span(.comma) { .lasting($0) } + care + [action]
        }
        var parts: [NoticePart] = []
        let opening: NoticePart.Fact? =
            until != nil ? .oldReadingsHad : kind == .late ? .oldReadingsEnd : kind == .repeated ? .still : nil
        if let opening { parts.append(NoticePart(.colon, opening)) }
        let place = AlertPlace(value, side, severity, limit: limit, normal: normal, release: release)
        parts += [
            NoticePart(parts.isEmpty ? .colon : .space, .value(quantity, value)),
            NoticePart(.comma, place.fact(quantity, value, side)),
        ]
        if let until {
            // Messages without a time of their own all have the time of the message before them.
            let before = max(0, at.milliseconds(since: until))
            let when: NoticePart.Fact = lasted >= 1000 ? .lastedUntil(lasted, endedBefore: before) : .within(before)
            return parts + (lasted >= 1000 || before >= 1000 ? [NoticePart(.comma, when)] : [])
        }
        // What is inside its limits needs no correction.
        return parts + span(.comma) { .lasting($0) } + care + (place.isOutside ? [action] : [])
    }
}

/// Where the value of an open alert is.
package enum AlertPlace: Hashable, Sendable {
    /// Beyond a limit.
    case outside(by: Double, AlertSeverity, limit: Double)
    /// Inside its limit, but not beyond the release.
    case beforeRelease(Double)
    /// Inside its limit; where the alert ends is not known.
    case inside(limit: Double)
    /// Beyond the release, which must be confirmed.
    case unconfirmed

    /// The place of a value on one side.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - side: The side on which it left its limits.
    ///   - severity: The severity of the alert.
    ///   - limit: The limit of this severity.
    ///   - normal: The end of the normal range; nil if a hub of before does not say it.
    ///   - release: The value at which the alert may end; nil if a hub of before does not say it.
    package init(
        _ value: Double, _ side: Limits.Deviation, _ severity: AlertSeverity, limit: Double, normal: Double?,
        release: Double?
    ) {
        let normal = normal ?? limit
        if side.isBeyond(limit, value) {
            self = .outside(by: (value - limit).magnitude, severity, limit: limit)
        } else if side.isBeyond(normal, value) {
            self = .outside(by: (value - normal).magnitude, .warning, limit: normal)
        } else if let release {
            // The rounding error of sums of decimal fractions.
            let isBefore = side.isBeyond(release, value) && (value - release).magnitude > 1e-9
            self = isBefore ? .beforeRelease(release) : .unconfirmed
        } else {
            self = .inside(limit: normal)
        }
    }

    /// Whether the value is outside its normal range.
    package var isOutside: Bool { if case .outside = self { true } else { false } }

    /// It as a fact of a notice.
    package func fact(_ quantity: Quantity, _ value: Double, _ side: Limits.Deviation) -> NoticePart.Fact {
        switch self {
        case .outside(let distance, let severity, let limit):
            .exceeds(quantity, by: distance, side, severity, limit: limit)
        case .beforeRelease(let release): .beforeRelease(quantity, side, release)
        case .inside(let limit): .insideLimit(quantity, side, limit)
        case .unconfirmed: .unconfirmed
        }
    }
}

extension Limits.Deviation {
    /// The other side.
    package var opposite: Limits.Deviation { self == .high ? .low : .high }

    /// Whether a value is beyond a limit on this side.
    package func isBeyond(_ limit: Double, _ value: Double) -> Bool { self == .high ? value > limit : value < limit }
}
