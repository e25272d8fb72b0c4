/// The epochs that a watch has seen: it never returns to one that it has left.
public struct EpochFence: Hashable, Sendable {
    /// The most past epochs that are remembered; beyond that the oldest is forgotten.
    public static let abandonedCountMax = 64

    /// The epoch that the watch follows, nil before the first.
    public private(set) var current: Epoch?
    /// The epochs that the watch has left, oldest first.
    public private(set) var abandoned: [Epoch]

    /// Creates the fence of a watch with these epochs.
    public init(current: Epoch? = nil, abandoned: [Epoch] = []) {
        self.current = current
        self.abandoned = abandoned
    }

    /// The relation of an epoch to the watch.
    enum Passage: Hashable, Sendable {
        /// The watch follows it.
        case current
        /// It is new; the watch follows it from now on.
        case new
        /// The watch has left it.
        case abandoned
    }

    /// Classifies an epoch, and follows it if it is new.
    mutating func pass(_ epoch: Epoch) -> Passage {
        if epoch == current { return .current }
        if abandoned.contains(epoch) { return .abandoned }
        if let current { abandoned = (abandoned + [current]).suffix(Self.abandonedCountMax) }
        current = epoch
        return .new
    }

    /// Whether the watch may accept something of an epoch.
    package func admits(_ epoch: Epoch) -> Bool {
        epoch == current || !abandoned.contains(epoch)
    }

    /// Follows an epoch that the watch may accept.
    package mutating func follow(_ epoch: Epoch) {
        _ = pass(epoch)
    }
}
