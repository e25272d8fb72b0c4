/// Which histories a watch has seen: it never goes back to one that it has left.
public struct EpochFence: Hashable, Sendable {
    /// The epochs that are remembered as left; the oldest is forgotten beyond that.
    public static let abandonedCountMax = 64

    /// The epoch that the watch follows, nil before the first.
    public private(set) var current: Epoch?
    /// The epochs that the watch has left, oldest first.
    public private(set) var abandoned: [Epoch]

    /// Creates the fence of a watch that has seen these.
    public init(current: Epoch? = nil, abandoned: [Epoch] = []) {
        self.current = current
        self.abandoned = abandoned
    }

    /// What an epoch is to the watch.
    enum Passage: Hashable, Sendable {
        /// The one that it follows.
        case current
        /// A new one; the watch follows it from now on.
        case new
        /// One that it has left.
        case abandoned
    }

    /// Judges an epoch, and follows it if it is new.
    mutating func pass(_ epoch: Epoch) -> Passage {
        if epoch == current { return .current }
        if abandoned.contains(epoch) { return .abandoned }
        if let current { abandoned = (abandoned + [current]).suffix(Self.abandonedCountMax) }
        current = epoch
        return .new
    }

    /// Whether the watch may take something of an epoch.
    package func admits(_ epoch: Epoch) -> Bool {
        epoch == current || !abandoned.contains(epoch)
    }

    /// Goes over to an epoch that the watch may take something of.
    package mutating func follow(_ epoch: Epoch) {
        _ = pass(epoch)
    }
}
