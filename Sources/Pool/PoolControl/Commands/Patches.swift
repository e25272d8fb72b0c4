package import PoolModel

/// What a patch does to a value that may be missing.
package enum OptionalPatch<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// It is this one from now on.
    case set(Value)
    /// There is none from now on.
    case remove

    /// The value from now on.
    package var value: Value? {
        switch self {
        case .set(let value): value
        case .remove: nil
        }
    }
}

/// What changes at a server; what is nil stays.
package struct ServerPatch: Codable, Hashable, Sendable {
    /// The name.
    package var name: String?
    /// The host.
    package var host: String?
    /// The port.
    package var port: Int?
    /// The user name; empty for none.
    package var username: String?
    /// The password; empty for none.
    package var password: String?
    /// Whether the connection is encrypted.
    package var usesTLS: Bool?
    /// The file with the authorities to trust; empty for the system's.
    package var caFile: String?
    /// The hub's own certificate; two empty paths for none.
    package var clientCertificate: Server.ClientCertificate?
    /// The version of MQTT.
    package var protocolVersion: Server.ProtocolVersion?
    /// The prefix of Home Assistant's discovery; empty not to announce.
    package var announcementPrefix: String?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// What changes at a device; what is nil stays.
package struct DevicePatch: Codable, Hashable, Sendable {
    /// The name.
    package var name: String?
    /// The server; the only one there is by default.
    package var serverID: ServerID?
    /// The topic.
    package var topic: String?
    /// The type.
    package var deviceType: String?
    /// The seconds between two readings, as expected.
    package var expectedIntervalSeconds: Int?
    /// The pool.
    package var poolID: OptionalPatch<PoolID>?
    /// What its messages mean.
    package var mapping: OptionalPatch<DeviceMapping>?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// What changes at a pool; what is nil stays.
package struct PoolPatch: Codable, Hashable, Sendable {
    /// The name.
    package var name: String?
    /// The volume in cubic metres; 0 for unknown.
    package var volume: Double?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// A patch lacks what a new record cannot do without.
package struct PatchError: Error, CustomStringConvertible {
    package let description: String
}

extension ServerPatch {
    /// The new server that the patch describes.
    package func server(id: ServerID) throws -> Server {
        guard let name else { throw PatchError(description: "a server needs a name") }
        guard let host else { throw PatchError(description: "a server needs a host, such as 192.168.1.10") }
        let usesTLS = usesTLS ?? (caFile != nil)
        return applied(to: Server(id: id, name: name, host: host, port: port, usesTLS: usesTLS))
    }

    /// The server with what the patch changes.
    package func applied(to server: Server) -> Server {
        var edited = server
        if let name { edited.name = name }
        if let host { edited.host = host }
        if let usesTLS {
            // A default port follows the encryption, one that was chosen stays.
            if server.port == Server.defaultPort(usesTLS: server.usesTLS) {
                edited.port = Server.defaultPort(usesTLS: usesTLS)
            }
            edited.usesTLS = usesTLS
        }
        if let port { edited.port = port }
        if let username { edited.username = username.isEmpty ? nil : username }
        if let caFile { edited.caFile = caFile.isEmpty ? nil : caFile }
        if let pair = clientCertificate {
            let isNone = pair.certificateFile.isEmpty && pair.keyFile.isEmpty
            edited.clientCertificate = isNone ? nil : pair
        }
        if let protocolVersion { edited.protocolVersion = protocolVersion }
        if let announcementPrefix { edited.announcementPrefix = announcementPrefix.isEmpty ? nil : announcementPrefix }
        return edited
    }
}

extension DevicePatch {
    /// The new device that the patch describes.
    package func device(id: DeviceID, in configuration: PoolConfiguration) throws -> Device {
        guard let name else { throw PatchError(description: "a device needs a name") }
        guard let topic else { throw PatchError(description: "a device needs a topic, such as pool/sensor/main") }
        let server = try owner(in: configuration)
        return try applied(to: Device(id: id, name: name, serverID: server.id, topic: topic), in: configuration)
    }

    /// The device with what the patch changes.
    package func applied(to device: Device, in configuration: PoolConfiguration) throws -> Device {
        var edited = device
        if let name { edited.name = name }
        if let serverID { edited.serverID = try configuration.known(serverID).id }
        if let topic { edited.topic = topic }
        if let deviceType { edited.deviceType = deviceType }
        if let expectedIntervalSeconds { edited.expectedIntervalSeconds = expectedIntervalSeconds }
        if let poolID { edited.poolID = try poolID.value.map { try configuration.known($0).id } }
        if let mapping { edited.mapping = mapping.value }
        return edited
    }

    /// The server that is named, or the only one there is.
    private func owner(in configuration: PoolConfiguration) throws -> Server {
        if let serverID { return try configuration.known(serverID) }
        guard configuration.servers.count == 1 else {
            let names = configuration.servers.map(\.name).joined(separator: ", ")
            throw PatchError(
                description: names.isEmpty
                    ? "there is no server yet; add one first" : "name the server of the device, one of: \(names)")
        }
        return configuration.servers[0]
    }
}

extension PoolPatch {
    /// The pool with what the patch changes.
    package func applied(to pool: Pool) -> Pool {
        var edited = pool
        if let name { edited.name = name }
        if let volume { edited.volume = volume == 0 ? nil : volume }
        return edited
    }
}

extension PoolConfiguration {
    /// The server of an identity.
    ///
    /// - Throws: `ConfigurationError.missing(_:_:)` if it was removed.
    package func known(_ id: ServerID) throws(ConfigurationError) -> Server {
        guard let server = server(id) else { throw .missing(.server, "\(id)") }
        return server
    }

    /// The device of an identity.
    ///
    /// - Throws: `ConfigurationError.missing(_:_:)` if it was removed.
    package func known(_ id: DeviceID) throws(ConfigurationError) -> Device {
        guard let device = device(id) else { throw .missing(.device, "\(id)") }
        return device
    }

    /// The pool of an identity.
    ///
    /// - Throws: `ConfigurationError.missing(_:_:)` if it was removed.
    package func known(_ id: PoolID) throws(ConfigurationError) -> Pool {
        guard let pool = pool(id) else { throw .missing(.pool, "\(id)") }
        return pool
    }
}

extension ServerPatch {
    /// A patch that makes a server the same as this one, but for its password.
    package init(of server: Server) {
        self.init()
        name = server.name
        host = server.host
        port = server.port
        usesTLS = server.usesTLS
        username = server.username ?? ""
        caFile = server.caFile ?? ""
        clientCertificate = server.clientCertificate ?? Server.ClientCertificate(certificateFile: "", keyFile: "")
        protocolVersion = server.protocolVersion
        announcementPrefix = server.announcementPrefix ?? ""
    }
}

extension DevicePatch {
    /// A patch that makes a device the same as this one, but for its limits and calibrations.
    package init(of device: Device) {
        self.init()
        name = device.name
        serverID = device.serverID
        topic = device.topic
        deviceType = device.deviceType
        expectedIntervalSeconds = device.expectedIntervalSeconds
        poolID = device.poolID.map { .set($0) } ?? .remove
        mapping = device.mapping.map { .set($0) } ?? .remove
    }
}

extension PoolPatch {
    /// A patch that makes a pool the same as this one, but for its limits.
    package init(of pool: Pool) {
        self.init()
        name = pool.name
        volume = pool.volume ?? 0
    }
}
