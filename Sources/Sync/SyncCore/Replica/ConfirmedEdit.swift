/// An edit of this watch that the hub has confirmed.
public struct ConfirmedEdit: Hashable, Sendable {
    /// The edit with its changes, as this watch made it.
    public var edit: Edit
    /// The rule by which it lost and is in the conflict log; nil if it took effect.
    public var rule: Conflict.Rule?

    /// Creates a confirmed edit.
    public init(edit: Edit, rule: Conflict.Rule? = nil) {
        self.edit = edit
        self.rule = rule
    }
}
