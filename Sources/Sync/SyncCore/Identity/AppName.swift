/// The name of the application that a hub and its watches belong to, such as `companion`.
///
/// A hub refuses the watches of another application, because they could not read its records.
///
/// It has 1…64 of the letters `a`…`z`, digits and full stops, so that it fits into an invitation, even in capitals.
public struct AppName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// Creates a name; nil if the text is not a valid name.
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
    /// Creates a name from a literal, which must be a valid name.
    public init(stringLiteral text: String) {
        guard let name = AppName(text) else { preconditionFailure("\"\(text)\" is not an application name") }
        self = name
    }
}

extension AppName: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}
