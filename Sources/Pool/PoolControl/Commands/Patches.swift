package import PoolModel

extension Optional where Wrapped: Equatable {
    /// Becomes nil if it is equal to another value.
    mutating func clear(ifEqual other: Wrapped?) {
        if self == other { self = nil }
    }
}

/// A change of a server; a text that is empty takes the value away.
///
/// A new server defaults to the port 1883, or 8883 with TLS, and to MQTT 3.1.1.
package typealias ServerPatch = RecordPatch<Server>

/// A change of a device.
///
/// A new device defaults to the only server, if there is exactly one. An interval without `learnsInterval` is one that a
/// person sets.
package typealias DevicePatch = RecordPatch<Device>

/// A change of a pool; a volume of 0 is unknown.
package typealias PoolPatch = RecordPatch<Pool>

/// A patch lacks a field that a new record requires.
package struct PatchError: Error, CustomStringConvertible {
    package let description: String
}

extension RecordPatch<Server> {
    /// Creates the server that the patch describes.
    package func server(id: ServerID) throws -> Server {
        guard let name = self.name else { throw PatchError(description: "a server needs a name") }
        guard let host = self.host else { throw PatchError(description: "a server needs a host, such as 192.168.1.10") }
        let usesTLS = self.usesTLS ?? (self.caFile != nil)
        return applied(to: Server(id: id, name: name, host: host, port: self.port, usesTLS: usesTLS))
    }

    /// Applies the patch to a server.
    package func applied(to server: Server) -> Server {
        var edited = fieldsApplied(to: server)
        // A default port follows a change of encryption; a port that was chosen stays.
        if let usesTLS = self.usesTLS, self.port == nil, server.port == Server.defaultPort(usesTLS: server.usesTLS) {
            edited.port = Server.defaultPort(usesTLS: usesTLS)
        }
        return edited
    }

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self {
        var new = fieldChanges(from: old)
        new.password.clear(ifEqual: old.password)
        return new
    }

    /// Whether it changes the address, or whether the connection is encrypted.
    package var changesAddress: Bool { self.host != nil || self.port != nil || self.usesTLS != nil }

    /// Whether it changes how the server is reached, so that the connection is to be tested.
    package var changesConnection: Bool { self.password != nil || changes(cell: Server.endpointCell) }
}

extension RecordPatch<Device> {
    /// Creates the device that the patch describes.
    package func device(id: DeviceID, in configuration: PoolConfiguration) throws -> Device {
        guard let name = self.name else { throw PatchError(description: "a device needs a name") }
        guard let topic = self.topic else {
            throw PatchError(description: "a device needs a topic, such as pool/sensor/main")
        }
        let server = try owner(in: configuration)
        return try applied(to: Device(id: id, name: name, serverID: server.id, topic: topic), in: configuration)
    }

    /// Applies the patch to a device.
    package func applied(to device: Device, in configuration: PoolConfiguration) throws -> Device {
        if let serverID = self.serverID { _ = try configuration.known(serverID) }
        if let id = self.poolID?.value { _ = try configuration.known(id) }
        var edited = fieldsApplied(to: device)
        if self.expectedIntervalSeconds == nil || self.learnsInterval == nil {
            edited.learnsInterval = self.expectedIntervalSeconds == nil ? device.learnsInterval : nil
        }
        return edited
    }

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self { fieldChanges(from: old) }

    /// The server in the patch, or the only server.
    private func owner(in configuration: PoolConfiguration) throws -> Server {
        if let serverID = self.serverID { return try configuration.known(serverID) }
        guard configuration.servers.count == 1 else {
            let names = configuration.servers.map(\.name).joined(separator: ", ")
            throw PatchError(
                description: names.isEmpty
                    ? "there is no server yet; add one first" : "name the server of the device, one of: \(names)")
        }
        return configuration.servers[0]
    }
}

extension RecordPatch<Pool> {
    /// Applies the patch to a pool.
    package func applied(to pool: Pool) -> Pool { fieldsApplied(to: pool) }

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self { fieldChanges(from: old) }
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
