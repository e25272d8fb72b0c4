/// The name of the application that a hub and its watches are parts of, such as `companion`; it keeps the watches of
/// one application from a hub of another, whose records they could not read.
///
/// It has 1…64 of the letters `a`…`z`, digits and full stops, so that it fits into an invitation, also in capitals.
public struct AppName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// Creates a name; nil for a text that is not a name.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isFit) else { return nil }
        self.text = text
    }

    private static func isFit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
        default: false
        }
    }
}

extension AppName: ExpressibleByStringLiteral {
    /// Creates a name that the source holds; it must be one.
    public init(stringLiteral text: String) {
        guard let name = AppName(text) else { preconditionFailure("\"\(text)\" is no name of an application") }
        self = name
    }
}

extension AppName: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}
