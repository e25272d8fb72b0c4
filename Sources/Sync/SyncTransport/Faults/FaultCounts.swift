import SyncCore
import Synchronization

/// How often a fault happened.
public struct FaultCounts: Hashable, Sendable {
    /// The messages that were looked at, in both directions.
    public var messages = 0
    /// The messages that were lost one by one.
    public var dropped = 0
    /// The messages that arrived twice.
    public var duplicated = 0
    /// The messages that were late in their place.
    public var delayed = 0
    /// The messages that were overtaken, if another came in their time.
    public var reordered = 0
    /// The messages with a changed byte.
    public var corrupted = 0
    /// The connections that broke.
    public var resets = 0
    /// The cuts that began by chance.
    public var cuts = 0
    /// The messages that were lost in a cut.
    public var lostInCuts = 0
    /// The messages that were lost because too many were held back already.
    public var overflowed = 0

    /// Creates counts of zero.
    public init() {}

    /// The sum of two counts.
    public static func + (left: FaultCounts, right: FaultCounts) -> FaultCounts {
        var sum = left
        let all: [WritableKeyPath<FaultCounts, Int>] = [
            \.messages, \.dropped, \.duplicated, \.delayed, \.reordered, \.corrupted, \.resets, \.cuts, \.lostInCuts,
            \.overflowed,
        ]
        for count in all { sum[keyPath: count] += right[keyPath: count] }
        return sum
    }
}

/// The counts of each link, written by the loop and read by anyone.
final class FaultCounters: Sendable {
    private let counts = Mutex<[PeerKey: FaultCounts]>([:])

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
