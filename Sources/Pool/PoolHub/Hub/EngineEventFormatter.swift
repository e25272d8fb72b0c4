import PoolControl
import PoolModel
import PoolStore
import SyncCore

/// Converts events of the engine to events for the user, with the names of watches and configured things.
struct EngineEventFormatter {
    private var known: (contents: LedgerContents, words: EntryFormatter)?
    /// The names of the watches that have connected since the hub started.
    private var names: [PeerKey: String] = [:]

    /// Notes the names of watches in an event.
    mutating func learn(_ event: HubEngine.Event) {
        switch event {
        case .linked(let key, let name): names[key] = name
        case .paired(let watch): names[watch.key] = watch.name
        case .unlinked, .acknowledged, .refused, .committed, .conflicted, .uploadsTaken, .conflictsFull,
            .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused,
            .notStored:
            break
        }
    }

    /// Uses another configuration.
    mutating func learn(_ contents: LedgerContents) {
        known = (contents, EntryFormatter(contents.entries))
    }

    /// The events for the user that an engine's event results in.
    func events(for event: HubEngine.Event) -> [HubEvent] {
        switch event {
        case .linked(_, let name): [.linked(watch: name)]
        case .unlinked(_, let name, let reason): [.unlinked(watch: name, reason: "\(reason)")]
        case .paired(let watch): [.paired(watch: watch.name)]
        case .refused(_, let refusal): [.declined(reason: refusal.text)]
        case .committed(let version): [.configured(revision: version.revision)]
        case .conflicted(let conflicts): conflicts.map { .conflict(summary(of: $0)) }
        case .conflictsFull, .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .registerRefused, .cutOff:
            notice(event).map { [.notice($0)] } ?? []
        case .notStored(let reason): [Self.storeFailed(reason, for: nil)]
        case .acknowledged, .dropped, .uploadsTaken: []
        }
    }

    /// The event that the store failed during an exchange with a watch.
    func storeFailed(_ reason: String, for watch: PeerKey) -> HubEvent {
        Self.storeFailed(reason, for: name(of: watch))
    }

    /// The event that user info of a watch is no dose, or cannot be stored.
    func userInfoProblem(_ sentence: String, of watch: PeerKey) -> HubEvent {
        .notice("watch \(name(of: watch)): \(sentence)")
    }

    /// The event that a watch sends more user info than is taken at a time.
    func userInfoWaits(of watch: PeerKey) -> HubEvent {
        .notice(
            "the watch \(name(of: watch)) sends more doses than \(UserInfoPace.burst) at once and one a second; "
                + "the others wait, and are taken later")
    }

    /// The event that the oldest doses of a watch, or of everything else, made room for newer ones.
    func dosesDropped(of watch: PeerKey?) -> HubEvent {
        let (whose, count) =
            watch.map { ("the watch \(name(of: $0))", HistoryStore.doseCountMaxOfWatch) }
            ?? ("this hub", HistoryStore.doseCountMax)
        return .notice("the log of doses keeps the newest \(count) of \(whose); older ones of it were dropped")
    }

    private static func storeFailed(_ reason: String, for watch: String?) -> HubEvent {
        let whom = watch.map { " for the watch \($0)" } ?? ""
        return .notice("the hub's store failed\(whom): \(reason); what watches send is tried again")
    }

    /// The name of a watch; the start of its key if the watch has not connected yet.
    private func name(of key: PeerKey) -> String { names[key] ?? String(key.hexadecimal.prefix(8)) }

    private func summary(of conflict: Conflict) -> ConflictSummary {
        let exists = known.map { conflict.key.isRecord(in: $0.contents.cells) } ?? true
        return ConflictSummary(conflict, known?.words ?? EntryFormatter([]), exists: exists)
    }

    private func notice(_ event: HubEngine.Event) -> String? {
        switch event {
        case .conflictsFull(let key):
            "edits of the watch \(name(of: key)) wait, because too many conflicts are open: settle some with "
                + "`poolsensors conflicts`"
        case .uploadsContradicted(let key):
            "the watch \(name(of: key)) was restored to an earlier state, or exists twice; it renumbers its edits"
        case .clockSuspect(let key):
            "the clock of the watch \(name(of: key)) is far ahead; the times of its edits were corrected"
        case .forked:
            "this hub's state is an old copy, without the changes since then; what watches still know of them will be in "
                + "`poolsensors conflicts`"
        case .duplicateWatch(let key):
            "two devices use the key of the watch \(name(of: key)); pair one of them again"
        case .cutOff(_, ""):
            "a client with an invitation sends faulty frames, or too many; the hub ignores the invitation for ten seconds"
        case .cutOff(_, let name):
            "the watch \(name) sends faulty frames, or more than one watch may; the hub ignores it for ten seconds. If it goes "
                + "on, forget it with: poolsensors watches unpair"
        case .registerRefused(let key, let fault): "\(key) does not reach the watches: \(fault)"
        case .linked, .unlinked, .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsTaken, .dropped,
            .notStored:
            nil
        }
    }
}
