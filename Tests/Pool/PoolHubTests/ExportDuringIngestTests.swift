import BrokerFixture
import Foundation
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub

/// P87: files that a running hub writes while readings arrive.
@Suite(.timeLimit(.minutes(20))) struct ExportDuringIngestTests {
    private let place: TestHubFolder
    private let hub: TestHub

    init() throws {
        place = try TestHubFolder()
        hub = TestHub(place)
    }

    /// The time of the first message in seconds since 1970: recent enough to be kept, and early enough for the last to
    /// be past.
    private let start = Int(Date.now.timeIntervalSince1970) - 1_000_000

    private func message(_ number: Int) -> String {
        #"{"temperature":\#(20 + Double(number % 100) / 10),"timestamp":\#(start + number)}"#
    }

    /// Exports over the hub's socket.
    ///
    /// Returns the number of readings in the file, which must be consecutive from the first.
    private func export() async throws -> Int {
        let file = place.path + "/../export-\(UInt32.random(in: 0...(.max))).csv"
        let request = HubCommand.history(.export(HistoryExport(path: file)))
        guard
            case .history(.exported(_, let count, _)) = try await HubClient.perform(request, path: place.path)
        else { throw NotRunning() }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\r\n").dropFirst()
        #expect(lines.count == count)
        for (number, line) in lines.enumerated() {
            let moment = Timestamp(milliseconds: Int64(start + number) * 1000).iso8601
            let temperature = 20 + Double(number % 100) / 10
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 2, fields[0] == moment, Double(fields[2]) == temperature else {
                Issue.record("the reading \(number) of \(moment) is \(line)")
                return count
            }
        }
        return count
    }

    @Test func `each export has whole readings without a gap, and ingest goes on meanwhile`() async throws {
        let broker = try await Broker.start()
        try await hub.start()
        try await hub.configure(broker)
        let publisher = try await Publisher(broker)
        let isEnough = Lock(false)
        let publishing = Task {
            var count = 0
            while !isEnough.withLock(\.self) {
                let told = hub.events.items.count
                try await publisher.publish((count..<(count + 100)).map(message))
                count += 100
                // A broker keeps this many messages for a slow hub, and drops further ones.
                await hub.events.wait { $0.dropFirst(told).contains { $0.isReading(of: 29.9) } }
            }
            return count
        }

        var counts: [Int] = []
        for _ in 0..<5 {
            let told = hub.events.items.count
            await hub.events.wait { $0.dropFirst(told).contains { $0.isReading } }
            counts.append(try await export())
        }
        isEnough.withLock { $0 = true }
        let total = try await publishing.value
        // The last ones are recognised by unique values. A value is shown before it is stored, and stored before the next is shown.
        for (number, ph) in [(total, 7.77), (total + 1, 7.78)] {
            try await publisher.publish(String(message(number).dropLast()) + #","ph":\#(ph)}"#)
            await hub.waitForValue("Lagoon", .ph, ph)
        }

        #expect(counts == Set(counts).sorted(), "readings arrive between exports: \(counts)")
        #expect([total + 1, total + 2].contains(try await export()))
        #expect(!hub.events.items.contains { $0.isWaiting }, "the broker was never left waiting")
        try await hub.stop()
        await broker.stop()
    }
}

extension HubEvent {
    fileprivate var isReading: Bool {
        guard case .reading = self else { return false }
        return true
    }

    /// Whether a reading has this temperature; the last of every hundred has 29.9 °C.
    fileprivate func isReading(of temperature: Double) -> Bool {
        guard case .reading(_, let readings) = self else { return false }
        return readings.values[.temperature]?.value == temperature
    }

    /// Whether a connection to a server has ended.
    fileprivate var isWaiting: Bool {
        guard case .server(_, let state) = self, case .waiting = state.phase else { return false }
        return true
    }
}
