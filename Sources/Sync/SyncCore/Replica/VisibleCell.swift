/// A cell as a person sees it on a watch.
public struct VisibleCell: Hashable, Sendable {
    /// The value; nil if the person has deleted the cell and the hub has not confirmed that.
    public var value: String?
    /// The write that produced it.
    public var dot: RandomID
    /// Whether the hub has not confirmed it yet.
    public var isPending: Bool

    /// Creates a cell.
    public init(value: String?, dot: RandomID, isPending: Bool) {
        self.value = value
        self.dot = dot
        self.isPending = isPending
    }
}
