/// A stamp of a hybrid logical clock: milliseconds of the wall clock, a counter, and the node that created the stamp.
///
/// Stamps of one node strictly increase whatever its wall clock does. They are compared by milliseconds, then
/// counter, then node, so no two stamps of different nodes are equal. Source: Kulkarni, Demirbas and others, "Logical
/// Physical Clocks" (2014).
public struct Stamp: Hashable, Comparable, Sendable {
    /// The logical milliseconds since 1970: at least the wall clock's when the stamp was made.
    public var milliseconds: Int64
    /// Counts the stamps with the same milliseconds.
    public var counter: UInt32
    /// The node that created the stamp; the hub is 0 and wins ties against every watch.
    public var node: UInt64

    /// Creates a stamp.
    public init(milliseconds: Int64, counter: UInt32, node: UInt64) {
        self.milliseconds = milliseconds
        self.counter = counter
        self.node = node
    }

    /// Whether the left stamp is older.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
        if left.counter != right.counter { return left.counter < right.counter }
        return left.node > right.node
    }
}

/// The hybrid logical clock of one node.
public struct HybridClock: Hashable, Sendable {
    /// The node of this clock.
    public let node: UInt64
    private var milliseconds: Int64
    private var counter: UInt32

    /// Creates the clock of a node that continues after its last known stamp.
    public init(node: UInt64, after last: Stamp? = nil) {
        self.node = node
        milliseconds = last?.milliseconds ?? 0
        counter = last?.counter ?? 0
    }

    /// Creates the stamp of a local event; it is greater than all stamps created before.
    public mutating func stamp(wallMilliseconds: Int64) -> Stamp {
        if wallMilliseconds > milliseconds {
            milliseconds = wallMilliseconds
            counter = 0
        } else if counter == .max {
            milliseconds &+= 1
            counter = 0
        } else {
            counter += 1
        }
        return Stamp(milliseconds: milliseconds, counter: counter, node: node)
    }

    /// The last stamp that was created.
    var current: Stamp { Stamp(milliseconds: milliseconds, counter: counter, node: node) }

    /// Processes a stamp of another node: all stamps created afterwards are greater.
    mutating func receive(_ stamp: Stamp, wallMilliseconds: Int64) {
        let latest = max(wallMilliseconds, milliseconds, stamp.milliseconds)
        // The counter continues after those of the clocks with the latest time.
        let ownCounter = latest == milliseconds ? counter : nil
        let otherCounter = latest == stamp.milliseconds ? stamp.counter : nil
        milliseconds = latest
        guard let last = [ownCounter, otherCounter].compactMap(\.self).max() else {
            counter = 0
            return
        }
        if last == .max { milliseconds &+= 1 }
        counter = last &+ 1
    }

    /// The latest accepted time of another clock: `bound` milliseconds ahead of the wall clock, or this clock's own
    /// time if that is later.
    ///
    /// If the limit were this clock's own time plus the bound, many stamps could push the clock forward without
    /// limit, each by the bound.
    func limit(wallMilliseconds: Int64, bound: Int64) -> Int64 {
        let (sum, overflow) = wallMilliseconds.addingReportingOverflow(bound)
        return max(milliseconds, overflow ? .max : sum)
    }
}
