/// A write that was rejected whatever its cell contained.
public struct RejectedWrite: Hashable, Sendable {
    /// The write.
    public var dot: RandomID
    /// The write whose value its author had seen, nil if the author saw none.
    public var base: RandomID?

    /// Creates a rejected write.
    public init(dot: RandomID, base: RandomID?) {
        self.dot = dot
        self.base = base
    }
}
