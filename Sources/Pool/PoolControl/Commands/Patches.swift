package import PoolModel

/// A change of an optional value.
package enum OptionalPatch<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// Set the value.
    case set(Value)
    /// Remove the value.
    case remove

    /// The value after the change.
    package var value: Value? {
        switch self {
        case .set(let value): value
        case .remove: nil
        }
    }
}

extension Optional where Wrapped: Equatable {
    /// Becomes nil if it is equal to another value.
    mutating func clear(ifEqual other: Wrapped?) {
        if self == other { self = nil }
    }
}

/// A change of a server; fields that are nil stay.
package struct ServerPatch: Codable, Hashable, Sendable {
    /// The name for people; 1…256 bytes, not only blanks.
    package var name: String?
    /// The host name, IPv4 address, or IPv6 address without brackets.
    package var host: String?
    /// The TCP port; 1…65535.
    ///
    /// A new server defaults to 1883, or 8883 with TLS.
    package var port: Int?
    /// The user name; empty for none.
    package var username: String?
    /// The password; empty for none.
    package var password: String?
    /// Whether the connection is encrypted.
    package var usesTLS: Bool?
    /// The path of a file with the trusted certificate authorities; empty for the system's.
    package var caFile: String?
    /// The hub's client certificate; two empty paths for none.
    package var clientCertificate: Server.ClientCertificate?
    /// The version of MQTT; a new server defaults to 3.1.1.
    package var protocolVersion: Server.ProtocolVersion?
    /// The prefix of Home Assistant's discovery topics; empty to disable the announcement.
    package var announcementPrefix: String?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// A change of a device; fields that are nil stay.
package struct DevicePatch: Codable, Hashable, Sendable {
    /// The name for people; 1…256 bytes, not only blanks.
    package var name: String?
    /// The server.
    ///
    /// A new device defaults to the only server, if there is exactly one.
    package var serverID: ServerID?
    /// The topic that the device publishes to, without wildcards; 1…65535 bytes.
    package var topic: String?
    /// The type in words; 1…256 bytes, not only blanks.
    package var deviceType: String?
    /// The expected interval between two readings, in seconds; 1…86400.
    package var expectedIntervalSeconds: Int?
    /// Whether the interval is only a beginning, and the hub learns it; nil for one that a person sets.
    package var learnsInterval: Bool?
    /// The pool that the device measures.
    package var poolID: OptionalPatch<PoolID>?
    /// The mapping that decodes its messages.
    package var mapping: OptionalPatch<DeviceMapping>?
    /// Whether another device may have the name, too; nil if none may.
    ///
    /// For an author who may not be shown whether one has.
    package var sharesName: Bool?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// A change of a pool; fields that are nil stay.
package struct PoolPatch: Codable, Hashable, Sendable {
    /// The name for people; 1…256 bytes, not only blanks.
    package var name: String?
    /// The volume in cubic metres; 0 if it is unknown.
    package var volume: Double?
    /// Whether another pool may have the name, too; nil if none may.
    ///
    /// For an author who may not be shown whether one has.
    package var sharesName: Bool?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// A patch lacks a field that a new record requires.
package struct PatchError: Error, CustomStringConvertible {
    package let description: String
}

extension ServerPatch {
    /// Creates the server that the patch describes.
    package func server(id: ServerID) throws -> Server {
        guard let name else { throw PatchError(description: "a server needs a name") }
        guard let host else { throw PatchError(description: "a server needs a host, such as 192.168.1.10") }
        let usesTLS = usesTLS ?? (caFile != nil)
        return applied(to: Server(id: id, name: name, host: host, port: port, usesTLS: usesTLS))
    }

    /// Applies the patch to a server.
    package func applied(to server: Server) -> Server {
        var edited = server
        if let name { edited.name = name }
        if let host { edited.host = host }
        if let usesTLS {
            // A default port follows a change of encryption; a port that was chosen stays.
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
    /// Creates the device that the patch describes.
    package func device(id: DeviceID, in configuration: PoolConfiguration) throws -> Device {
        guard let name else { throw PatchError(description: "a device needs a name") }
        guard let topic else { throw PatchError(description: "a device needs a topic, such as pool/sensor/main") }
        let server = try owner(in: configuration)
        return try applied(to: Device(id: id, name: name, serverID: server.id, topic: topic), in: configuration)
    }

    /// Applies the patch to a device.
    package func applied(to device: Device, in configuration: PoolConfiguration) throws -> Device {
        var edited = device
        if let name { edited.name = name }
        if let serverID { edited.serverID = try configuration.known(serverID).id }
        if let topic { edited.topic = topic }
        if let deviceType { edited.deviceType = deviceType }
        if let expectedIntervalSeconds {
            edited.expectedIntervalSeconds = expectedIntervalSeconds
            edited.learnsInterval = learnsInterval
        }
        if let poolID { edited.poolID = try poolID.value.map { try configuration.known($0).id } }
        if let mapping { edited.mapping = mapping.value }
        return edited
    }

    /// The server in the patch, or the only server.
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
    /// Applies the patch to a pool.
    package func applied(to pool: Pool) -> Pool {
        var edited = pool
        if let name { edited.name = name }
        if let volume { edited.volume = volume == 0 ? nil : volume }
        return edited
    }
}

extension PoolConfiguration {
    /// The server with an identity.
    ///
    /// - Throws: `ConfigurationError.missing(_:_:)` if it was removed.
    package func known(_ id: ServerID) throws(ConfigurationError) -> Server {
        guard let server = server(id) else { throw .missing(.server, "\(id)") }
        return server
    }

    /// The device with an identity.
    ///
    /// - Throws: `ConfigurationError.missing(_:_:)` if it was removed.
    package func known(_ id: DeviceID) throws(ConfigurationError) -> Device {
        guard let device = device(id) else { throw .missing(.device, "\(id)") }
        return device
    }

    /// The pool with an identity.
    ///
    /// - Throws: `ConfigurationError.missing(_:_:)` if it was removed.
    package func known(_ id: PoolID) throws(ConfigurationError) -> Pool {
        guard let pool = pool(id) else { throw .missing(.pool, "\(id)") }
        return pool
    }
}

extension ServerPatch {
    /// Creates a patch with all fields of a server except the password.
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

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self {
        var new = self
        new.name.clear(ifEqual: old.name)
        new.host.clear(ifEqual: old.host)
        new.port.clear(ifEqual: old.port)
        new.username.clear(ifEqual: old.username)
        new.password.clear(ifEqual: old.password)
        new.usesTLS.clear(ifEqual: old.usesTLS)
        new.caFile.clear(ifEqual: old.caFile)
        new.clientCertificate.clear(ifEqual: old.clientCertificate)
        new.protocolVersion.clear(ifEqual: old.protocolVersion)
        new.announcementPrefix.clear(ifEqual: old.announcementPrefix)
        return new
    }
}

extension DevicePatch {
    /// Creates a patch with all fields of a device except its limits and calibrations.
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

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self {
        var new = self
        new.name.clear(ifEqual: old.name)
        new.serverID.clear(ifEqual: old.serverID)
        new.topic.clear(ifEqual: old.topic)
        new.deviceType.clear(ifEqual: old.deviceType)
        new.expectedIntervalSeconds.clear(ifEqual: old.expectedIntervalSeconds)
        new.poolID.clear(ifEqual: old.poolID)
        new.mapping.clear(ifEqual: old.mapping)
        return new
    }
}

extension PoolPatch {
    /// Creates a patch with all fields of a pool except its limits.
    package init(of pool: Pool) {
        self.init()
        name = pool.name
        volume = pool.volume ?? 0
    }

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self {
        var new = self
        new.name.clear(ifEqual: old.name)
        new.volume.clear(ifEqual: old.volume)
        return new
    }
}
