/// The last ids of a long row, for telling what was seen before.
public struct RecentIDs: Hashable, Sendable {
    /// How many are remembered at least.
    public static let countMax = 4096

    /// The ids, oldest first.
    public private(set) var ids: [RandomID] = []
    private var members: Set<RandomID> = []

    /// Creates a row of these ids, oldest first.
    public init(_ ids: [RandomID] = []) {
        append(ids)
    }

    /// Adds ids to the end of the row, each once; the oldest are forgotten.
    public mutating func append(_ new: [RandomID]) {
        for id in new where members.insert(id).inserted {
            ids.append(id)
        }
        // A quarter at a time, so that adding one stays cheap.
        guard ids.count > Self.countMax + Self.countMax / 4 else { return }
        for id in ids.prefix(ids.count - Self.countMax) {
            members.remove(id)
        }
        ids.removeFirst(ids.count - Self.countMax)
    }

    /// Whether an id is remembered.
    public func contains(_ id: RandomID) -> Bool {
        members.contains(id)
    }

    /// Whether both remember the same ids in the same order.
    public static func == (left: RecentIDs, right: RecentIDs) -> Bool { left.ids == right.ids }

    /// Feeds the ids in their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ids)
    }
}
