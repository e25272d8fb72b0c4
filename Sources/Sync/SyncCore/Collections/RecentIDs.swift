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
        for id in new where members.insert(id).inserted {
            ids.append(id)
        }
        // A quarter is removed at a time, so that adding one id stays cheap.
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

    /// Whether both contain the same ids in the same order.
    public static func == (left: RecentIDs, right: RecentIDs) -> Bool { left.ids == right.ids }

    /// Feeds the ids in order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ids)
    }
}
