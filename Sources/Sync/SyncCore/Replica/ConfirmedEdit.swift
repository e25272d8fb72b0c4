/// An edit of this watch that the hub has taken in.
public struct ConfirmedEdit: Hashable, Sendable {
    /// The edit.
    public var edit: Edit
    /// Why it is not shown, and is in the log of conflicts; nil if it took effect.
    public var rule: Conflict.Rule?

    /// Creates a confirmed edit.
    public init(edit: Edit, rule: Conflict.Rule? = nil) {
        self.edit = edit
        self.rule = rule
    }
}
