import CommandSupport
import Foundation
import Logging
import MQTT
import Platform
import PoolControl
import PoolHub
import PoolModel
import ZeroMQ

/// A day of readings, sent through a whole hub at a thousand times the real speed.
///
/// Three devices report every 10 s of their day: one in flat messages with its own time, one through the mapping of a
/// bridge, one in hundredths.
struct IngestDay {
    private static let speed = 1000.0
    private static let intervalSeconds = 10
    private static let topics = ["day/flat", "day/bridge", "day/raw"]

    let bench: Bench
    let broker: IngestBroker

    /// When the messages for each time of the day were published, and how long readings took from then on.
    private final class Latencies: Sendable {
        private let state = Lock((published: [Int64: Double](), latencies: [Double](), count: 0))

        func published(_ moment: Timestamp) {
            state.withLock { $0.published[moment.milliseconds] = ProcessFacts.now }
        }

        func shown(_ readings: DeviceReadings) {
            guard let moment = readings.values.pairs.compactMap(\.value.sampledAt).max() else { return }
            state.withLock { state in
                state.count += 1
                guard let start = state.published[moment.milliseconds] else { return }
                state.latencies.append(ProcessFacts.now - start)
            }
        }

        var sorted: [Double] { state.withLock { $0.latencies.sorted() } }
    }

    /// Replays the day.
    ///
    /// - Throws: ``CommandFailure`` if a reading is missing or stored twice.
    func replay() async throws -> [BenchResult] {
        let latencies = Latencies()
        let listening = AsyncStream<Void>.makeStream()
        let hub = try PoolHub(
            folder: HubFolder(path: "\(bench.folder)/hub"), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        ) { event in
            if case .reading(_, let readings) = event { latencies.shown(readings) }
            if case .listening = event { listening.continuation.yield() }
        }
        let running = Task { try await hub.run() }
        _ = await listening.stream.first { _ in true }
        let publisher = try await broker.publisher()
        for topic in Self.topics { try await publisher.publishRetained("listening", to: try TopicName(topic)) }
        try await IngestHubSide.configure(
            hub, port: broker.port,
            devices: [(Self.topics[0], nil), (Self.topics[1], Self.bridge), (Self.topics[2], Self.hundredths)])
        let (count, seconds, processor) = try await workload(publisher, latencies)
        let report = try await settled(hub, count: count)
        running.cancel()
        try await running.value
        publisher.close()
        for device in report.devices where device.storedReadings != count {
            throw CommandFailure(
                "\(device.name) has \(device.storedReadings) readings in the history, \(count) were published")
        }
        let sorted = latencies.sorted
        guard !sorted.isEmpty else { throw CommandFailure("no reading was shown") }
        return [
            BenchResult("readings of a day, all stored once", unit: "readings", engine: [Double(count * 3)]),
            BenchResult("their rate", unit: "readings/s", engine: [Double(count * 3) / seconds]),
            BenchResult("from publishing to showing, median", unit: "ms", engine: [sorted[sorted.count / 2] * 1000]),
            BenchResult(
                "from publishing to showing, 99 of 100", unit: "ms", engine: [sorted[sorted.count * 99 / 100] * 1000]),
            BenchResult(
                "processor time of a reading", unit: "µs", engine: [processor / Double(count * 3) * 1e6]),
        ]
    }

    private func workload(_ publisher: IngestPublisher, _ latencies: Latencies) async throws -> (Int, Double, Double) {
        let topics = try Self.topics.map { text throws(MQTTError) in try TopicName(text) }
        let count = (bench.isQuick ? 3600 : 86_400) / Self.intervalSeconds
        let first = IngestMessages().start
        let (started, processor) = (ProcessFacts.now, ProcessFacts.processorSeconds)
        for number in 0..<count {
            let offset = Double(number * Self.intervalSeconds)
            let wait = started + offset / Self.speed - ProcessFacts.now
            if wait > 0 { try await Task.sleep(for: .seconds(wait)) }
            let moment = first.advanced(byMilliseconds: Int64(offset * 1000))
            let celsius = 24 + 3 * sin(offset / 86_400 * 2 * .pi)
            let tenths = Int((celsius * 100).rounded())
            latencies.published(moment)
            let texts = [
                "{\"temperature\":\(Double(tenths) / 100),\"pH\":7.2,\"orp\":\(650 + number % 50),"
                    + "\"timestamp\":\"\(moment.iso8601)\"}",
                "{\"last_seen\":\(moment.milliseconds),\"temperature\":\(Double(tenths) / 100),\"ph\":7.31}",
                "{\"t\":\(moment.milliseconds / 1000),\"v\":[\(tenths),\(720 + number % 7)]}",
            ]
            try await publisher.publish(zip(topics, texts).map { ($0, Array($1.utf8)) })
        }
        return (count, ProcessFacts.now - started, ProcessFacts.processorSeconds - processor)
    }

    /// Waits until everything is stored.
    private func settled(_ hub: PoolHub, count: Int) async throws -> HubState {
        for _ in 0..<600 {
            guard case .state(let report) = try await hub.perform(.state) else { break }
            if report.devices.allSatisfy({ $0.storedReadings >= count }) { return report }
            try await Task.sleep(for: .milliseconds(100))
        }
        guard case .state(let report) = try await hub.perform(.state) else {
            throw CommandFailure("the hub of the benchmark does not answer")
        }
        return report
    }

    private static var bridge: DeviceMapping {
        DeviceMapping(
            values: [
                ValueSource(.temperature, path: ValuePath([.key("temperature")])),
                ValueSource(.ph, path: ValuePath([.key("ph")])),
            ], time: TimeSource(path: ValuePath([.key("last_seen")]), form: .milliseconds))
    }

    private static var hundredths: DeviceMapping {
        DeviceMapping(
            values: [
                ValueSource(.temperature, path: ValuePath([.key("v"), .index(0)]), scale: 0.01),
                ValueSource(.ph, path: ValuePath([.key("v"), .index(1)]), scale: 0.01),
            ], time: TimeSource(path: ValuePath([.key("t")]), form: .seconds))
    }
}
