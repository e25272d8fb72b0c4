import SyncCore

/// Limits how often an event that a watch or a stranger can repeat becomes a line of the log.
///
/// Without a limit, a log could fill the disk. It has no clock: the caller passes the time.
struct LogRateLimit {
    /// The subject of a line, and its cause.
    enum Reason: Hashable, Sendable {
        /// A watch or a stranger was rejected; the text may contain what it sent, so only the code counts.
        case refused(PeerKey, Refusal.Code)
        /// The log of conflicts has no room for the edits of a watch.
        case conflictsFull(PeerKey)
        /// A watch numbers its edits differently than before.
        case uploadsContradicted(PeerKey)
        /// A watch's clock is wrong.
        case clockSuspect(PeerKey)
        /// Two devices have one key.
        case duplicateWatch(PeerKey)
        /// A watch exceeds its limits.
        case cutOff(PeerKey)
        /// A register does not reach the watches.
        case registerRefused(String, HubEngine.RegisterProblem)
        /// The store failed during an exchange with a watch.
        case notStored(PeerKey)
        /// User info of a watch was refused.
        case userInfoRefused(PeerKey)
        /// The oldest doses of a watch, or of everything else, made room for newer ones.
        case dosesDropped(PeerKey?)
        /// A watch sends more user info than is taken at a time.
        case userInfoWaits(PeerKey)
        /// The configuration was repaired, or needs a person; the sentence tells it.
        case configuration(String)
        /// A watch came.
        case linked(PeerKey)
        /// A watch went.
        case unlinked(PeerKey)
        /// The configuration changed.
        case committed
        /// Edits of a watch lost; it is known by the node of its stamps.
        case conflicted(UInt64)

        /// The most lines in the interval of what is told each time; nil for what is told once.
        var countMax: Int? {
            switch self {
            case .linked, .unlinked, .conflicted: 32
            case .committed: 128
            case .refused, .conflictsFull, .uploadsContradicted, .clockSuspect, .duplicateWatch, .cutOff,
                .registerRefused, .notStored, .userInfoRefused, .dosesDropped, .userInfoWaits, .configuration:
                nil
            }
        }
    }

    /// The time in which a reason results in one line.
    static let interval = Duration.seconds(30)
    /// The maximum number of lines in that time, and of watches that are remembered as waiting.
    static let countMax = 256

    /// The lines of the last interval, oldest first.
    private var admitted: [(reason: Reason, at: Instant)] = []
    /// When what is told each time was told in the last interval.
    private var told: [Reason: [Instant]] = [:]
    /// The watches whose waiting edits were reported and still wait.
    private var full: [PeerKey] = []

    /// Whether an event may become a line now; events without a reason always may.
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

    /// Whether a reason may result in a line now.
    mutating func admits(_ reason: Reason, at now: Instant) -> Bool {
        if let countMax = reason.countMax { return admits(reason, countMax, at: now) }
        admitted.removeAll { $0.at.advanced(by: Self.interval) <= now }
        guard admitted.count < Self.countMax, !admitted.contains(where: { $0.reason == reason }) else { return false }
        admitted.append((reason, now))
        return true
    }

    /// Whether what is told each time may be told once more.
    private mutating func admits(_ reason: Reason, _ countMax: Int, at now: Instant) -> Bool {
        let since = now.advanced(by: .zero - Self.interval)
        if told.count > Self.countMax { told = told.filter { $0.value.last.map { $0 > since } ?? false } }
        let recent = told[reason, default: []].filter { $0 > since }
        told[reason] = recent.count < countMax ? recent + [now] : recent
        return recent.count < countMax
    }

    /// Whether to report that a watch's edits wait; the watch sends them again until conflicts are settled.
    private mutating func admitsFull(of watch: PeerKey, at now: Instant) -> Bool {
        guard !full.contains(watch), admits(Reason.conflictsFull(watch), at: now) else { return false }
        full.append(watch)
        // The oldest one may be reported once more.
        if full.count > Self.countMax { full.removeFirst() }
        return true
    }
}

extension LogRateLimit.Reason {
    /// The reason of an event that others can repeat; nil for another event.
    fileprivate init?(_ event: HubEngine.Event) {
        switch event {
        case .refused(let peer, let refusal): self = .refused(peer, refusal.code)
        case .uploadsContradicted(let watch): self = .uploadsContradicted(watch)
        case .clockSuspect(let watch): self = .clockSuspect(watch)
        case .duplicateWatch(let watch): self = .duplicateWatch(watch)
        case .cutOff(let watch, _): self = .cutOff(watch)
        case .registerRefused(let key, let fault): self = .registerRefused(key, fault)
        case .linked(let watch, _): self = .linked(watch)
        case .unlinked(let watch, _, _): self = .unlinked(watch)
        case .committed: self = .committed
        case .conflicted(let conflicts):
            guard let first = conflicts.first else { return nil }
            self = .conflicted(first.loser.stamp.node)
        case .acknowledged, .paired, .uploadsTaken, .conflictsFull, .forked, .dropped, .notStored:
            return nil
        }
    }
}
