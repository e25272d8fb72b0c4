import Platform
import PoolModel
import SyncCore

/// The words for the configuration as it is now.
final class CurrentEntryFormatter: Sendable {
    private let known = Lock<(contents: LedgerContents, words: EntryFormatter)?>(nil)
    /// The names of the watches that were here since the hub started.
    private let names = Lock<[PeerKey: String]>([:])

    /// Learns the names of watches from what happens.
    func learn(_ event: HubEngine.Event) {
        switch event {
        case .linked(let key, let name): names.withLock { $0[key] = name }
        case .paired(let watch): names.withLock { $0[watch.key] = watch.name }
        case .unlinked, .acknowledged, .refused, .committed, .conflicted, .uploadsTaken, .conflictsFull,
            .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused,
            .notStored:
            break
        }
    }

    /// A watch by its name; by its key as the list of watches shows it if it was not here yet.
    func watch(_ key: PeerKey) -> String {
        names.withLock { $0[key] } ?? String(key.hexadecimal.prefix(8))
    }

    /// Uses another configuration from now on.
    func learn(_ contents: LedgerContents) {
        known.withLock { $0 = (contents, EntryFormatter(contents.entries)) }
    }

    /// A conflict in words.
    func note(_ conflict: Conflict) -> ConflictSummary {
        let known = known.withLock(\.self)
        let exists = known.map { conflict.key.isRecord(in: $0.contents.cells) } ?? true
        return ConflictSummary(conflict, known?.words ?? EntryFormatter([]), exists: exists)
    }
}

extension PoolHub.Event {
    /// The part of the engine's events that a person sees.
    static func shown(_ event: HubEngine.Event, _ words: CurrentEntryFormatter) -> [PoolHub.Event] {
        switch event {
        case .linked(_, let name): [.linked(watch: name)]
        case .unlinked(_, let name, let reason): [.unlinked(watch: name, reason: "\(reason)")]
        case .paired(let watch): [.paired(watch: watch.name)]
        case .refused(_, let refusal): [.declined(reason: refusal.text)]
        case .committed(let version): [.configured(revision: version.revision)]
        case .conflicted(let conflicts): conflicts.map { .conflict(words.note($0)) }
        case .conflictsFull, .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .registerRefused, .cutOff:
            notice(event, words).map { [.notice($0)] } ?? []
        case .notStored(let reason): [.storeFailed(reason)]
        case .acknowledged, .dropped, .uploadsTaken: []
        }
    }

    /// That the store failed for what watches send, or for what is exchanged with the one of this name.
    static func storeFailed(_ reason: String, for watch: String? = nil) -> PoolHub.Event {
        let whom = watch.map { " for the watch \($0)" } ?? ""
        return .notice("the hub's store failed\(whom): \(reason); what watches send is tried again")
    }

    private static func notice(_ event: HubEngine.Event, _ words: CurrentEntryFormatter) -> String? {
        switch event {
        case .conflictsFull(let key):
            "edits of the watch \(words.watch(key)) wait, because too many conflicts are open: settle some with "
                + "`poolsensors conflicts`"
        case .uploadsContradicted(let key):
            "the watch \(words.watch(key)) was put back to an earlier state, or exists twice; it numbers its edits anew"
        case .clockSuspect(let key):
            "the clock of the watch \(words.watch(key)) is far ahead; the times of its edits were corrected"
        case .forked(let from, let to):
            "a new epoch began at revision \(to.revision) (was \(from.revision)), because this hub's state is an old copy; "
                + "what watches still know of the lost part will be in `poolsensors conflicts`"
        case .duplicateWatch(let key):
            "two devices use the key of the watch \(words.watch(key)); pair one of them anew"
        case .cutOff(_, ""):
            "somebody with an invitation sends faulty frames, or too many; the invitation is not heard for ten seconds"
        case .cutOff(_, let name):
            "the watch \(name) sends faulty frames, or more than one watch may; it is not heard for ten seconds. If it goes "
                + "on, forget it with: poolsensors watches unpair"
        case .registerRefused(let key, let fault): "\(key) does not reach the watches: \(fault)"
        case .linked, .unlinked, .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsTaken, .dropped,
            .notStored:
            nil
        }
    }
}
