import PoolModel

/// Formats the texts and numbers of all faces and sentences.
enum FaceFormatter {
    /// An age in its largest whole unit: `4 s`, `3 min`, `1 h`, `2 d`; a negative one counts as zero.
    static func age(_ seconds: Int) -> String {
        switch max(0, seconds) {
        case let seconds where seconds < 60: "\(seconds) s"
        case let seconds where seconds < 3600: "\(seconds / 60) min"
        case let seconds where seconds < 86_400: "\(seconds / 3600) h"
        case let seconds: "\(seconds / 86_400) d"
        }
    }

    /// The source of a glance, in few words.
    static func source(_ source: GlanceSource, of glance: Glance) -> String {
        if source == .hub { return "hub now" }
        if let seconds = glance.ageSeconds { return "kept copy, \(age(seconds)) old" }
        return glance.gauges.contains { $0.shownValue != nil } ? "kept copy of unknown age" : "nothing kept"
    }

    /// How many of the person's edits wait for the hub; nil if none does.
    static func waitingEdits(_ glance: Glance) -> String? {
        switch glance.pendingEdits.count {
        case 0: nil
        case 1: "1 edit waits"
        case let count: "\(count) edits wait"
        }
    }

    /// An age without seconds, for a screen that is seldom redrawn.
    static func quietAge(_ seconds: Int) -> String {
        seconds < 60 ? "< 1 min" : age(seconds)
    }

    /// What a value was when it was fresh, the longest form first, such as `was critical 3 h ago`; empty if it was in
    /// its range, or is fresh.
    static func former(_ gauge: Glance.Gauge) -> [String] {
        guard let status = gauge.formerAlarm else { return [] }
        let word = "was \(status.rawValue)"
        let aged = gauge.freshness == .lastKnown ? nil : gauge.ageSeconds.map { "\(word) \(age($0))" }
        return [aged.map { "\($0) ago" }, aged, word, status == .critical ? "was crit" : "was warn"].compactMap(\.self)
    }

    /// What holds an alert about a value open that is within its limits; nil if there is none.
    static func lingering(_ gauge: Glance.Gauge, of glance: Glance) -> String? {
        guard let alert = gauge.lingering(glance.ownAlerts), let place = alert.place, !place.isOutside,
            let side = alert.key.side
        else { return nil }
        return TextLanguage.english.words(for: place.fact(gauge.quantity, gauge.value ?? 0, side))
    }

    /// How many conflicts are open.
    static func openConflicts(_ glance: Glance) -> String {
        glance.conflicts.count == 1 ? "1 conflict" : "\(glance.conflicts.count) conflicts"
    }

    /// A number of things, such as `1 server` or `2 servers`.
    static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
