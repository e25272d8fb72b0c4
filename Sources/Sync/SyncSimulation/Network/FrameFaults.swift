import SyncCore

/// The fault of a single frame in a virtual world.
public enum FrameMishap: Hashable, Sendable {
    /// The frame is lost.
    case drop
    /// The frame arrives twice.
    case duplicate
    /// The frame is delayed, and later frames may overtake it.
    case holdUp(Duration)
}

/// The random faults of the frames on a link of a virtual world.
public struct FrameFaults: Hashable, Sendable {
    /// The share of the frames that are lost, 0…1.
    public var dropChance = 0.0
    /// The share that arrives twice, 0…1.
    public var duplicateChance = 0.0
    /// The share that later frames may overtake, 0…1.
    public var reorderChance = 0.0
    /// The delay of those frames.
    public var reorderTime = Duration.milliseconds(50)
    /// The shortest and the longest transmission time of a frame.
    public var delays = Duration.zero...Duration.zero

    /// Creates a link without faults.
    public init() {}

    func draw(using draws: inout SplitMix64) -> FrameMishap? {
        guard dropChance + duplicateChance + reorderChance > 0 else { return nil }
        let (drops, copies, holdsUp) = (
            draws.chance(dropChance), draws.chance(duplicateChance), draws.chance(reorderChance)
        )
        if drops { return .drop }
        if holdsUp { return .holdUp(draws.duration(upTo: reorderTime)) }
        return copies ? .duplicate : nil
    }

    func delay(using draws: inout SplitMix64) -> Duration {
        guard delays.upperBound > .zero else { return .zero }
        return delays.lowerBound + draws.duration(upTo: delays.upperBound - delays.lowerBound)
    }
}
