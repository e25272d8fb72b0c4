package import PoolModel

/// A server with what a hub knows of it.
package struct ServerState: Equatable, Sendable {
    /// What is configured.
    package var server: Server
    /// Whether a password is kept; it is never told.
    package var hasPassword: Bool
    /// Whether the broker has accepted the hub; nil at rest, and while nobody tried.
    package var isConnected: Bool?
    /// The state of the connection in words, such as `connected` or why it failed; nil at rest.
    package var state: String?
    /// The same in one word; nil at rest.
    package var stateWord: String?

    /// Creates the state of a server that nobody connects to.
    package init(_ server: Server, hasPassword: Bool = false) {
        self.server = server
        self.hasPassword = hasPassword
    }

    /// The identity of the server.
    package var id: ServerID { server.id }
    /// The name of the server.
    package var name: String { server.name }
}

/// One flat object, as `--json` prints it: the fields of the server beside those of its state.
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
