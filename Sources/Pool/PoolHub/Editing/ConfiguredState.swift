import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore

/// Creates the configured part of a hub's state.
struct ConfiguredState: Sendable {
    let editor: ConfigurationEditor
    let folder: HubFolder

    /// The configuration as lists show it, without the data of a running hub.
    ///
    /// - Parameters:
    ///   - history: The history with the newest values; nil for a state without values, counts and passwords.
    ///   - isResting: Whether no hub runs, so that the trends must be computed here.
    /// - Returns: The state.
    /// - Throws: `HistoryError`, and the errors of the ledger and the secrets.
    func state(history: HistoryStore?, isResting: Bool = false) async throws -> HubState {
        let (configuration, problems) = try await editor.configuration()
        var state = HubState(now: .now, revision: try await editor.ledger.contents().version.revision)
        state.servers = try configuration.servers.map { server in
            ServerState(server, hasPassword: try history != nil && folder.secrets.password(of: server.id) != nil)
        }
        let latest = Dictionary(try (history?.latest() ?? []).map { ($0.deviceID, $0) }) { $1 }
        state.devices = try configuration.devices.map { device in
            var known = DeviceState(device, limits: configuration.limits(of: device))
            known.isSelected = configuration.selection.deviceID == device.id
            known.readings = try latest[device.id].map { raw in
                guard isResting, let history else { return device.corrected(raw) }
                return try IngestDevice(device: device, raw: raw, recalling: history).shown
            }
            known.rawReadings = latest[device.id]?.values
            known.storedReadings = try history?.count(of: device.id) ?? 0
            return known
        }
        state.pools = configuration.pools
        state.history = configuration.history
        state.export = configuration.export
        state.alerts.settings = configuration.alerts
        state.conflicts = try await ConflictSettler(ledger: editor.ledger).summaries(naming: folder.store)
        state.problems = problems.map { "\($0)" }
        return state
    }
}

extension PoolConfiguration {
    /// The limits that apply to a device: of the usual quantities, and of the others that have some.
    func limits(of device: Device) -> QuantityMap<Limits> {
        var all: QuantityMap<Limits> = [:]
        let own = device.poolID.flatMap(pool)?.limits
        for quantity in Quantity.listed(where: { device.limits[$0] != nil || own?[$0] != nil }) {
            all[quantity] = limits(of: device, for: quantity)
        }
        return all
    }
}

extension WatchConnection {
    /// Creates the state of a watch; without its link if `now` is nil, because no hub runs.
    init(_ status: HubEngine.WatchStatus, now: Instant?) {
        self.init(name: status.watch.name, id: status.watch.id)
        isLinked = now == nil ? nil : status.isLinked
        let silence = now.flatMap { now in status.lastHeard.map { $0.duration(to: now) } }
        silentSeconds = silence.map { Int($0.components.seconds) }
        revision = status.acknowledged?.revision
        backlog = status.backlogCount
        confirmed = status.confirmedCount
        superseded = status.supersededCount
    }
}
