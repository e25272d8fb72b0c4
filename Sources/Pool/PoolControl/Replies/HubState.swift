package import PoolModel

/// The state of a hub at one point in time, as lists and screens show it and `--json` prints it.
///
/// Configured things are the model's own types. The state is created from memory, except for the counts of the history,
/// which are up to a minute old.
package struct HubState: Codable, Equatable, Sendable {
    /// When the state was created, by the hub's clock.
    package var now: Timestamp
    /// A number that increases with each change since the hub started, except for changes that only come from the
    /// passing of time; 0 if the hub is not running.
    package var change: UInt64 = 0
    /// Whether a hub process is running.
    package var isRunning = false
    /// The endpoint to which watches connect; nil if the hub is not running.
    package var endpoint: String?
    /// The revision of the configuration.
    package var revision: UInt64
    /// The servers, by name.
    package var servers: [ServerState] = []
    /// The devices, by name.
    package var devices: [DeviceState] = []
    /// The pools, by name.
    package var pools: [Pool] = []
    /// How long the history is kept.
    package var history = HistorySettings()
    /// The settings of the periodic export; nil if it is off.
    package var export: ExportSettings?
    /// The watches, by name.
    package var watches: [WatchConnection] = []
    /// The open alerts, and the latest notices while an alert is open.
    ///
    /// Without a ``LookRequest``, only the settings.
    package var alerts = AlertReport(isRunning: false)
    /// What is known of the pools besides values, in no order; nil if the hub is not running.
    package var cares: [PoolCare]?
    /// The open conflicts, sorted by name.
    package var conflicts: [ConflictSummary] = []
    /// The current or the last detection; nil before the first one, and without a ``LookRequest``.
    package var detection: DetectionProgress?
    /// Counts of all messages since the hub started; nil if the hub is not running.
    package var counts: IngestCounts?
    /// Problems of the stored configuration, as sentences.
    package var problems: [String] = []

    /// Creates the state of a hub that is empty and not running.
    package init(now: Timestamp, revision: UInt64 = 0) {
        self.now = now
        self.revision = revision
    }

    /// The device with this identity; nil if there is none.
    package func device(_ id: DeviceID) -> DeviceState? { devices.first { $0.id == id } }

    /// The pool with this identity; nil if there is none.
    package func pool(_ id: PoolID) -> Pool? { pools.first { $0.id == id } }

    /// The devices of a pool, in the order of ``devices``.
    package func devices(of pool: PoolID) -> [DeviceState] { devices.filter { $0.device.poolID == pool } }

    /// The number of readings of all devices in the history.
    package var storedReadings: Int { devices.reduce(0) { $0 + $1.storedReadings } }

    /// The selected device; nil if none is selected.
    package var selectedDevice: DeviceState? { devices.first(where: \.isSelected) }
}

extension HubState {
    /// The assessments of all pools.
    ///
    /// - Parameters:
    ///   - now: The time, by the hub's clock.
    ///   - glance: What a device says then; nil to make it from this state.
    /// - Returns: At least one assessment.
    package func assessments(at now: Timestamp, glance: ((DeviceState) -> Glance)? = nil) -> [PoolAssessment] {
        let known = Dictionary(devices.map { ($0.id, $0) }) { first, _ in first }
        return PoolAssessment.all(
            of: devices.map { WatchDevice($0.device, pool: $0.device.poolID.flatMap(pool)) },
            in: pools.map { WatchPool(id: $0.id, name: $0.name, limits: $0.limits) },
            cares: Dictionary((cares ?? []).map { ($0.poolID, $0) }) { first, _ in first }, link: .linked, at: now
        ) { device in
            // The devices come from this very list.
            guard let state = known[device.id] else { preconditionFailure("no state of the device \(device.id)") }
            var made = glance?(state) ?? state.glance(alerts: alerts.state, at: now)
            if !isRunning { made.source = .kept(reason: "a hub that runs") }
            return made
        }
    }
}
