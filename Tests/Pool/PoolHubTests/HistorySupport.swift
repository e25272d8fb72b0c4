import Foundation
import Logging
import PoolModel
import PoolStore
import TestSupport

@testable import PoolHub

/// A history with one device, its maintenance, and the notices to the user.
struct KeptHistory {
    let place: TestHubFolder
    let history: HistoryStore
    let keeper: HistoryMaintenance
    let notices = Recorder<String>()
    let device: DeviceID
    let configuration: PoolConfiguration

    static let day: Int64 = 86_400_000

    init(export: ExportSettings? = nil, history settings: HistorySettings = HistorySettings()) throws {
        place = try TestHubFolder()
        try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
        history = try HistoryStore(path: place.path + "/history.sqlite")
        var generator = SystemRandomNumberGenerator()
        let server = Server(id: ServerID(using: &generator), name: "Home", host: "broker.example")
        let lagoon = Device(
            id: DeviceID(using: &generator), name: "Lagoon", serverID: server.id, topic: "pool/1")
        device = lagoon.id
        configuration = try PoolConfiguration().adding(server).adding(lagoon).keeping(settings).exporting(export)
        keeper = HistoryMaintenance(
            history: history, logger: Logger(label: "test"), onNotice: { [notices] in notices.record($0) })
        keeper.use(configuration)
    }

    func record(_ ph: Double, at milliseconds: Int64) throws {
        let moment = Timestamp(milliseconds: milliseconds)
        let reading = Reading(
            deviceID: device, values: [.ph: ph], sampledAt: moment, timeQuality: .estimated, receivedAt: moment)
        try history.record(
            Arrival(reading: reading, payloadHash: UInt64(bitPattern: milliseconds), delivery: nil),
            latest: { reading in
                var latest = DeviceReadings(deviceID: reading.deviceID)
                latest.absorb(reading)
                latest.raiseOrder(to: UInt64(max(0, reading.receivedAt.milliseconds)))
                return latest
            })
    }

    /// Runs all due maintenance at a time of both clocks.
    func settle(at milliseconds: Int64, uptime: Int64) {
        let moment = ClockTrust.Moment(wall: Timestamp(milliseconds: milliseconds), uptime: uptime)
        while keeper.step(at: moment) != HistoryMaintenance.idlePause {}
    }
}
