import SyncCore

/// Limits how often an event that a watch or a stranger can repeat becomes a line for people.
///
/// Lines go to logs, which would fill a disk. It has no clock: the caller gives the moment.
struct LogRateLimit {
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
        /// User info of a watch was refused.
        case userInfoRefused(PeerKey)
    }

    /// The time in which a reason gets one line.
    static let interval = Duration.seconds(30)
    /// The most lines of all reasons together in that time, and the most watches that are remembered as waiting.
    static let countMax = 256

    /// The lines of the last interval, oldest first.
    private var told: [(reason: Reason, at: Instant)] = []
    /// The watches of which it was told that their edits wait, and whose edits wait still.
    private var full: [PeerKey] = []

    /// Whether an event may become a line now; those of other kinds always may.
    mutating func admits(_ event: HubEngine.Event, at now: Instant) -> Bool {
        switch event {
        case .conflictsFull(let watch):
            return admitsFull(of: watch, at: now)
        case .uploadsTaken(let watch, _):
            full.removeAll { $0 == watch }
            return true
        case .linked, .unlinked, .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsContradicted,
            .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused, .notStored:
            guard let reason = Reason(event) else { return true }
            return admits(reason, at: now)
        }
    }

    /// Whether a reason may have a line now.
    mutating func admits(_ reason: Reason, at now: Instant) -> Bool {
        told.removeAll { $0.at.advanced(by: Self.interval) <= now }
        guard told.count < Self.countMax, !told.contains(where: { $0.reason == reason }) else { return false }
        told.append((reason, now))
        return true
    }

    /// Whether it is news that a watch's edits wait: the watch sends them again until somebody settles conflicts.
    private mutating func admitsFull(of watch: PeerKey, at now: Instant) -> Bool {
        guard !full.contains(watch), admits(Reason.conflictsFull(watch), at: now) else { return false }
        full.append(watch)
        // Of the oldest one it may be told once more.
        if full.count > Self.countMax { full.removeFirst() }
        return true
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
