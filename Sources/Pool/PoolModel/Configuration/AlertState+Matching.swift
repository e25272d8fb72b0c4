extension AlertState {
    /// The alert that a person means by a text: its number in the list from 1, its key, or the start of its episode.
    ///
    /// - Throws: ``AlertMatchError``.
    public func alert(matching text: String) throws(AlertMatchError) -> Alert {
        if let number = Int(text), alerts.indices.contains(number - 1) { return alerts[number - 1] }
        let wanted = text.lowercased()
        let rules: [(Alert) -> Bool] = [
            { $0.key.text == wanted },
            { !wanted.isEmpty && "\($0.episodeID)".hasPrefix(wanted) },
            { !wanted.isEmpty && $0.summary.lowercased().contains(wanted) },
        ]
        for rule in rules {
            let found = alerts.filter(rule)
            if found.count == 1 { return found[0] }
            if found.count > 1 { throw .ambiguous(text, candidates: found.map(\.summary)) }
        }
        throw .notFound(text, count: alerts.count)
    }

    /// What a person says who has seen an alert.
    public static func acknowledgement(of alert: Alert) -> AlertAnswer {
        AlertAnswer(key: alert.key, episodeID: alert.episodeID, isAcknowledged: true)
    }

    /// What a person says who wants an alert to be quiet until a moment of the hub's clock.
    public static func snooze(of alert: Alert, until moment: Timestamp) -> AlertAnswer {
        AlertAnswer(key: alert.key, episodeID: alert.episodeID, isAcknowledged: false, snoozedUntil: moment)
    }
}

/// Why a text means no alert.
public enum AlertMatchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No open alert is called so.
    case notFound(String, count: Int)
    /// Several are.
    case ambiguous(String, candidates: [String])

    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .notFound(let text, 0): "there is no alert \"\(text)\": none is open"
        case .notFound(let text, let count):
            "there is no alert \"\(text)\": give its number in the list, 1…\(count), or its key"
        case .ambiguous(let text, let candidates):
            "\"\(text)\" may mean several alerts: \(candidates.joined(separator: "; "))"
        }
    }
}
