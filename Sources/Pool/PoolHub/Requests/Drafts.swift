import PoolModel

/// A draft lacks what a record cannot do without.
struct DraftError: Error, CustomStringConvertible {
    let description: String
}

extension ServerDraft {
    /// The new server that the draft describes.
    func server(id: ServerID) throws -> Server {
        guard let name else { throw DraftError(description: "a server needs a name") }
        guard let host else { throw DraftError(description: "a server needs a host, such as 192.168.1.10") }
        let usesTLS = usesTLS ?? (caFile != nil)
        return applied(to: Server(id: id, name: name, host: host, port: port, usesTLS: usesTLS))
    }

    /// The server with what the draft says.
    func applied(to server: Server) -> Server {
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

extension DeviceDraft {
    /// The new device that the draft describes.
    func device(id: DeviceID, in configuration: PoolConfiguration) throws -> Device {
        guard let name else { throw DraftError(description: "a device needs a name") }
        guard let topic else { throw DraftError(description: "a device needs a topic, such as pool/sensor/main") }
        let server = try owner(in: configuration)
        return try applied(to: Device(id: id, name: name, serverID: server.id, topic: topic), in: configuration)
    }

    /// The device with what the draft says.
    func applied(to device: Device, in configuration: PoolConfiguration) throws -> Device {
        var edited = device
        if let name { edited.name = name }
        if let server { edited.serverID = try configuration.server(matching: server).id }
        if let topic { edited.topic = topic }
        if let deviceType { edited.deviceType = deviceType }
        if let expectedIntervalSeconds { edited.expectedIntervalSeconds = expectedIntervalSeconds }
        if let pool { edited.poolID = pool.isEmpty ? nil : try configuration.pool(matching: pool).id }
        if let mapping { edited.mapping = mapping } else if removesMapping { edited.mapping = nil }
        return edited
    }

    /// The server that is named, or the only one there is.
    private func owner(in configuration: PoolConfiguration) throws -> Server {
        if let server { return try configuration.server(matching: server) }
        guard configuration.servers.count == 1 else {
            let names = configuration.servers.map(\.name).joined(separator: ", ")
            throw DraftError(
                description: names.isEmpty
                    ? "there is no server yet; add one first" : "name the server of the device, one of: \(names)")
        }
        return configuration.servers[0]
    }
}

extension PoolDraft {
    /// The pool with what the draft says.
    func applied(to pool: Pool) -> Pool {
        var edited = pool
        if let name { edited.name = name }
        if let volume { edited.volume = volume == 0 ? nil : volume }
        return edited
    }
}
