/// The tombstones of a ledger by the devices that left them, so that none searches the cells for them.
///
/// A watch may leave as many as it likes, but the hub keeps only its share: the oldest of its own go, never what
/// others left.
struct Tombstones: Sendable {
    /// The most tombstones of one watch.
    static let countMaxOfWatch = 512
    /// The most tombstones of all watches together, and the most of the hub itself.
    static let countMaxOfSide = Ledger.tombstoneCountMax / 2

    /// A tombstone; the oldest comes first.
    struct Entry: Comparable, Sendable {
        var stamp: Stamp
        var key: CellKey

        static func < (left: Entry, right: Entry) -> Bool { (left.stamp, left.key) < (right.stamp, right.key) }
    }

    /// By node, in ascending order.
    private(set) var entries: [UInt64: [Entry]] = [:]
    /// The number of those that watches left.
    private(set) var countOfWatches = 0

    /// Collects the tombstones of the cells of a store.
    init(_ cells: SortedMap<CellKey, Cell>) {
        for (key, cell) in cells.pairs where cell.value == nil {
            entries[cell.stamp.node, default: []].append(Entry(stamp: cell.stamp, key: key))
            if cell.stamp.node != 0 { countOfWatches += 1 }
        }
        for node in entries.keys { entries[node]?.sort() }
    }

    /// Adds a cell if it is a tombstone.
    mutating func add(_ cell: Cell, at key: CellKey) {
        guard cell.value == nil else { return }
        let entry = Entry(stamp: cell.stamp, key: key)
        entries[cell.stamp.node, default: []].insert(sorted: entry)
        if cell.stamp.node != 0 { countOfWatches += 1 }
    }

    /// Removes a cell if it is a tombstone.
    mutating func remove(_ cell: Cell, at key: CellKey) {
        guard cell.value == nil else { return }
        let entry = Entry(stamp: cell.stamp, key: key)
        guard let position = entries[cell.stamp.node]?.position(of: entry),
            entries[cell.stamp.node]?[position...].first == entry
        else { return }
        entries[cell.stamp.node]?.remove(at: position)
        if entries[cell.stamp.node]?.isEmpty == true { entries[cell.stamp.node] = nil }
        if cell.stamp.node != 0 { countOfWatches -= 1 }
    }

    /// Whether a node, or all watches together, have more than they may.
    func isOverfull(_ node: UInt64) -> Bool {
        countOfWatches > Self.countMaxOfSide || (entries[node]?.count ?? 0) > Self.share(of: node, Self.countMaxOfWatch)
    }

    /// Whether anybody has more than allowed; it looks at all devices.
    var isOverfull: Bool { entries.keys.contains { isOverfull($0) } }

    /// The cells of the tombstones that are too many, of each device the oldest.
    var excess: [CellKey] {
        let level = level
        return entries.flatMap { node, entries in
            entries.dropLast(Self.share(of: node, level)).map(\.key)
        }.sorted()
    }

    /// The cells of the tombstones that were left before a time.
    func left(before milliseconds: Int64) -> [CellKey] {
        entries.values.flatMap { entries in
            entries.prefix { $0.stamp.milliseconds < milliseconds }.map(\.key)
        }.sorted()
    }

    private static func share(of node: UInt64, _ level: Int) -> Int { node == 0 ? countMaxOfSide : level }

    /// The most tombstones that each watch may have, so that all of them have no more than their side may.
    ///
    /// Watches with fewer keep all of theirs.
    private var level: Int {
        guard countOfWatches > Self.countMaxOfSide else { return Self.countMaxOfWatch }
        var room = Self.countMaxOfSide
        let counts = entries.filter { $0.key != 0 }.values.map(\.count).sorted()
        for (position, count) in counts.enumerated() {
            let share = room / (counts.count - position)
            guard count <= share else { return min(share, Self.countMaxOfWatch) }
            room -= count
        }
        return Self.countMaxOfWatch
    }
}

extension Array where Element: Comparable {
    /// The position of the first element that is not less than another one; the elements are in ascending order.
    fileprivate func position(of element: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }

    fileprivate mutating func insert(sorted element: Element) {
        // New tombstones are mostly the newest.
        if let last, last < element { append(element) } else { insert(element, at: position(of: element)) }
    }
}
