import PoolControl
import PoolModel

/// Edits servers; their passwords are not part of the configuration.
struct ServerEditor: Sendable {
    let editor: ConfigurationEditor
    let secrets: Secrets

    /// Adds a server.
    func add(_ patch: ServerPatch) async throws -> HubReply {
        var generator = SystemRandomNumberGenerator()
        let id = ServerID(using: &generator)
        let server = try patch.server(id: id)
        // The password first, because the hub connects as soon as the server is added.
        try secrets.setPassword(patch.password.flatMap { $0.isEmpty ? nil : $0 }, of: id)
        let answer = try await editor.change { old in
            ConfigurationEdit(try old.adding(server), "added server \(server.name)")
        }
        if case .refused = answer { try secrets.setPassword(nil, of: id) }
        return answer
    }

    /// Changes a server.
    func edit(_ id: ServerID, _ patch: ServerPatch) async throws -> HubReply {
        let server = try await editor.configuration().configuration.known(id)
        let former = try secrets.password(of: id)
        // The hub connects as soon as the configuration has changed: an old password must not go to a new address.
        let isMoved = patch.password != nil && !patch.applied(to: server).isReached(like: server)
        if isMoved { try secrets.setPassword(nil, of: id) }
        let answer: HubReply
        do {
            answer = try await editor.change { old in
                let edited = patch.applied(to: try old.known(id))
                return ConfigurationEdit(try old.replacing(edited), "changed server \(edited.name)")
            }
        } catch {
            if isMoved { try secrets.setPassword(former, of: id) }
            throw error
        }
        if case .done = answer, let password = patch.password {
            try secrets.setPassword(password.isEmpty ? nil : password, of: id)
        } else if isMoved {
            try secrets.setPassword(former, of: id)
        }
        return answer
    }

    /// Removes a server, and its devices if `cascading` is true.
    func remove(_ id: ServerID, cascading: Bool) async throws -> HubReply {
        let old = try await editor.configuration().configuration
        let server = try old.known(id)
        let devices = old.devices(of: server.id).map(\.name)
        guard devices.isEmpty || cascading else {
            return .serverHasDevices(server: server.name, devices: devices)
        }
        let answer = try await editor.change { old in
            ConfigurationEdit(
                try old.removing(server: server.id, cascading: cascading), "removed server \(server.name)")
        }
        if case .done = answer { try secrets.setPassword(nil, of: server.id) }
        return answer
    }

    /// Tests a server that is configured.
    func trial(of id: ServerID) async throws -> HubReply {
        let server = try await editor.configuration().configuration.known(id)
        let result = await ServerTest.run(server, password: try secrets.password(of: id))
        return .trial(code: result.code, reason: result.reason)
    }

    /// Tests a server as it would be after a patch, with its password if the patch has none.
    ///
    /// - Parameters:
    ///   - id: The server; nil for one that is not added yet.
    ///   - patch: The patch.
    /// - Returns: How the test ended.
    /// - Throws: `ConfigurationError` if the patch is not possible.
    func trial(of id: ServerID?, with patch: ServerPatch) async throws -> HubReply {
        let configuration = try await editor.configuration().configuration
        var generator = SystemRandomNumberGenerator()
        let server: Server
        if let id {
            server = patch.applied(to: try configuration.known(id))
            _ = try configuration.replacing(server)
        } else {
            server = try patch.server(id: ServerID(using: &generator))
            _ = try configuration.adding(server)
        }
        let password = try patch.password ?? id.flatMap { try secrets.password(of: $0) }
        let result = await ServerTest.run(server, password: password.flatMap { $0.isEmpty ? nil : $0 })
        return .trial(code: result.code, reason: result.reason)
    }
}
