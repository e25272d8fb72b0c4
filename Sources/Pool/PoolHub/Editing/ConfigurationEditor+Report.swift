import PoolControl
import PoolModel
import PoolStore
import SyncCore

extension ConfigurationEditor {
    /// The configuration as lists show it; what only a running hub knows is left nil.
    ///
    /// - Parameters:
    ///   - history: Has the newest values; nil for a report without values, counts and passwords.
    ///   - isResting: Whether no hub runs, so that nobody else finds the trends.
    /// - Returns: The report.
    /// - Throws: `HistoryError`, and what the ledger and the passwords throw.
    func report(history: HistoryStore?, isResting: Bool = false) async throws -> HubReport {
        let (configuration, problems) = try await configuration()
        let servers = try configuration.servers.map { server in
            HubReport.ServerReport(
                id: server.id, name: server.name, host: server.host, port: server.port, username: server.username,
                hasPassword: try history != nil && secrets.password(of: server.id) != nil, usesTLS: server.usesTLS,
                caFile: server.caFile, clientCertificate: server.clientCertificate,
                protocolVersion: server.protocolVersion, announcementPrefix: server.announcementPrefix)
        }
        let latest = Dictionary(try (history?.latest() ?? []).map { ($0.deviceID, $0) }) { $1 }
        let devices = try configuration.devices.map { device in
            HubReport.DeviceReport(
                id: device.id, name: device.name, serverID: device.serverID, topic: device.topic,
                deviceType: device.deviceType, expectedIntervalSeconds: device.expectedIntervalSeconds,
                poolID: device.poolID, mapping: device.mapping, limits: configuration.limits(of: device),
                ownLimits: device.limits, calibrations: device.calibrations,
                isSelected: configuration.selection.deviceID == device.id,
                readings: try latest[device.id].map { raw in
                    guard isResting, let history else { return device.corrected(raw) }
                    return try IngestDevice(device: device, raw: raw, recalling: history).shown
                }, rawReadings: latest[device.id]?.values,
                storedReadings: try history?.count(of: device.id) ?? 0)
        }
        return HubReport(
            isRunning: false, revision: try await ledger.contents().version.revision, servers: servers,
            devices: devices, pools: configuration.pools.map { HubReport.PoolReport($0, in: configuration) },
            history: configuration.history, export: configuration.export, watches: [], conflicts: try await conflicts(),
            problems: problems.map { "\($0)" })
    }

    /// Tries a server that is configured.
    func trial(of id: ServerID) async throws -> HubReply {
        let server = try await configuration().configuration.known(id)
        let outcome = await ServerTest.run(server, password: try secrets.password(of: id))
        return .trial(code: outcome.code, reason: outcome.reason)
    }
}

extension HubReport.PoolReport {
    init(_ pool: Pool, in configuration: PoolConfiguration) {
        self.init(
            id: pool.id, name: pool.name, volume: pool.volume, limits: pool.limits,
            devices: configuration.devices(of: pool.id).map(\.name))
    }
}

extension PoolConfiguration {
    /// The limits of all quantities that hold for a device.
    func limits(of device: Device) -> QuantityMap<Limits> {
        var all: QuantityMap<Limits> = [:]
        for quantity in Quantity.allCases {
            all[quantity] = limits(of: device, for: quantity)
        }
        return all
    }
}

extension HubReport.WatchReport {
    init(_ status: HubEngine.WatchStatus, now: Instant?) {
        let silence = now.flatMap { now in status.lastHeard.map { $0.duration(to: now) } }
        self.init(
            name: status.watch.name, key: String(status.watch.key.hexadecimal.prefix(8)),
            isLinked: now == nil ? nil : status.isLinked, silentSeconds: silence.map { Int($0.components.seconds) },
            revision: status.acknowledged?.revision, backlog: status.backlogCount,
            confirmed: status.confirmedCount, superseded: status.supersededCount)
    }
}
