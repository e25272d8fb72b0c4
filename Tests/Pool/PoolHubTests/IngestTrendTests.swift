import MQTT
import PoolModel
import PoolStore
import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// The trends that the hub computes, sends to its watches and shows on its screens.
@Suite struct IngestTrendTests {
    private static let noon = IngestBench.noon

    private func bench() throws -> (IngestBench, Device) {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        return (bench, device)
    }

    /// For each value, lets a minute pass and a pH reading arrive.
    private func receive(_ values: some Sequence<Double>, _ bench: IngestBench) throws {
        for value in values {
            bench.turnClock(byMilliseconds: 60_000)
            try bench.receive(#"{"ph":\#(value)}"#, on: "pool")
        }
    }

    private let falling = (0..<60).map { 7.6 - Double($0) * 0.012 }

    /// The trends as last sent to the watches, and as the hub's own screens show them.
    private func told(_ bench: IngestBench, _ device: Device) -> [Trend?] {
        [
            bench.shown.items.last?.values[.ph]?.trend,
            bench.ingest.facts[device.id]?.readings?.values[.ph]?.trend,
        ]
    }

    @Test func `what is told to watches and shown by the hub has the same trend, with each reading`() throws {
        let (bench, device) = try bench()
        for (index, value) in falling.enumerated() {
            try receive([value], bench)
            let told = told(bench, device)
            #expect(told[0] == told[1])
            #expect((told[0] == nil) == (index < 5), "after \(index + 1) readings: \(told)")
        }
        #expect(told(bench, device) == [.falling, .falling])
        let register = try #require(bench.shown.items.last).register
        #expect(String(decoding: register.value, as: UTF8.self).contains(#""trend":"falling""#))
        #expect(bench.ingest.facts[device.id]?.rawReadings?.values[.ph]?.trend == nil)
    }

    @Test func `a hub that was started again tells the trend that it told before`() throws {
        let (bench, device) = try bench()
        try receive(falling, bench)

        let again = try IngestBench(bench.folder)
        again.turnClock(byMilliseconds: bench.now.milliseconds(since: Self.noon) + 1000)
        try again.use(device)

        #expect(again.ingest.readings == bench.ingest.readings)
        #expect(again.ingest.readings.first?.values[.ph]?.trend == .falling)
    }

    @Test func `late readings count, and are told with the next one that shows`() throws {
        let bench = try IngestBench()
        let device = try bench.device(
            "Lagoon", topic: "pool",
            mapping: #"{"values":[{"quantity":"ph","topic":"~","path":"ph"}],"time":{"path":"at"}}"#)
        try bench.use(device)
        func receive(_ value: Double, minute: Int) throws {
            try bench.receive(#"{"ph":\#(value),"at":"2026-06-01T11:\#(minute):00Z"}"#, on: "pool")
        }
        for minute in 50..<52 { try receive(7, minute: minute) }
        for minute in (20..<45).reversed() { try receive(7 + Double(50 - minute) / 50, minute: minute) }
        #expect(told(bench, device) == [nil, nil])
        try receive(7, minute: 52)
        #expect(told(bench, device) == [.falling, .falling])
    }

    @Test func `a calibration changes no trend by itself, and what it changes is told at once`() throws {
        var (bench, device) = try bench()
        try receive((0..<60).map { _ in 7.2 }, bench)
        #expect(told(bench, device) == [.steady, .steady])
        let order = try #require(bench.shown.items.last?.order)

        let start = bench.now.advanced(byMilliseconds: -300_000)
        device.calibrations = [
            .ph: CalibrationSeries([
                Calibration(
                    slope: 1, offset: 0.4, method: .zeroPoint, points: [], validFrom: start, madeAt: start,
                    author: "hub")
            ])
        ]
        try bench.use(device)
        #expect(told(bench, device) == [nil, nil], "too little is known since it holds")
        #expect(try #require(bench.shown.items.last?.order) > order)
        #expect(bench.shown.items.last?.values[.ph]?.value == 7.2 + 0.4)

        try receive((0..<30).map { _ in 7.2 }, bench)
        #expect(told(bench, device) == [.steady, .steady])
    }

    @Test func `deleted readings count no more`() throws {
        let (bench, device) = try bench()
        let start = bench.now
        try receive((0..<20).map { _ in 9 }, bench)
        try receive((0..<39).map { _ in 7.2 }, bench)
        #expect(told(bench, device) == [.falling, .falling])

        let last = start.advanced(byMilliseconds: 20 * 60_000)
        try bench.ingest.delete(of: device.id, from: start, through: last) {
            try bench.history.beginDeletion(of: device.id, from: start, through: last)
        }
        try receive([7.2], bench)

        #expect(told(bench, device) == [.steady, .steady])
    }

    @Test func `a backlog of unknown age is no trend of now`() throws {
        let (bench, device) = try bench()
        try receive((0..<60).map { _ in 7.2 }, bench)
        bench.ingest.noteConnected(bench.serverID)
        bench.turnClock(byMilliseconds: 7_200_000)
        bench.ingest.beginCatchUp(bench.serverID)
        for value in falling { try bench.receive(#"{"ph":\#(value)}"#, on: "pool") }
        bench.turnClock(byMilliseconds: 1000)
        bench.ingest.endCatchUp(bench.serverID)
        #expect(told(bench, device) == [nil, nil])
        #expect(bench.shown.items.last?.values[.ph]?.sampledAt == Self.noon.advanced(byMilliseconds: 3_600_000))
    }
}
