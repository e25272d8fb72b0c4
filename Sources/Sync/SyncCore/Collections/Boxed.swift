/// A value in separate memory: passing it on costs one reference, and a change copies it only if it is shared.
///
/// Used for large values in a map, because a map moves a value out while it changes.
struct Boxed<Value> {
    /// One element; an array provides copy-on-write, and is Sendable if the value is.
    private var place: [Value]

    /// Stores a value.
    init(_ value: Value) {
        place = [value]
    }

    /// The value; read and changed in place.
    var value: Value {
        _read { yield place[0] }
        _modify { yield &place[0] }
    }

    /// Reads and changes the value in place in one step.
    ///
    /// Use it in frequent calls, because a read through ``value`` may copy.
    mutating func change<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        try change(&place[0])
    }
}

extension Boxed: Sendable where Value: Sendable {}
