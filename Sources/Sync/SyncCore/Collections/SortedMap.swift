/// A map whose pairs are always in the order of their keys, so that no output depends on hashing.
///
/// Lookup takes O(log *n*); insertion and removal take O(*n*), or O(1) at the end. It is meant for some thousands of
/// pairs at most.
public struct SortedMap<Key: Comparable, Value> {
    /// The keys in ascending order.
    @usableFromInline var ordered: [Key] = []

    /// The value of each key; nil only while the value is being changed in place.
    ///
    /// Values are stored apart from the keys, so that a search reads only keys.
    @usableFromInline var slots: [Value?] = []

    /// Creates an empty map.
    @inlinable
    public init() {}

    /// Creates a map of pairs with distinct keys, in any order: it is sorted once, where each insertion would move what follows.
    @inlinable
    public init(_ pairs: [(key: Key, value: Value)]) {
        let sorted = pairs.sorted { $0.key < $1.key }
        ordered = sorted.map(\.key)
        slots = sorted.map(\.value)
    }

    /// The pairs in ascending order of the keys.
    @inlinable public var pairs: Pairs { Pairs(keys: ordered, slots: slots) }

    /// The keys in ascending order.
    @inlinable public var keys: [Key] { ordered }

    /// The number of pairs.
    @inlinable public var count: Int { ordered.count }

    /// Whether there are no pairs.
    @inlinable public var isEmpty: Bool { ordered.isEmpty }

    /// The values in the order of their keys.
    @inlinable public var values: [Value] { slots.compactMap { $0 } }

    /// The value of a key; nil removes the pair.
    ///
    /// A change through optional chaining happens in place: what the value stores is not copied.
    @inlinable
    public subscript(key: Key) -> Value? {
        get {
            let position = lowerBound(key)
            return isKey(key, at: position) ? slots[position] : nil
        }
        _modify {
            let position = place(of: key)
            let exists = isKey(key, at: position)
            // The value moves out, so that it is not shared while it changes.
            var value: Value?
            if exists { value = slots[position].take() }
            defer {
                if value != nil {
                    if exists { slots[position] = value } else { insert(key, value, at: position) }
                } else if exists {
                    ordered.remove(at: position)
                    slots.remove(at: position)
                }
            }
            yield &value
        }
    }

    /// Changes the value of a key in place, starting from `initial` if the key is absent.
    @inlinable
    public mutating func update<Result>(
        _ key: Key, default initial: @autoclosure () -> Value, _ change: (inout Value) throws -> Result
    ) rethrows -> Result {
        let position = place(of: key)
        if !isKey(key, at: position) { insert(key, initial(), at: position) }
        return try self.change(at: position, change)
    }

    /// Changes the value of a key in place, or nil.
    @inlinable
    public mutating func modify<Result>(_ key: Key, _ change: (inout Value) throws -> Result) rethrows -> Result? {
        let position = lowerBound(key)
        return isKey(key, at: position) ? try self.change(at: position, change) : nil
    }

    /// Changes all values in place, in the order of their keys.
    @inlinable
    public mutating func modifyAll(_ change: (Key, inout Value) throws -> Void) rethrows {
        let keys = ordered
        for (position, key) in keys.enumerated() {
            try self.change(at: position) { try change(key, &$0) }
        }
    }

    @inlinable
    mutating func change<Result>(at position: Int, _ change: (inout Value) throws -> Result) rethrows -> Result {
        // The value moves out, so that it is not shared while it changes.
        guard var value = slots[position].take() else {
            preconditionFailure("the pair at \(position) has no value")
        }
        defer { slots[position] = value }
        return try change(&value)
    }

    /// Keeps only the pairs that satisfy a condition.
    @inlinable
    public mutating func removeAll(where shouldRemove: (Key, Value) -> Bool) {
        let kept = pairs.filter { !shouldRemove($0.key, $0.value) }
        guard kept.count < count else { return }
        ordered = kept.map(\.key)
        slots = kept.map(\.value)
    }

    /// Removes the pairs of some keys, each in the map or not, in one pass.
    @inlinable
    public mutating func remove(_ keys: some Sequence<Key>) where Key: Hashable {
        let gone = Set(keys)
        guard gone.count > 1 else {
            for key in gone { self[key] = nil }
            return
        }
        removeAll { key, _ in gone.contains(key) }
    }

    /// Sets the pairs of another map, in one pass if many of them are new.
    @inlinable
    public mutating func merge(_ other: SortedMap) {
        // A pair that is inserted moves all behind it; a pass costs as much as a few of these.
        guard other.keys.count(where: { self[$0] == nil }) > 16 else {
            for (key, value) in other.pairs { self[key] = value }
            return
        }
        var merged = SortedMap()
        merged.ordered.reserveCapacity(count + other.count)
        merged.slots.reserveCapacity(count + other.count)
        var position = 0
        for (key, value) in other.pairs {
            let next = lowerBound(key)
            merged.ordered += ordered[position..<next]
            merged.slots += slots[position..<next]
            merged.insert(key, value, at: merged.count)
            position = isKey(key, at: next) ? next + 1 : next
        }
        merged.ordered += ordered[position...]
        merged.slots += slots[position...]
        self = merged
    }

    /// The pairs from a key on, in ascending order.
    @inlinable
    public func suffix(from key: Key) -> Slice<Pairs> { pairs[lowerBound(key)...] }

    /// The position of the first pair whose key is not less than `key`.
    @inlinable
    func lowerBound(_ key: Key) -> Int {
        var low = 0
        var high = ordered.count
        while low < high {
            let middle = (low + high) / 2
            if ordered[middle] < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// As ``lowerBound(_:)``, for changes: new keys often come in ascending order.
    @inlinable
    func place(of key: Key) -> Int {
        if let last = ordered.last, last < key { return ordered.count }
        return lowerBound(key)
    }

    @inlinable
    func isKey(_ key: Key, at position: Int) -> Bool {
        position < ordered.count && ordered[position] == key
    }

    @inlinable
    mutating func insert(_ key: Key, _ value: Value?, at position: Int) {
        if position == count {
            ordered.append(key)
            slots.append(value)
        } else {
            ordered.insert(key, at: position)
            slots.insert(value, at: position)
        }
    }
}

extension SortedMap {
    /// The pairs of a map in ascending order of the keys.
    public struct Pairs: RandomAccessCollection {
        @usableFromInline let keys: [Key]
        @usableFromInline let slots: [Value?]

        @inlinable
        init(keys: [Key], slots: [Value?]) {
            self.keys = keys
            self.slots = slots
        }

        /// The position of the first pair.
        @inlinable public var startIndex: Int { 0 }

        /// The position behind the last pair.
        @inlinable public var endIndex: Int { keys.count }

        /// The pair at a position.
        @inlinable
        public subscript(position: Int) -> (key: Key, value: Value) {
            guard let value = slots[position] else { preconditionFailure("the pair at \(position) has no value") }
            return (keys[position], value)
        }
    }
}

extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}

extension SortedMap.Pairs: Sendable where Key: Sendable, Value: Sendable {}

extension SortedMap: Equatable where Value: Equatable {
    /// Whether both maps hold the same pairs.
    @inlinable
    public static func == (left: SortedMap, right: SortedMap) -> Bool {
        left.ordered == right.ordered && left.slots == right.slots
    }
}

extension SortedMap: Hashable where Key: Hashable, Value: Hashable {
    /// Feeds the pairs in order.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for (key, value) in pairs {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}
