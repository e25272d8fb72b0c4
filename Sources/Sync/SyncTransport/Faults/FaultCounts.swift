import Platform
import SyncCore

/// The counts of the faults that happened.
package struct FaultCounts: Hashable, Sendable {
    /// The messages that were checked, in both directions.
    package var messages = 0
    /// The messages that were lost individually.
    package var dropped = 0
    /// The messages that arrived twice.
    package var duplicated = 0
    /// The messages that were delayed without being reordered.
    package var delayed = 0
    /// The messages that later ones could overtake.
    package var reordered = 0
    /// The messages with a changed byte.
    package var corrupted = 0
    /// The connections that broke.
    package var resets = 0
    /// The interruptions that began by chance.
    package var cuts = 0
    /// The messages that were lost in an interruption.
    package var lostInCuts = 0
    /// The messages that were lost because too many were held already.
    package var overflowed = 0

    /// Creates counts of zero.
    package init() {}

    /// The sum of two counts.
    package static func + (left: FaultCounts, right: FaultCounts) -> FaultCounts {
        var sum = left
        let all: [WritableKeyPath<FaultCounts, Int>] = [
            \.messages, \.dropped, \.duplicated, \.delayed, \.reordered, \.corrupted, \.resets, \.cuts, \.lostInCuts,
            \.overflowed,
        ]
        for count in all { sum[keyPath: count] += right[keyPath: count] }
        return sum
    }
}

/// The counts of each link; the loop writes them, and any thread may read them.
final class FaultCounters: Sendable {
    private let counts = Lock<[PeerKey: FaultCounts]>([:])

    func set(_ value: FaultCounts, of peer: PeerKey) {
        counts.withLock { $0[peer] = value }
    }

    subscript(peer: PeerKey) -> FaultCounts {
        counts.withLock { $0[peer] } ?? FaultCounts()
    }

    var sum: FaultCounts {
        counts.withLock { $0.values.reduce(FaultCounts(), +) }
    }
}
