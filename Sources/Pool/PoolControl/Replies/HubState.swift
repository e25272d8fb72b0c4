package import PoolModel

/// A hub as it is at one moment: what lists and screens show and `--json` prints.
///
/// What a person configured stands in it as the model's own types. It is made from memory but for the counts of the
/// history, which are up to a minute old.
package struct HubState: Codable, Equatable, Sendable {
    /// When it was made, by the hub's clock.
    package var now: Timestamp
    /// Grows with each change since the hub started, save for what changes by itself with time; 0 at rest.
    package var change: UInt64 = 0
    /// Whether a hub process is running.
    package var isRunning = false
    /// Where watches connect; nil at rest.
    package var endpoint: String?
    /// The revision of the configuration.
    package var revision: UInt64
    /// The servers, by name.
    package var servers: [ServerState] = []
    /// The devices, by name.
    package var devices: [DeviceState] = []
    /// The pools, by name.
    package var pools: [Pool] = []
    /// How long the history keeps what.
    package var history = HistorySettings()
    /// The export that happens by itself.
    package var export: ExportSettings?
    /// The watches, by name.
    package var watches: [WatchConnection] = []
    /// The open alerts, with the last notices while any is open; only the settings unless somebody looks.
    package var alerts = AlertReport(isRunning: false)
    /// The open conflicts, in the order of their names.
    package var conflicts: [ConflictSummary] = []
    /// The detection that runs or was the last one; nil before the first, and unless somebody looks.
    package var detection: DetectionProgress?
    /// What became of all messages since the hub started; nil at rest.
    package var counts: IngestCounts?
    /// What is wrong with the stored configuration, in sentences.
    package var problems: [String] = []

    /// Creates the state of a hub that has nothing yet and does not run.
    package init(now: Timestamp, revision: UInt64 = 0) {
        self.now = now
        self.revision = revision
    }

    /// The device with this identity, or nil.
    package func device(_ id: DeviceID) -> DeviceState? { devices.first { $0.id == id } }

    /// The pool with this identity, or nil.
    package func pool(_ id: PoolID) -> Pool? { pools.first { $0.id == id } }

    /// The devices of a pool, in the order of ``devices``.
    package func devices(of pool: PoolID) -> [DeviceState] { devices.filter { $0.device.poolID == pool } }

    /// The readings of all devices in the history.
    package var storedReadings: Int { devices.reduce(0) { $0 + $1.storedReadings } }

    /// The device that is selected in the configuration, nil for none.
    package var selectedDevice: DeviceState? { devices.first(where: \.isSelected) }
}
