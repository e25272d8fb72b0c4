internal import PoolModel
internal import SyncCore

/// Describes edits and conflicts in words for a watch.
struct EditFormatter: Sendable {
    private let entries: EntryFormatter
    private let configuration: WatchConfiguration

    /// Creates a formatter with the names in the entries of a configuration.
    init(_ entries: [ConfigurationEntry]) {
        self.entries = EntryFormatter(entries)
        configuration = WatchConfiguration(entries: entries)
    }

    /// A description of a cell, such as `name of the device "Lagoon"`.
    ///
    /// - Parameters:
    ///   - key: The cell.
    ///   - value: Its value, which names the alert of an answer.
    ///   - before: The value to use as the name of its record, if the cell is a name; nil for the present one.
    /// - Returns: The words.
    func subject(of key: CellKey, value: String?, before: String? = nil) -> String {
        if let answer = answer(value ?? before) { return "alert \"\(summary(of: answer.key))\"" }
        return entries.subject(of: ConfigurationEntry.Key(key), before: before.map { Array($0.utf8) })
    }

    /// A value in words; nil for none.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - key: The cell.
    ///   - moment: When it was written, by the clock of its author.
    /// - Returns: The words.
    func value(_ text: String?, of key: CellKey, at moment: Timestamp) -> String? {
        guard let answer = answer(text) else {
            return entries.value(text.map { Array($0.utf8) }, of: ConfigurationEntry.Key(key))
        }
        if answer.isAcknowledged { return "acknowledged" }
        guard let end = answer.snoozedUntil else { return "no answer" }
        let minutes = (end.milliseconds(since: moment) + 30_000) / 60_000
        return "quiet for \(minutes < 60 ? "\(max(1, minutes)) min" : "\(minutes / 60) h")"
    }

    private func answer(_ text: String?) -> AlertAnswer? {
        // Anything that is not an answer to an alert is described as it is.
        guard let text, text.contains("\"episodeID\"") else { return nil }
        return try? CanonicalJSON.decode(AlertAnswer.self, from: Array(text.utf8))
    }

    /// An alert with the name of its device or server.
    private func summary(of key: AlertKey) -> String {
        var name = "a device that is gone"
        if let id = key.deviceID { name = configuration.device(id)?.name ?? name }
        if case .connection(let id) = key { name = configuration.server(id)?.name ?? "a server that is gone" }
        return switch key {
        case .value(_, let quantity, let side): "\(name) \(quantity.name) too \(side.rawValue)"
        case .missing(_, let quantity): [name, quantity?.name, "missing"].compactMap(\.self).joined(separator: " ")
        case .fault(_, let quantity): [name, quantity?.name, "faulty"].compactMap(\.self).joined(separator: " ")
        case .connection: "\(name) not connected"
        case .hub(.storage): "the hub cannot store"
        case .test: "test"
        }
    }
}

extension Conflict.Rule {
    /// The rule that makes uploads wait, in words, and what to do about it.
    var uploadObstacle: String {
        switch self {
        case .logFull: "the hub has too many open conflicts: settle some, here or there"
        case .shareFull: "too many conflicts of this watch are open: settle some of them"
        case .newest, .owner, .deleted, .unseen, .together, .readOnly, .schema, .invalid, .tooLarge, .lostInRestore,
            .deletionLostInRestore:
            "the hub does not take edits now: \(ConflictSummary.reason(of: rawValue))"
        }
    }
}
