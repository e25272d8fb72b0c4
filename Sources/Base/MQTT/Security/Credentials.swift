/// The user name and password that a client sends to the broker.
///
/// Its descriptions never contain the password. Without TLS both are sent unencrypted.
public struct Credentials: Hashable, Sendable {
    /// The user name; at most 65535 bytes of UTF-8.
    ///
    /// An empty name is not the same as no credentials.
    public var userName: String
    /// The password; nil to send none, at most 65535 bytes of UTF-8 without U+0000.
    public var password: String?

    /// Creates credentials.
    public init(userName: String, password: String?) {
        self.userName = userName
        self.password = password
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user name, and whether there is a password.
    public var description: String { "\(userName), \(password == nil ? "no password" : "password hidden")" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The user name only.
    public var customMirror: Mirror { Mirror(self, children: ["userName": userName]) }
}
