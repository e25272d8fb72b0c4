extension AlertState {
    /// The alert that a text refers to: its number in the list from 1, its key, or the start of its episode's
    /// identifier.
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

    /// The alerts that a text refers to: `all`, those of a device by its name, or one as for ``alert(matching:)``;
    /// without a text the only open one.
    ///
    /// - Throws: ``AlertMatchError``.
    public func alerts(matching text: String?) throws(AlertMatchError) -> [Alert] {
        guard let text else {
            guard alerts.count < 2 else { throw .severalOpen(alerts.map(\.summary)) }
            return alerts
        }
        if text.lowercased() == "all" { return alerts }
        let ofDevice = alerts.filter { $0.name.lowercased() == text.lowercased() }
        return ofDevice.isEmpty ? [try alert(matching: text)] : ofDevice
    }

    /// The open alert of an episode.
    ///
    /// - Throws: ``AlertMatchError/notFound(_:count:)`` if it is over.
    public func alert(of episode: AlertEpisodeID) throws(AlertMatchError) -> Alert {
        guard let alert = alerts.first(where: { $0.episodeID == episode }) else {
            throw .notFound("\(episode)", count: alerts.count)
        }
        return alert
    }

    /// The answer that acknowledges an alert.
    public static func acknowledgement(of alert: Alert) -> AlertAnswer {
        AlertAnswer(key: alert.key, episodeID: alert.episodeID, isAcknowledged: true)
    }

    /// The answer that snoozes an alert until a time of the hub's clock.
    public static func snooze(of alert: Alert, until moment: Timestamp) -> AlertAnswer {
        AlertAnswer(key: alert.key, episodeID: alert.episodeID, isAcknowledged: false, snoozedUntil: moment)
    }
}

/// Why a text refers to no alert.
public enum AlertMatchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No open alert matches the text.
    case notFound(String, count: Int)
    /// Several open alerts match the text.
    case ambiguous(String, candidates: [String])
    /// No text was given, and several alerts are open.
    case severalOpen([String])

    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .notFound(let text, 0): "there is no alert \"\(text)\": none is open"
        case .notFound(let text, let count):
            "there is no alert \"\(text)\": give its number in the list, 1…\(count), or its key"
        case .ambiguous(let text, let candidates):
            "\"\(text)\" may mean several alerts: \(candidates.joined(separator: "; "))"
        case .severalOpen(let candidates):
            "\(candidates.count) alerts are open: give a number, the name of a device, or all: "
                + candidates.joined(separator: "; ")
        }
    }
}
