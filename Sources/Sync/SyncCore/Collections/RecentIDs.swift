/// The last ids of a long sequence, to recognise those that were seen before.
public struct RecentIDs: Hashable, Sendable {
    /// The number of ids that are remembered at least.
    public static let countMax = 4096

    /// The ids, oldest first.
    public private(set) var ids: [RandomID] = []
    private var members: Set<RandomID> = []

    /// Creates a sequence of these ids, oldest first.
    public init(_ ids: [RandomID] = []) {
        append(ids)
    }

    /// Adds ids at the end, each once; the oldest are forgotten.
    public mutating func append(_ new: [RandomID]) {
        _ = adding(new)
    }

    /// As ``append(_:)``; returns the ids that were not remembered before, and those that are no longer.
    mutating func adding(_ new: [RandomID]) -> (added: [RandomID], forgotten: ArraySlice<RandomID>) {
        let added = new.filter { members.insert($0).inserted }
        ids += added
        // A quarter is removed at a time, so that adding one id stays cheap.
        guard ids.count > Self.countMax + Self.countMax / 4 else { return (added, []) }
        let forgotten = ids.prefix(ids.count - Self.countMax)
        for id in forgotten { members.remove(id) }
        ids.removeFirst(forgotten.count)
        return (added, forgotten)
    }

    /// Whether an id is remembered.
    public func contains(_ id: RandomID) -> Bool {
        members.contains(id)
    }

    /// Whether both contain the same ids in the same order.
    public static func == (left: RecentIDs, right: RecentIDs) -> Bool { left.ids == right.ids }

    /// Feeds the ids in order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ids)
    }
}
