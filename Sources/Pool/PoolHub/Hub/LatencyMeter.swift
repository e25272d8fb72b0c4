import Platform
import SyncCore

/// Measures how long revisions of the configuration take to each watch.
///
/// It belongs to nobody: the driver's thread writes, anybody reads.
final class LatencyMeter: Sendable {
    /// The revisions whose moment is remembered.
    private static let commitCountMax = 64

    private struct State {
        /// When the last revisions were committed, in their order.
        var commits: [(revision: UInt64, at: Instant)] = []
        var lags: [PeerKey: Duration] = [:]
    }

    private let state = Lock(State())

    /// Takes in what happened in the engine.
    func note(_ event: HubEngine.Event, at now: Instant) {
        switch event {
        case .committed(let version):
            state.withLock { state in
                if state.commits.count == Self.commitCountMax { state.commits.removeFirst() }
                state.commits.append((version.revision, now))
            }
        case .acknowledged(let peer, let version):
            state.withLock { state in
                guard let commit = state.commits.last(where: { $0.revision == version.revision }) else { return }
                state.lags[peer] = commit.at.duration(to: now)
            }
        case .linked, .unlinked, .paired, .refused, .conflicted, .uploadsTaken, .conflictsFull, .uploadsContradicted,
            .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused, .notStored:
            break
        }
    }

    /// How far a watch lags: while it lacks a revision, the time since that was made; else the time that the last one took.
    ///
    /// - Returns: Milliseconds, nil if no revision was made since the hub started.
    func milliseconds(of peer: PeerKey, holding revision: UInt64?, at now: Instant) -> Int? {
        state.withLock { state in
            let missing = state.commits.first { $0.revision > revision ?? 0 }
            let lag = missing.map { $0.at.duration(to: now) } ?? state.lags[peer]
            return lag.map { Int($0 / .milliseconds(1)) }
        }
    }
}
