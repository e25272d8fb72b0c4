/// A value in a place of its own: handing it on costs one reference, and a change copies it only where it is shared.
///
/// For large values in a map, which moves a value out while it changes.
struct Boxed<Value> {
    /// One place; an array has the copying on a write, and says itself whether it may be sent.
    private var place: [Value]

    /// Puts a value into a place.
    init(_ value: Value) {
        place = [value]
    }

    /// The value; looked at and changed where it is.
    var value: Value {
        _read { yield place[0] }
        _modify { yield &place[0] }
    }

    /// Looks at the value and changes it where it is, in one go; where it is asked for often, since ``value`` may copy
    /// what is only looked at.
    mutating func change<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        try change(&place[0])
    }
}

extension Boxed: Sendable where Value: Sendable {}
