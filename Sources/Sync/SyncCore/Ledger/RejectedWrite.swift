/// A write that could not take effect whatever stood in its cell.
public struct RejectedWrite: Hashable, Sendable {
    /// The write.
    public var dot: RandomID
    /// The write whose value its author had seen, nil if there was none.
    public var base: RandomID?

    /// Creates a rejected write.
    public init(dot: RandomID, base: RandomID?) {
        self.dot = dot
        self.base = base
    }
}
