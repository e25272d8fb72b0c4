/// An application's name for a request to an engine; it comes back with the answer.
public struct RequestID: Hashable, Comparable, Sendable {
    /// The number that the application chose.
    public let number: UInt64

    /// Creates a name.
    public init(number: UInt64) {
        self.number = number
    }

    /// Whether the left number is smaller.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
}
