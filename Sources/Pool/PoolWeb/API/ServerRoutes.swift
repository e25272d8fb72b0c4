import PoolControl
import PoolModel
import WebServer

/// The MQTT servers, for owners.
///
/// A password comes in, and never goes out; files of the hub's machine are neither named nor shown.
struct ServerRoutes: Sendable {
    let hub: HubWatcher

    /// What may be said of a server.
    private static let members = Server.pageKeys.union(["password"])

    // MARK: - Lists

    func servers() throws -> WebResponse {
        let state = try hub.snapshot().state
        return try .json(state.servers.map { ServerView($0, in: state) })
    }

    func server(_ id: String) throws -> WebResponse {
        let state = try hub.snapshot().state
        return try view(try Self.server(id, in: state), state)
    }

    // MARK: - Changes

    func add(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(Self.members.union(["isUntested"]))
        let patch = try Self.patch(members)
        guard let name = patch.name else { throw members.lacks("name") }
        guard let host = patch.host else { throw members.lacks("host") }
        if try !(members.optionalFlag("isUntested") ?? false) {
            try await test(nil, patch, name: name, address: Self.address(host, patch), isNew: true)
        }
        _ = try await hub.ask(.edit(.addServer(patch)).authored(by: context.account.author))
        let state = try await hub.freshSnapshot().state
        guard let added = state.servers.first(where: { $0.name == name }) else {
            throw Problem(.failed, "the server \(Excerpt(name)) was added, and is not in the list: look there again")
        }
        var answer = try view(added, state)
        answer.status = 201
        return answer
    }

    func edit(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(Self.members.union(["isUntested"]))
        let given = try Self.patch(members)
        let former = try Self.server(id, in: try hub.snapshot().state)
        let tried = try Self.changes(given, of: former)
        if tried.changesConnection, try !(members.optionalFlag("isUntested") ?? false) {
            let reached = tried.applied(to: former.server)
            try await test(former.id, tried, name: former.name, address: reached.address, isNew: false)
        }
        let subject: (ReceivedState) throws -> ServerState = { try Self.server(id, in: $0.state) }
        return try await hub.change(context) {
            Self.tag(try subject($0))
        } to: {
            let server = try subject($0)
            return .edit(.editServer(server.id, try Self.changes(given, of: server)))
        } present: { [self] in
            try view(try subject($0), $0.state)
        }
    }

    func remove(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let isCascading = context.parameter("withDevices") == "true"
        let subject: (ReceivedState) throws -> ServerState = { try Self.server(id, in: $0.state) }
        return try await hub.change(context) {
            Self.tag(try subject($0))
        } to: {
            .edit(.removeServer(try subject($0).id, cascading: isCascading))
        } present: { _ in
            try .json(Done(done: "removed the server"))
        } changed: { [self] in
            try view(try subject($0), $0.state)
        }
    }

    // MARK: - Tests

    func test(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(Self.members.union(["serverID"]))
        let given = try Self.patch(members)
        guard members.has("serverID") else {
            guard let host = given.host else { throw members.lacks("host") }
            var patch = given
            // A test needs no name; a free one is tried, which nobody sees.
            patch.name = "test of \(context.account.name) \(UInt32.random(in: 0 ... .max))"
            return try .json(ServerTestView(Self.address(host, patch), try await hub.ask(.tryServer(nil, patch))))
        }
        let server = try Self.server(try members.text("serverID"), in: try hub.snapshot().state)
        let patch = try Self.changes(given, of: server)
        let reached = patch.applied(to: server.server)
        let result = try await hub.ask(
            patch.changesConnection ? .tryServer(server.id, patch) : .testServer(server.id))
        return try .json(ServerTestView(reached.address, result))
    }

    /// Tests a connection before it is stored.
    ///
    /// - Throws: ``Problem`` if it does not work.
    private func test(
        _ id: ServerID?, _ patch: ServerPatch, name: String, address: String, isNew: Bool
    ) async throws {
        let result = try await hub.ask(.tryServer(id, patch))
        guard result.code != .success else { return }
        let (done, way) = isNew ? ("added", "add") : ("changed", "change")
        throw Problem(
            .refused,
            "the test of \(address) failed (\(result.sentence)), so the server \(Excerpt(name)) was not \(done): "
                + "correct what is wrong, or \(way) it untested (isUntested)")
    }

    // MARK: - Bodies

    private static func patch(_ members: RequestMembers) throws(Problem) -> ServerPatch {
        var patch = try members.patch(Server.self)
        patch.password = try members.optionalText("password")
        return patch
    }

    /// What a patch changes of a server.
    ///
    /// - Throws: ``Problem`` if a stored password would go elsewhere, or if files of the hub's machine are in the way.
    private static func changes(_ given: ServerPatch, of server: ServerState) throws(Problem) -> ServerPatch {
        var patch = given.changes(from: ServerPatch(of: server.server))
        if patch.usesTLS == false, server.server.caFile != nil || server.server.clientCertificate != nil {
            throw Problem(
                .refused,
                "the server \(Excerpt(server.name)) has files of certificates, which need TLS: change it on the hub's "
                    + "machine with `poolsensors server edit`", member: "usesTLS")
        }
        if patch.changesAddress, patch.password == nil {
            guard !server.hasPassword else {
                throw Problem(
                    .wrongMember,
                    "the stored password of the server \(Excerpt(server.name)) goes to no other address: type it again, "
                        + "or send an empty one for none",
                    french: "le mot de passe enregistré ne va pas à une autre adresse : retapez-le", member: "password")
            }
            patch.password = ""
        }
        return patch
    }

    /// The address of a new server with a host.
    private static func address(_ host: String, _ patch: ServerPatch) -> String {
        patch.applied(to: Server(id: ServerID(high: 0, low: 0), name: "", host: host)).address
    }

    /// The server with an identity.
    static func server(_ id: String, in state: HubState) throws(Problem) -> ServerState {
        guard let known = ServerID(id), let server = state.servers.first(where: { $0.id == known }) else {
            throw Problem(.missing, "there is no server \(Excerpt(id)): see /api/v1/servers", value: id)
        }
        return server
    }

    private static func tag(_ server: ServerState) -> String {
        EntityTag.of([EntityTag.of(server.server), "\(server.hasPassword)"])
    }

    private func view(_ server: ServerState, _ state: HubState) throws -> WebResponse {
        try WebResponse.json(ServerView(server, in: state)).with("etag", Self.tag(server))
    }
}

/// A server as owners see it: without its password, and without the paths of files.
struct ServerView: Encodable {
    private let server: Server
    private let rest: Rest

    /// What is told of a server beside its fields.
    private struct Rest: Encodable {
        var id: ServerID
        /// Host and port, as people write them.
        var address: String
        var hasPassword: Bool
        /// Whether a file of the hub's machine says which authorities are trusted.
        var hasAuthorityFile: Bool
        /// Whether the hub shows a certificate of its own.
        var hasClientCertificate: Bool
        /// The names of its devices.
        var devices: [String]
        var stateWord: ServerConnection.Phase?
        var state: String?
    }

    init(_ server: ServerState, in state: HubState) {
        self.server = server.server
        rest = Rest(
            id: server.id, address: server.server.address, hasPassword: server.hasPassword,
            hasAuthorityFile: server.server.caFile != nil,
            hasClientCertificate: server.server.clientCertificate != nil,
            devices: state.devices.filter { $0.device.serverID == server.id }.map(\.name),
            stateWord: server.connection?.phase, state: server.connection?.words)
    }

    func encode(to encoder: any Encoder) throws {
        try server.encodePageFields(to: encoder)
        try rest.encode(to: encoder)
    }
}

/// How the test of a server ended.
struct ServerTestView: Encodable {
    var address: String
    var code: ServerTestCode
    var sentence: String
    var reason: String?

    init(_ address: String, _ result: ServerTestResult) {
        self.address = address
        code = result.code
        sentence = result.sentence
        reason = result.reason
    }
}
