/// A map whose pairs always come in the order of their keys, so that no output depends on hashing.
///
/// Look-up takes O(log *n*), insertion and removal O(*n*); made for at most some thousands of pairs.
public struct SortedMap<Key: Comparable, Value> {
    /// The pairs in ascending order of the keys.
    public private(set) var pairs: [(key: Key, value: Value)] = []

    /// Creates an empty map.
    public init() {}

    /// The number of pairs.
    public var count: Int { pairs.count }

    /// Whether there are no pairs.
    public var isEmpty: Bool { pairs.isEmpty }

    /// The keys in ascending order.
    public var keys: [Key] { pairs.map(\.key) }

    /// The values in the order of their keys.
    public var values: [Value] { pairs.map(\.value) }

    /// The value of a key; nil removes the pair.
    public subscript(key: Key) -> Value? {
        get {
            let position = lowerBound(key)
            guard position < pairs.count, pairs[position].key == key else { return nil }
            return pairs[position].value
        }
        set {
            let position = lowerBound(key)
            let exists = position < pairs.count && pairs[position].key == key
            switch (newValue, exists) {
            case (let value?, true): pairs[position].value = value
            case (let value?, false): pairs.insert((key, value), at: position)
            case (nil, true): pairs.remove(at: position)
            case (nil, false): break
            }
        }
    }

    /// Changes the value of a key in place, starting from `initial` if there is none.
    public mutating func update<Result>(
        _ key: Key, default initial: @autoclosure () -> Value, _ change: (inout Value) throws -> Result
    ) rethrows -> Result {
        let position = lowerBound(key)
        if position == pairs.count || pairs[position].key != key {
            pairs.insert((key, initial()), at: position)
        }
        return try change(&pairs[position].value)
    }

    /// Keeps only the pairs that satisfy a condition.
    public mutating func removeAll(where shouldRemove: (Key, Value) -> Bool) {
        pairs.removeAll { shouldRemove($0.key, $0.value) }
    }

    /// The position of the first pair whose key is not less than `key`.
    private func lowerBound(_ key: Key) -> Int {
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].key < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}

extension SortedMap: Equatable where Value: Equatable {
    /// Whether both maps hold the same pairs.
    public static func == (left: SortedMap, right: SortedMap) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.key == $1.key && $0.value == $1.value }
    }
}

extension SortedMap: Hashable where Key: Hashable, Value: Hashable {
    /// Feeds the pairs in order.
    public func hash(into hasher: inout Hasher) {
        for (key, value) in pairs {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}
