import Platform
import PoolModel
import SyncCore
import SyncTransport

/// An identity that is easy to read: its number.
func serverID(_ number: UInt64) -> ServerID { ServerID(high: 0x1111_0000_0000_0000, low: number) }
func deviceID(_ number: UInt64) -> DeviceID { DeviceID(high: 0x2222_0000_0000_0000, low: number) }

let home = Server(id: serverID(1), name: "Home", host: "broker.example", username: "gardener")
let lagoon = Device(id: deviceID(1), name: "Lagoon", serverID: home.id, topic: "pool/main")
let spa = Device(id: deviceID(2), name: "Spa", serverID: home.id, topic: "pool/spa")

/// A server with two devices that report once a minute, the first one selected.
func sampleConfiguration() throws -> PoolConfiguration {
    try PoolConfiguration().adding(home).adding(lagoon).adding(spa).selecting(device: lagoon.id)
}

/// The wall clock of this machine, and therefore of a hub on it.
func wallClock() -> Timestamp { Timestamp(milliseconds: Moment.now.wallMilliseconds) }

/// Normal values of a device; by default sampled now, otherwise at a given or an unknown time (X18).
func goodReadings(
    of device: DeviceID, order: UInt64, sampledAt: Timestamp?? = nil, temperature: Double = 25
) -> DeviceReadings {
    let now = wallClock()
    let moment = sampledAt ?? now
    let values: QuantityMap<Double> = [.temperature: temperature, .ph: 7.2, .chlorine: 2, .orp: 700]
    var latest: QuantityMap<LatestValue> = [:]
    for (quantity, value) in values.pairs {
        latest[quantity] = LatestValue(
            value: value, sampledAt: moment, timeQuality: moment == nil ? .unknown : .device, receivedAt: now)
    }
    return DeviceReadings(deviceID: device, order: order, values: latest, lastSeen: now)
}

/// The register in which a hub sends readings.
func register(_ readings: DeviceReadings) throws -> Register {
    Register(
        key: RegisterKey.device(readings.deviceID).text, order: readings.order,
        value: try CanonicalJSON.encode(readings))
}

/// The register in which a hub sends the state of a connection.
func register(_ report: ServerReport, of server: ServerID, order: UInt64) throws -> Register {
    Register(key: RegisterKey.server(server).text, order: order, value: try CanonicalJSON.encode(report))
}

extension CellKey {
    /// The cell of an entry.
    init(_ key: ConfigurationEntry.Key) {
        self.init(kind: key.kind, record: RandomID(high: key.record.high, low: key.record.low), group: key.group)
    }
}

extension ConfigurationChange {
    /// The change of the cell.
    var cellChange: CellChange {
        switch self {
        case .upsert(let entry):
            CellChange(key: CellKey(entry.key), value: String(decoding: entry.value, as: UTF8.self))
        case .delete(let key): CellChange(key: CellKey(key), value: nil)
        }
    }
}

extension Snapshot {
    /// The snapshot that a hub would send of a configuration, with some values replaced.
    init(_ configuration: PoolConfiguration, revision: UInt64, replacing values: [CellKey: String?] = [:]) {
        let place = Cell.Place(epoch: Epoch(number: 1), revision: revision)
        var cells = SortedMap<CellKey, Cell>()
        func put(_ value: String?, at key: CellKey) {
            cells[key] = Cell(
                value: value, dot: RandomID(high: 0, low: revision),
                stamp: Stamp(milliseconds: 0, counter: 0, node: 0), written: place, created: place)
        }
        for entry in configuration.entries().filter(\.isVisibleToWatches) {
            put(String(decoding: entry.value, as: UTF8.self), at: CellKey(entry.key))
        }
        for (key, value) in values { put(value, at: key) }
        self.init(version: Version(epoch: place.epoch, revision: revision, chain: revision), cells: cells)
    }
}

/// The cell of a group of a device.
func cellKey(_ device: DeviceID, _ group: String) -> CellKey {
    CellKey(kind: "device", record: RandomID(high: device.high, low: device.low), group: group)
}
