import CommandSupport
import Foundation
import PoolModel
import PoolStore
import SyncCore
import SyncStore

/// A hub and its watches, each with a connection of the real transport.
struct WatchesCurve: CurveSubject {
    static let name = "watches"
    static let size = "watches"
    static let sizes = (0...12).map { 1 << $0 }
    /// Below, the memory of the process itself would hide that of the watches.
    private static let countMinOfMemory = 16

    func measure(_ size: Int, _ bench: Bench) async throws -> [Measured] {
        let flood = try await bench.run(
            Workload(side: .engine, watchCount: size, work: .flood(milliseconds: 300, byteCount: 256)))
        var found = [
            Measured(
                "hub, a value to a watch", "µs of processor",
                flood.hub.processorSeconds / Double(max(1, flood.load.deliveryCount)) * 1e6)
        ]
        guard size >= Self.countMinOfMemory else { return found }
        let rest = try await bench.run(Workload(side: .engine, watchCount: size, work: .rest(milliseconds: 300)))
        found.append(Measured("hub, memory of an idle watch", "KiB", rest.hub.byteCountPerWatch / 1024))
        found.append(Measured("joining, a watch", "ms", rest.load.joinSeconds / Double(size) * 1000))
        return found
    }
}

/// One changed device among others, for ten watches.
struct DevicesCurve: CurveSubject {
    static let name = "devices"
    static let size = "devices"
    static let sizes = [1, 3, 10, 32, 100, 316, 1000]

    func measure(_ size: Int, _ bench: Bench) async throws -> [Measured] {
        let found = try ChangeRow.run(deviceCount: UInt64(size), watchCount: 10, changeCount: 50)
        return [
            Measured("a change, to a watch", "B", found.byteCount),
            Measured("a change, hub for a watch", "µs", found.hubMicroseconds),
            Measured("a change, watch", "µs", found.watchMicroseconds),
        ]
    }
}

/// The ledger in memory and on the disk.
struct CellsCurve: CurveSubject {
    static let name = "cells"
    static let size = "cells of the configuration"
    static let sizes = [100, 316, 1000, 3162, 10_000, 31_623, 100_000]
    private static let changeCount = 50
    private static let schema = Schema(versions: 1...1, projected: [.init(kind: "device", group: "name")])

    func measure(_ size: Int, _ bench: Bench) async throws -> [Measured] {
        let store = try HubStore(in: try StateFolder(path: path(size, bench)), firstEpoch: Epoch(number: 1))
        var ledger = Ledger(state: try store.load())
        var generator = SplitMix64(seed: 1)
        func transaction(_ numbers: Range<Int>, _ value: String) -> Transaction {
            let changes = numbers.map { number in
                CellChange(
                    key: CellKey(kind: "device", record: RandomID(high: 0, low: UInt64(number)), group: "name"),
                    value: "\(value) \(number)")
            }
            let made = ledger.prepare(changes, schema: Self.schema, wallMilliseconds: 0, generator: &generator)
            ledger.apply(made)
            return made
        }
        try store.commit(transaction(0..<size, "A device with a name of a usual length"))
        var changes: [Transaction] = []
        let inMemory = seconds {
            for number in 0..<Self.changeCount {
                let place = number * size / Self.changeCount
                changes.append(transaction(place..<place + 1, "changed"))
            }
        }
        let durable = try seconds { for change in changes { try store.commit(change) } }
        var count = 0
        let loading = try seconds { count = try store.load().cells.count }
        guard count == size else { throw CommandFailure("the store has \(count) of the \(size) cells") }
        return [
            Measured("a change, in memory", "µs", inMemory / Double(Self.changeCount) * 1e6),
            Measured("a change, made durable", "µs", durable / Double(Self.changeCount) * 1e6),
            Measured("opening, a cell", "µs", loading / Double(size) * 1e6),
        ]
    }
}

/// The history of a device that reports twice a minute: ten million rows are nine and a half years, which may be kept.
struct HistoryCurve: CurveSubject {
    static let name = "history"
    static let size = "rows of the history"
    static let sizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000]
    private static let batchCount = 5000
    private static let device = DeviceID(high: 1, low: 1)
    private static let start: Int64 = 1_500_000_000_000
    private static let intervalSeconds = 30

    func measure(_ size: Int, _ bench: Bench) async throws -> [Measured] {
        let path = path(size, bench) + ".sqlite"
        let store = try HistoryStore(path: path)
        for first in stride(from: 0, to: size, by: Self.batchCount) {
            try store.record((first..<min(size, first + Self.batchCount)).map(Self.arrival))
        }
        let recording = try seconds { try store.record((size..<size + 1000).map(Self.arrival)) }
        let now = Self.time(size + 1000)
        // As a hub does it meanwhile; nothing of what is measured is so old that it would go.
        let longest = try Retention(rawDays: 3650, summaryDays: 3650)
        let rollingUp = try seconds {
            while try store.maintain(now: now, retention: longest, corrections: Corrections(), rowsMax: 20_000)
                != .nothing
            {}
        }
        let month = SeriesQuery(
            deviceID: Self.device, quantity: .ph,
            from: Timestamp(milliseconds: now.milliseconds - 30 * 86_400_000), through: now, pointsMax: 500,
            expectedIntervalSeconds: Self.intervalSeconds)
        let all = SeriesQuery(
            deviceID: Self.device, quantity: .ph, from: Self.time(0), through: now, pointsMax: 500,
            expectedIntervalSeconds: Self.intervalSeconds)
        let charts = try [month, all].map { query in try seconds { _ = try store.series(query) } }
        let newest = try seconds { _ = try store.newest(limit: 50, corrections: Corrections()) }
        try store.close()
        let byteCount = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return [
            Measured("recording, a row", "µs", recording / 1000 * 1e6),
            Measured("rolling up, a row", "µs", rollingUp / Double(size + 1000) * 1e6),
            Measured("a chart of 30 days", "ms", charts[0] * 1000),
            Measured("a chart of everything", "ms", charts[1] * 1000),
            Measured("the newest 50", "ms", newest * 1000),
            Measured("file, a row", "B", Double(byteCount) / Double(size + 1000)),
        ]
    }

    private static func time(_ number: Int) -> Timestamp {
        Timestamp(milliseconds: start + Int64(number * intervalSeconds) * 1000)
    }

    private static func arrival(_ number: Int) -> Arrival {
        var values = QuantityMap<Double>()
        values[.temperature] = 24 + Double(number % 100) / 50
        values[.ph] = 7.1 + Double(number % 37) / 100
        values[.orp] = Double(640 + number % 71)
        let reading = Reading(
            deviceID: device, values: values, sampledAt: time(number), timeQuality: .device, receivedAt: time(number))
        return Arrival(reading: reading, payloadHash: UInt64(number), delivery: nil)
    }
}
