import Foundation
import MQTT
import PoolControl

/// Lets the sides send the same messages to a watch alternately.
final class DeliveryComparison: Sendable {
    /// The limit for the 99th percentile, in milliseconds.
    private static let limit = 300.0

    private let bench: Bench
    private let broker: IngestBroker

    init(bench: Bench, broker: IngestBroker) {
        self.bench = bench
        self.broker = broker
    }

    /// Measures at a rate of messages a second.
    ///
    /// - Throws: ``CommandFailure``, also if a message was lost, came in the wrong order or was stored differently.
    func measure(rate: Int, seconds: Int) async throws -> [BenchResult] {
        let count = rate * seconds
        let messages = IngestMessages()
        let payloads = messages.flat(count)
        let publisher = try await broker.publisher()
        var number = 0
        let runs = try await bench.alternating(DeliveryTask.Side.allCases) { side in
            number += 1
            let folder = "\(bench.folder)/delivery-\(rate)-\(number)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let topic = "bench/\(rate)/\(number)"
            // Shows each side that it is subscribed. It counts as no reading, because it is a retained message.
            try await publisher.publishRetained("listening", to: try TopicName(topic))
            var task = DeliveryTask(
                side: side, role: .hub, port: broker.port, topic: topic, folder: folder, count: count,
                messages: messages)
            let hub = try bench.part("delivery-part", called: "hub", task)
            task.role = .watch
            task.address = try await hub.report(DeliveryStart.self).address
            let watch = try bench.part("delivery-part", called: "watch", task)
            do {
                _ = try await watch.report(DeliveryReady.self)
                let published = try await publish(payloads, to: try TopicName(topic), by: publisher, rate: rate)
                let findings = try await watch.report(DeliveryFindings.self)
                await watch.stop()
                await hub.stop()
                return (try DeliveryTimes(published, findings, warmUp: count / 10), folder)
            } catch {
                await watch.stop()
                await hub.stop()
                throw error
            }
        }
        publisher.close()
        // One row for each side: hub, relay, storing relay.
        for (hub, relay) in zip(runs[0], runs[2]) {
            try IngestRows.compare("\(hub.1)/hub/history.sqlite", "\(relay.1)/relay.sqlite", count: count)
        }
        return results(rate, runs.map { $0.map(\.0) })
    }

    /// Publishes at a constant rate on a separate thread; returns the time of each message.
    private func publish(
        _ payloads: [[UInt8]], to topic: TopicName, by publisher: IngestPublisher, rate: Int
    ) async throws -> [Double] {
        let published: [Double] = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let start = ProcessFacts.now
                        return try payloads.enumerated().map { number, payload in
                            let wait = start + Double(number) / Double(rate) - ProcessFacts.now
                            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
                            let moment = ProcessFacts.now
                            // A message that has to wait for the broker counts from its due time.
                            while try !publisher.post(payload, to: topic) { usleep(200) }
                            return moment
                        }
                    })
            }
        }
        try await publisher.settle(payloads.count)
        return published
    }

    private func results(_ rate: Int, _ times: [[DeliveryTimes]]) -> [BenchResult] {
        func milliseconds(_ share: Double) -> [[Double]] {
            times.map { $0.map { $0.quantile(share) * 1000 } }
        }
        let (middle, slow) = (milliseconds(0.5), milliseconds(0.99))
        return [
            BenchResult(
                "\(rate)/s, p50", unit: "ms", engine: middle[0], raw: middle[1], rawName: "relay", goal: .atMost(1.5)),
            BenchResult(
                "\(rate)/s, p99", unit: "ms", engine: slow[0], raw: slow[1], rawName: "relay"),
            BenchResult(
                "\(rate)/s, p50 beside SQLite", unit: "ms", engine: middle[0], raw: middle[2],
                rawName: "relay that stores", goal: .atMost(0.9)),
            BenchResult(
                "\(rate)/s, p99 beside SQLite", unit: "ms", engine: slow[0], raw: slow[2], rawName: "relay that stores"),
            BenchResult(
                "\(rate)/s, p99 of the limit", unit: "ms", engine: slow[0], raw: [Self.limit], rawName: "limit",
                goal: .atMost(1)),
            BenchResult(
                "\(rate)/s, overtaken", unit: "% of the readings", engine: times[0].map { $0.overtaken * 100 }),
        ]
    }
}
