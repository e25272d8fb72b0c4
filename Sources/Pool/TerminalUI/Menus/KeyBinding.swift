/// A key and what it does in the present state, for the help and for hints.
public struct KeyBinding: Hashable, Sendable {
    /// The key as it is printed, such as `a` or `↑↓`.
    public var keys: String
    /// What it does, in a few words.
    public var action: String

    /// Creates a binding.
    public init(_ keys: String, _ action: String) {
        self.keys = keys
        self.action = action
    }
}
