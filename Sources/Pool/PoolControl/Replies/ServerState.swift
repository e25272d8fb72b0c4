package import PoolModel

/// A server and the state of the connection to it.
package struct ServerState: Equatable, Sendable {
    /// The configured server.
    package var server: Server
    /// Whether a password is stored.
    ///
    /// The password itself is never included.
    package var hasPassword: Bool
    /// Whether the broker has accepted the hub; nil before the first attempt and if the hub is not running.
    package var isConnected: Bool?
    /// A description of the connection's state, such as `connected` or why it failed; nil if the hub is not running.
    package var state: String?
    /// The connection's state in one word; nil if the hub is not running.
    package var stateWord: String?

    /// Creates the state of a server without a connection.
    package init(_ server: Server, hasPassword: Bool = false) {
        self.server = server
        self.hasPassword = hasPassword
    }

    /// The identity of the server.
    package var id: ServerID { server.id }
    /// The name of the server.
    package var name: String { server.name }
}

/// One flat JSON object, as `--json` prints it: the fields of the server and those of its state.
extension ServerState: Codable {
    private enum CodingKeys: CodingKey {
        case hasPassword, isConnected, state, stateWord
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try Server(from: decoder), hasPassword: try fields.decode(Bool.self, forKey: .hasPassword))
        isConnected = try fields.decodeIfPresent(Bool.self, forKey: .isConnected)
        state = try fields.decodeIfPresent(String.self, forKey: .state)
        stateWord = try fields.decodeIfPresent(String.self, forKey: .stateWord)
    }

    package func encode(to encoder: any Encoder) throws {
        try server.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(hasPassword, forKey: .hasPassword)
        try fields.encodeIfPresent(isConnected, forKey: .isConnected)
        try fields.encodeIfPresent(state, forKey: .state)
        try fields.encodeIfPresent(stateWord, forKey: .stateWord)
    }
}
