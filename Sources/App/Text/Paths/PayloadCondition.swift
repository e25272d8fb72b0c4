/// A condition on a payload for its numbers to count, such as `isValid` being `true`.
public struct PayloadCondition: Hashable, Sendable {
    /// The place in the payload.
    public var path: ValuePath
    /// The accepted scalars, as text; empty to accept everything except ``others``.
    public var words: [String]
    /// The rejected scalars, as text.
    public var others: [String]

    /// Creates a condition without checking it.
    public init(_ path: ValuePath, isOneOf words: [String] = [], isNoneOf others: [String] = []) {
        self.path = path
        self.words = words
        self.others = others
    }
}
