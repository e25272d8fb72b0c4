/// An application's identifier of a request to an engine; the answer carries it.
public struct RequestID: Hashable, Comparable, Sendable {
    /// The number that the application chose.
    public let number: UInt64

    /// Creates an identifier.
    public init(number: UInt64) {
        self.number = number
    }

    /// Whether the left number is smaller.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
}
