import PoolModel
import SyncCore

/// Turns events of the engine into events for people, with the names of watches and of the configuration's entries.
struct EngineEventFormatter {
    private var known: (contents: LedgerContents, words: EntryFormatter)?
    /// The names of the watches that were here since the hub started.
    private var names: [PeerKey: String] = [:]

    /// Learns the names of watches from an event.
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

    /// Uses another configuration from now on.
    mutating func learn(_ contents: LedgerContents) {
        known = (contents, EntryFormatter(contents.entries))
    }

    /// The part of an engine's event that a person sees; empty if there is none.
    func events(for event: HubEngine.Event) -> [PoolHub.Event] {
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

    /// The event that the store failed for what is exchanged with a watch.
    func storeFailed(_ reason: String, for watch: PeerKey) -> PoolHub.Event {
        Self.storeFailed(reason, for: name(of: watch))
    }

    /// The event that user info of a watch is no dose, or cannot be stored.
    func userInfoProblem(_ sentence: String, of watch: PeerKey) -> PoolHub.Event {
        .notice("watch \(name(of: watch)): \(sentence)")
    }

    private static func storeFailed(_ reason: String, for watch: String?) -> PoolHub.Event {
        let whom = watch.map { " for the watch \($0)" } ?? ""
        return .notice("the hub's store failed\(whom): \(reason); what watches send is tried again")
    }

    /// A watch by its name; by its key, as the list of watches shows it, if it was not here yet.
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
        case .forked(let from, let to):
            "a new epoch began at revision \(to.revision) (was \(from.revision)), because this hub's state is an old copy; "
                + "what watches still know of the lost part will be in `poolsensors conflicts`"
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
