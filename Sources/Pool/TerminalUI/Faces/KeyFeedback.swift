/// A short answer to a key, which disappears after two seconds.
public struct KeyFeedback: Equatable, Sendable {
    /// How long it is shown.
    public static let duration = Duration.seconds(2)

    /// The last text, whether it is still shown or not.
    private var words = ""
    /// When it disappears, as ``TerminalView/elapsed``; nil if nothing is shown.
    public private(set) var end: Duration?

    /// Creates an empty answer.
    public init() {}

    /// Shows a text from now on, in place of the last one.
    public mutating func say(_ words: String, at now: Duration) {
        self.words = words
        end = now + Self.duration
    }

    /// Removes the text.
    public mutating func clear() {
        self = KeyFeedback()
    }

    /// The text at a moment; nil if none is shown.
    public func text(at now: Duration) -> String? {
        guard let end, now < end else { return nil }
        return words
    }
}
