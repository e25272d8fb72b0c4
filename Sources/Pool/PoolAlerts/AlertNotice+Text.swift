import PoolModel

extension AlertNotice {
    /// The sentence for a person, about a condition that has lasted, or did last, this many milliseconds.
    ///
    /// An episode that began and ended in old readings was over `endedBefore` milliseconds ago.
    static func sentence(
        _ key: AlertKey, _ kind: Kind, _ severity: AlertSeverity, name: String, value: Double?, limit: Double?,
        reason: MissingReason?, detail: String? = nil, lasted milliseconds: Int64,
        endedBefore: Int64? = nil
    ) -> String {
        let isOver = kind == .recovered
        switch key {
        case .test: return "Test alert: if you can read this, alerts reach you here."
        case .value(_, let quantity, let side):
            guard let value, let limit else { return "\(name): \(quantity.name) is outside its limits." }
            let shown = quantity.textWithUnit(value)
            if isOver {
                return
                    "\(name): \(quantity.name) is back within its limits at \(shown)\(span(", after", milliseconds))."
            }
            let distance = side == .high ? value - limit : limit - value
            let beyond = side == .high ? "above" : "below"
            let place = distance > 0 ? "\(self.distance(distance, quantity)) \(beyond)" : "hardly back from \(beyond)"
            let bound = severity == .critical ? "critical limit" : "limit"
            if let endedBefore {
                // Messages without a time of their own all have the time of the message before them.
                let when =
                    milliseconds > 0
                    ? "\(span(" for", milliseconds)) until \(duration(endedBefore)) ago"
                    : "\(span(" within the last", endedBefore))"
                return "\(name): it is over, but old readings had \(quantity.name) \(shown), "
                    + "\(place) the \(bound) of \(quantity.textWithUnit(limit)),\(when)."
            }
            let opening = kind == .late ? "old readings end with" : kind == .repeated ? "still" : ""
            return "\(name): \(opening.isEmpty ? "" : opening + " ")\(quantity.name) \(shown), "
                + "\(place) the \(bound) of \(quantity.textWithUnit(limit))\(span(", for", milliseconds)); "
                + "\(advice(quantity, side, severity))."
        case .missing(_, let quantity):
            let what = quantity.map { "\($0.name) values" } ?? "readings"
            if isOver { return "\(name): \(what) arrive again\(span(", after", milliseconds))." }
            let why = reason == .unavailable ? "the device says it is away" : "the device is silent"
            return "\(name): no \(what)\(span(" for", milliseconds)), \(quantity == nil ? why : "the rest arrives"); "
                + "check its power and its network."
        case .fault(_, let quantity):
            let what = quantity.map { "\($0.name) values" } ?? "payloads"
            if isOver { return "\(name): the \(what) make sense again\(span(", after", milliseconds))." }
            return "\(name): the \(what) make no sense\(span(" for", milliseconds)); "
                + "check the probe, its cable and its mapping."
        case .hub(.storage):
            if isOver { return "\(name): readings are stored again\(span(", after", milliseconds))." }
            return "\(name): nothing can be stored\(span(" for", milliseconds)), \(detail ?? "its storage fails"); "
                + "what comes is judged all the same, but it is not in the history."
        case .connection:
            if isOver { return "\(name): the connection is restored\(span(", after", milliseconds))." }
            return "\(name): the connection is lost\(span(" for", milliseconds)); check the server and the network."
        }
    }

    /// A word and a duration; empty for less than a second.
    private static func span(_ word: String, _ milliseconds: Int64) -> String {
        milliseconds < 1000 ? "" : "\(word) \(duration(milliseconds))"
    }

    private static func distance(_ distance: Double, _ quantity: Quantity) -> String {
        let least = quantity.decimals == 0 ? 1.0 : quantity.decimals == 1 ? 0.1 : 0.01
        return distance < least / 2 ? "less than \(quantity.textWithUnit(least))" : quantity.textWithUnit(distance)
    }

    private static func advice(_ quantity: Quantity, _ side: Limits.Deviation, _ severity: AlertSeverity) -> String {
        let care = severity == .critical ? "keep people out of the water and " : ""
        switch (quantity, side) {
        case (.temperature, .low): return "check the heating, and protect the pool from frost if it goes on"
        case (.temperature, .high): return care + "check the heating and the pump"
        case (.ph, .low): return care + "measure by hand, then raise the pH"
        case (.ph, .high): return care + "measure by hand, then lower the pH"
        case (.chlorine, .low): return care + "measure by hand, then add chlorine"
        case (.chlorine, .high): return care + "stop dosing chlorine and measure by hand"
        case (.orp, .low): return care + "check pH and chlorine by hand"
        case (.orp, .high): return care + "stop dosing and check chlorine by hand"
        }
    }

    /// A duration in its one or two largest units, such as `1 h 5 min`.
    static func duration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        if seconds < 172_800 {
            return seconds / 60 % 60 == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
        return "\(seconds / 86_400) days"
    }
}
