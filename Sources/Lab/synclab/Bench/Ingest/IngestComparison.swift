import CommandSupport
import Foundation
import GRDBSQLite
import MQTT
import PoolControl
import PoolModel

/// Lets the sides store the same messages alternately.
struct IngestComparison {
    let bench: Bench
    let broker: IngestBroker

    /// Measures.
    ///
    /// - Throws: ``CommandFailure``, also if the sides stored different rows.
    func measure(count: Int) async throws -> [BenchResult] {
        let messages = IngestMessages()
        let payloads = messages.flat(count)
        let topic = try TopicName(IngestMessages.topic)
        let publisher = try await broker.publisher()
        // Shows each side that it is subscribed. It counts as no reading, because it is a retained message.
        try await publisher.publishRetained("listening", to: topic)
        var number = 0
        let findings = try await bench.alternating(IngestTask.Side.allCases) { side in
            number += 1
            let folder = "\(bench.folder)/ingest-\(number)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let part = try bench.part(
                "ingest-part", called: "\(side) side",
                IngestTask(side: side, port: broker.port, folder: folder, count: count, messages: messages))
            do {
                _ = try await part.report(IngestStart.self, patience: nil)
                try await publisher.publish(payloads.map { (topic, $0) })
                let findings = try await part.report(IngestFindings.self, patience: nil)
                await part.stop()
                return (findings, folder)
            } catch {
                await part.stop()
                throw error
            }
        }
        publisher.close()
        for (hub, bare) in zip(findings[0], findings[1]) {
            try IngestRows.compare("\(hub.1)/hub/history.sqlite", "\(bare.1)/bare.sqlite", count: count)
        }
        return results(findings.map { $0.map(\.0) })
    }

    /// Measures what a reading costs with many silent devices beside its own, as a ratio to none.
    ///
    /// - Parameters:
    ///   - silentCount: The number of silent devices.
    ///   - rate: The readings a second: so few that each is stored by itself.
    /// - Returns: The row.
    /// - Throws: ``CommandFailure``.
    func measure(silentCount: Int, rate: Int) async throws -> BenchResult {
        let messages = IngestMessages()
        let payloads = messages.flat(rate * (bench.isQuick ? 2 : 10))
        let topic = try TopicName(IngestMessages.topic)
        let publisher = try await broker.publisher()
        let silent = try (0..<silentCount).map { number throws(MQTTError) in try TopicName("silent/\(number)") }
        for topic in [topic] + silent { try await publisher.publishRetained("listening", to: topic) }
        var number = 0
        let costs = try await bench.alternating([silent, []]) { beside in
            number += 1
            let folder = "\(bench.folder)/crowd-\(number)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            var task = IngestTask(
                side: .hub, port: broker.port, folder: folder, count: payloads.count, messages: messages)
            task.silentTopics = beside.map(\.text)
            let part = try bench.part("ingest-part", called: "hub side", task)
            do {
                _ = try await part.report(IngestStart.self, patience: nil)
                for payload in payloads {
                    try await publisher.publish([(topic, payload)])
                    try await Task.sleep(for: .seconds(1) / rate)
                }
                let findings = try await part.report(IngestFindings.self, patience: nil)
                await part.stop()
                return findings.processorSeconds / Double(findings.count) * 1e6
            } catch {
                await part.stop()
                throw error
            }
        }
        publisher.close()
        return BenchResult(
            "\(rate) readings/s beside \(silentCount) silent devices", unit: "µs of processor a reading",
            engine: costs[0], raw: costs[1], rawName: "none beside", goal: .atMost(1.25))
    }

    private func results(_ findings: [[IngestFindings]]) -> [BenchResult] {
        let rates = findings.map { $0.map { Double($0.count) / $0.seconds } }
        let costs = findings.map { $0.map { $0.processorSeconds / Double($0.count) * 1e6 } }
        let memory = findings.map { $0.map { Double($0.byteCount) / 1_048_576 } }
        return [
            BenchResult(
                "readings into the history", unit: "readings/s", engine: rates[0], raw: rates[1],
                rawName: "C and SQLite", goal: .atLeast(2)),
            BenchResult(
                "beside mere delivery", unit: "readings/s", engine: rates[0], raw: rates[2], rawName: "libmosquitto"),
            BenchResult(
                "processor time of a reading", unit: "µs", engine: costs[0], raw: costs[1], rawName: "C and SQLite"),
            BenchResult("memory at the end", unit: "MiB", engine: memory[0], raw: memory[1], rawName: "C and SQLite"),
        ]
    }
}
