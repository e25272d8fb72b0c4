package import PoolModel

/// A server and the state of the connection to it.
package struct ServerState: Equatable, Sendable {
    /// The configured server.
    package var server: Server
    /// Whether a password is stored.
    ///
    /// The password itself is never included.
    package var hasPassword: Bool
    /// The connection to it; nil before the first attempt and if the hub is not running.
    package var connection: ServerConnection?

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

/// The state of the connection to a server, as lists and screens show it.
package struct ServerConnection: Hashable, Sendable {
    /// The phase of a connection; the raw value is the word in lists.
    package enum Phase: String, Codable, Sendable {
        /// An attempt is running.
        case connecting
        /// The broker has accepted the hub.
        case connected
        /// The last attempt failed, and the next one will be made soon.
        case waiting
        /// The last attempt failed for a reason that the user must remove.
        case failed
    }

    /// The phase of the connection.
    package var phase: Phase
    /// The state in words, such as `connected` or why it failed.
    package var words: String

    /// Creates the state of a connection.
    package init(_ phase: Phase, words: String) {
        self.phase = phase
        self.words = words
    }

    /// Whether the broker has accepted the hub.
    package var isConnected: Bool { phase == .connected }
}

/// One flat JSON object, as `--json` prints it: the fields of the server and those of its state.
extension ServerState: Codable {
    private enum CodingKeys: CodingKey {
        case hasPassword, isConnected, state, stateWord
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try Server(from: decoder), hasPassword: try fields.decode(Bool.self, forKey: .hasPassword))
        connection = try fields.decodeIfPresent(ServerConnection.Phase.self, forKey: .stateWord).map { phase in
            ServerConnection(phase, words: try fields.decode(String.self, forKey: .state))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try server.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(hasPassword, forKey: .hasPassword)
        try fields.encodeIfPresent(connection?.isConnected, forKey: .isConnected)
        try fields.encodeIfPresent(connection?.words, forKey: .state)
        try fields.encodeIfPresent(connection?.phase, forKey: .stateWord)
    }
}
