import SyncCore

/// Measures the replication delay of revisions to each watch.
struct LatencyMeter {
    /// The maximum number of revisions whose time is kept.
    private static let commitCountMax = 64

    /// The times of the last revisions, in order.
    private var commits: [(revision: UInt64, at: Instant)] = []
    private var lags: [PeerKey: Duration] = [:]

    /// Handles an event of the engine.
    mutating func note(_ event: HubEngine.Event, at now: Instant) {
        switch event {
        case .committed(let version):
            if commits.count == Self.commitCountMax { commits.removeFirst() }
            commits.append((version.revision, now))
        case .acknowledged(let peer, let version):
            guard let commit = commits.last(where: { $0.revision == version.revision }) else { return }
            lags[peer] = commit.at.duration(to: now)
        case .linked, .unlinked, .paired, .refused, .conflicted, .uploadsTaken, .conflictsFull, .uploadsContradicted,
            .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused, .notStored:
            break
        }
    }

    /// The delay of a watch: while it lacks a revision, the time since that was created; otherwise the time that the last
    /// one took.
    ///
    /// - Returns: Milliseconds; nil if no revision was created since the hub started.
    func milliseconds(of peer: PeerKey, holding revision: UInt64?, at now: Instant) -> Int? {
        let missing = commits.first { $0.revision > revision ?? 0 }
        let lag = missing.map { $0.at.duration(to: now) } ?? lags[peer]
        return lag.map { Int($0 / .milliseconds(1)) }
    }
}
