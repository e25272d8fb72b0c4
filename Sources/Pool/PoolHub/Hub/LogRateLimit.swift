import Platform
import SyncCore

/// Lets what a watch or a stranger can repeat as it likes become a line for people only once in a while.
///
/// Lines go to logs, which would fill a disk. It is a table without a clock: the caller says when.
final class LogRateLimit: Sendable {
    /// What a line is about, and whom.
    enum Reason: Hashable, Sendable {
        /// A watch or a stranger was declined; the words may be made of what it said, and the code is not.
        case refused(PeerKey, Refusal.Code)
        /// The log of conflicts has no room for what a watch brings.
        case conflictsFull(PeerKey)
        /// A watch numbers its edits otherwise than before.
        case uploadsContradicted(PeerKey)
        /// A watch's clock is wrong.
        case clockSuspect(PeerKey)
        /// Two devices have one key.
        case duplicateWatch(PeerKey)
        /// A watch takes more of the hub than one may.
        case cutOff(PeerKey)
        /// A register does not reach the watches.
        case registerRefused(String, HubEngine.RegisterFault)
        /// The store failed for what is exchanged with a watch.
        case notStored(PeerKey)
    }

    /// The time in which a reason gets one line.
    static let interval = Duration.seconds(30)
    /// The most lines of all reasons together in that time, and the most watches that are remembered as waiting.
    static let countMax = 256

    private struct State {
        /// The lines of the last interval, oldest first.
        var told: [(reason: Reason, at: Instant)] = []
        /// The watches of which it was told that their edits wait, and whose edits wait still.
        var full: [PeerKey] = []

        mutating func admits(_ reason: Reason, at now: Instant) -> Bool {
            told.removeAll { $0.at.advanced(by: LogRateLimit.interval) <= now }
            guard told.count < LogRateLimit.countMax, !told.contains(where: { $0.reason == reason }) else {
                return false
            }
            told.append((reason, now))
            return true
        }

        /// Whether it is news that a watch's edits wait: it brings them again and again until somebody settles
        /// conflicts.
        mutating func admitsFull(of watch: PeerKey, at now: Instant) -> Bool {
            guard !full.contains(watch), admits(.conflictsFull(watch), at: now) else { return false }
            full.append(watch)
            // Of the oldest one it may be told once more.
            if full.count > LogRateLimit.countMax { full.removeFirst() }
            return true
        }
    }

    private let state = Lock(State())

    /// Whether an event may become a line now; those of other kinds always may.
    func admits(_ event: HubEngine.Event, at now: Instant) -> Bool {
        switch event {
        case .conflictsFull(let watch):
            return state.withLock { $0.admitsFull(of: watch, at: now) }
        case .uploadsTaken(let watch, _):
            state.withLock { state in state.full.removeAll { $0 == watch } }
            return true
        case .linked, .unlinked, .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsContradicted,
            .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused, .notStored:
            return Reason(event).map { admits($0, at: now) } ?? true
        }
    }

    /// Whether a reason may have a line now.
    func admits(_ reason: Reason, at now: Instant) -> Bool {
        state.withLock { $0.admits(reason, at: now) }
    }
}

extension LogRateLimit.Reason {
    /// The reason of an event that comes as often as somebody likes; nil for another one.
    fileprivate init?(_ event: HubEngine.Event) {
        switch event {
        case .refused(let peer, let refusal): self = .refused(peer, refusal.code)
        case .uploadsContradicted(let watch): self = .uploadsContradicted(watch)
        case .clockSuspect(let watch): self = .clockSuspect(watch)
        case .duplicateWatch(let watch): self = .duplicateWatch(watch)
        case .cutOff(let watch, _): self = .cutOff(watch)
        case .registerRefused(let key, let fault): self = .registerRefused(key, fault)
        case .linked, .unlinked, .acknowledged, .paired, .committed, .conflicted, .uploadsTaken, .conflictsFull,
            .forked, .dropped, .notStored:
            return nil
        }
    }
}
