/// A few words that answer a key and go away by themselves after two seconds.
public struct KeyFeedback: Equatable, Sendable {
    /// How long it is shown.
    public static let duration = Duration.seconds(2)

    /// What it says, until somebody asks whether it still does.
    private var words = ""
    /// When it goes away, as ``TerminalView/elapsed``, or nil.
    public private(set) var end: Duration?

    /// Creates an answer that says nothing.
    public init() {}

    /// Says something now instead of what it said before.
    public mutating func say(_ words: String, at now: Duration) {
        self.words = words
        end = now + Self.duration
    }

    /// Says nothing any more.
    public mutating func clear() {
        self = KeyFeedback()
    }

    /// What it says at a moment, nil if nothing.
    public func text(at now: Duration) -> String? {
        guard let end, now < end else { return nil }
        return words
    }
}
