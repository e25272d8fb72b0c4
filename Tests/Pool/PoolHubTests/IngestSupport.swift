import Foundation
import Logging
import MQTT
import Platform
import PoolModel
import PoolStore
import TestSupport

@testable import PoolHub

/// An ingest with a history of its own and a clock that the test turns.
final class IngestBench: Sendable {
    let folder: TestHubFolder
    let history: HistoryStore
    let ingest: Ingest
    let told = Recorder<IngestEvent>()
    let shown = Recorder<DeviceReadings>()
    let intervals = Recorder<String>()
    let serverID = ServerID(high: 0, low: 1)
    private let packets = Lock<UInt16>(0)

    /// 2026-06-01 12:00:00 UTC.
    static let noon = Timestamp(milliseconds: 1_780_315_200_000)

    private final class Shared: Sendable {
        let clock = Lock(IngestBench.noon)
    }

    private let shared: Shared

    init(_ folder: TestHubFolder? = nil) throws {
        let folder = try folder ?? TestHubFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        self.folder = folder
        history = try HistoryStore(path: "\(folder.path)/history.sqlite")
        let shared = Shared()
        self.shared = shared
        ingest = try Ingest(
            history: history, logger: Logger(label: "test"), now: { shared.clock.withLock(\.self) }
        ) { [told, shown, intervals] item in
            switch item {
            case .event(let event): told.record(event)
            case .shown(let readings, let isNew): if isNew { shown.record(readings) }
            case .interval(let device, let seconds): intervals.record("\(device) \(seconds)")
            }
        }
    }

    var now: Timestamp { shared.clock.withLock(\.self) }

    func turnClock(byMilliseconds milliseconds: Int64) {
        shared.clock.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
    }

    /// A device of the only server.
    func device(_ name: String, topic: String, mapping: String? = nil, low: UInt64 = 1) throws -> Device {
        Device(
            id: DeviceID(high: 0, low: low), name: name, serverID: serverID, topic: topic,
            mapping: try mapping.map { try JSONDecoder().decode(DeviceMapping.self, from: Data($0.utf8)) })
    }

    @discardableResult
    func use(_ devices: Device...) throws -> [ServerID: Set<String>] {
        var configuration = try PoolConfiguration().adding(
            Server(id: serverID, name: "Home", host: "localhost", port: 1883))
        for device in devices { configuration = try configuration.adding(device) }
        return ingest.use(configuration)
    }

    @discardableResult
    func receive(
        _ text: String, on topic: String, isRetained: Bool = false, life: UInt64 = 1, isSessionResumed: Bool = false,
        packet: UInt16? = nil, isStandIn: Bool = false
    ) throws -> MessageDisposition {
        ingest.receive(
            [try message(text, on: topic, isRetained: isRetained, packet: packet)], from: serverID,
            in: .init(number: life, isSessionResumed: isSessionResumed, isStandIn: isStandIn))
    }

    /// What comes together.
    func receive(together texts: [(topic: String, text: String)]) throws -> MessageDisposition {
        ingest.receive(
            try texts.map { try message($0.text, on: $0.topic) }, from: serverID,
            in: .init(number: 1, isSessionResumed: false))
    }

    private func message(
        _ text: String, on topic: String, isRetained: Bool = false, packet: UInt16? = nil
    ) throws -> MQTT.Message {
        let number = packets.withLock { packets in
            packets &+= 1
            return packets
        }
        return Message(
            topic: try TopicName(topic), payload: Array(text.utf8), qualityOfService: .atLeastOnce,
            isRetained: isRetained, packetIdentifier: PacketIdentifier(rawValue: packet ?? number),
            properties: MessageProperties())
    }

    var measured: [Measured] {
        told.items.compactMap { event in
            guard case .measured(let device, let values, let sampledAt, _, let isCurrent) = event else { return nil }
            return Measured(device: device, values: values, sampledAt: sampledAt, isCurrent: isCurrent)
        }
    }

    /// What was overtaken in a backlog.
    var overtaken: [Measured] {
        told.items.compactMap { event in
            guard case .overtaken(let device, let values, let sampledAt, _) = event else { return nil }
            return Measured(device: device, values: values, sampledAt: sampledAt, isCurrent: false)
        }
    }

    struct Measured: Equatable {
        var device: DeviceID
        var values: QuantityMap<Double>
        var sampledAt: Timestamp
        var isCurrent: Bool
    }

    func stored(_ device: Device) throws -> [Reading] {
        try history.readings(
            of: device.id, from: Timestamp(milliseconds: 0), through: Timestamp(milliseconds: 4_000_000_000_000),
            limit: 100_000)
    }
}
