import Foundation
import MQTT
import PoolControl
import PoolModel
import PoolStore
import TestSupport
import Testing

@testable import PoolHub

/// Ingest alone, without a broker and with a manual clock.
@Suite struct IngestMappingTests {
    private static let bridge = """
        {"values":[{"quantity":"ph","topic":"~","path":"ph"},{"quantity":"temperature","topic":"~","path":"t"}],
        "time":{"path":"at"},"availability":[{"topic":"~/LWT"}]}
        """

    @Test func `a mapped message is stored as sent, and shown and told corrected`() throws {
        // P25, P83, P84
        let bench = try IngestBench()
        var device = try bench.device("Lagoon", topic: "z/pool", mapping: Self.bridge)
        device.calibrations = [.ph: Self.series(offset: 0.2)]
        try bench.use(device)

        try bench.receive(#"{"ph":7.1,"t":25,"at":"2026-06-01T11:59:00Z"}"#, on: "z/pool")

        #expect(try bench.stored(device).map(\.values) == [[.ph: 7.1, .temperature: 25]])
        #expect(bench.measured.map(\.values) == [[.ph: 7.1 + 0.2, .temperature: 25]])
        #expect(bench.measured.map(\.isCurrent) == [true])
        let facts = try #require(bench.ingest.facts[device.id])
        #expect(facts.readings?.values[.ph]?.value == 7.1 + 0.2)
        #expect(facts.rawReadings?.values[.ph]?.value == 7.1)
        #expect(facts.lastMessage?.topic == "z/pool")
        #expect(facts.lastMessage?.qualityOfService == 1)
    }

    @Test func `a changed calibration derives what is shown anew, at once and after a start`() throws {
        // P83
        let bench = try IngestBench()
        var device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        try bench.receive(#"{"ph":7}"#, on: "pool")
        let before = try #require(bench.ingest.facts[device.id]?.readings?.order)

        device.calibrations = [.ph: Self.series(offset: 0.5)]
        try bench.use(device)

        #expect(bench.shown.items.last?.values[.ph]?.value == 7.5)
        #expect(try #require(bench.shown.items.last?.order) > before)
        #expect(bench.measured.last?.values == [.ph: 7.5])
        let again = try IngestBench(bench.folder)
        device.calibrations = [.ph: Self.series(offset: 1)]
        try again.use(device)
        #expect(again.ingest.readings.first?.values[.ph]?.value == 8)
        #expect(try #require(again.ingest.readings.first?.order) > bench.ingest.readings[0].order)
        #expect(again.told.items.isEmpty)
    }

    @Test func `one message may be for two devices, and both readings are stored`() throws {
        // X10, S12
        let bench = try IngestBench()
        let path = { (key: String) in #"{"values":[{"quantity":"ph","topic":"c/state","path":"\#(key).ph"}]}"# }
        let pool = try bench.device("Pool", topic: "c", mapping: path("pool"), low: 1)
        let spa = try bench.device("Spa", topic: "c", mapping: path("spa"), low: 2)
        try bench.use(pool, spa)

        try bench.receive(#"{"pool":{"ph":7.2},"spa":{"ph":7.6}}"#, on: "c/state")

        #expect(try bench.stored(pool).map(\.values) == [[.ph: 7.2]])
        #expect(try bench.stored(spa).map(\.values) == [[.ph: 7.6]])
    }

    @Test func `a late reading goes into the history, not onto the dashboard`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "z/pool", mapping: Self.bridge)
        try bench.use(device)

        try bench.receive(#"{"ph":7.1,"at":"2026-06-01T11:59:00Z"}"#, on: "z/pool")
        try bench.receive(#"{"ph":6.5,"at":"2026-06-01T11:00:00Z"}"#, on: "z/pool")

        #expect(try bench.stored(device).map(\.values) == [[.ph: 6.5], [.ph: 7.1]])
        #expect(bench.ingest.readings[0].values[.ph]?.value == 7.1)
        #expect(bench.measured.map(\.isCurrent) == [true, false])
        #expect(bench.ingest.counts.late == 1)
    }

    @Test func `a backlog is stored in order, and only its end is current`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        try bench.receive(#"{"orp":599}"#, on: "pool")
        bench.turnClock(byMilliseconds: 1000)

        bench.ingest.beginCatchUp(bench.serverID)
        for number in 0..<2000 {
            bench.turnClock(byMilliseconds: 1)
            try bench.receive("{\"orp\":\(600 + number % 300)}", on: "pool", isSessionResumed: true)
        }
        #expect(bench.shown.items.count == 1)
        bench.ingest.endCatchUp(bench.serverID)

        let sent: [Double?] = [599] + (0..<2000).map { Double(600 + $0 % 300) }
        #expect(try bench.stored(device).map { $0.values[.orp] } == sent)
        // The alerts receive all of them in order, with the oldest possible sample time.
        let overtaken = bench.overtaken
        #expect(overtaken.map { $0.values[.orp] } == Array(sent[1..<2000]))
        #expect(overtaken.allSatisfy { $0.sampledAt == IngestBench.noon })
        #expect(bench.measured.count == 2 && bench.measured.last?.isCurrent == true)
        #expect(bench.shown.items.count == 2)
        #expect(bench.shown.items.last?.values[.orp]?.value == Double(600 + 1999 % 300))
    }

    @Test func `the end of a backlog is the last value of each quantity, whichever message it came in`() throws {
        let bench = try IngestBench()
        try bench.use(try bench.device("Lagoon", topic: "pool"))
        try bench.receive(#"{"ph":7.2,"orp":650}"#, on: "pool")
        bench.turnClock(byMilliseconds: 1000)

        bench.ingest.beginCatchUp(bench.serverID)
        try bench.receive(#"{"ph":7.3,"orp":660}"#, on: "pool", isSessionResumed: true)
        try bench.receive(#"{"ph":7.4}"#, on: "pool", isSessionResumed: true)
        bench.ingest.endCatchUp(bench.serverID)

        #expect(bench.overtaken.map(\.values) == [[.ph: 7.3]])
        #expect(bench.measured.dropFirst().map(\.values) == [[.orp: 660], [.ph: 7.4]])
        #expect(bench.measured.allSatisfy { $0.isCurrent })
    }

    @Test func `a quantity that comes, but never so that it can be used, is awaited until it can`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        try bench.receive(#"{"temperature":25,"ph":730}"#, on: "pool")
        #expect(bench.ingest.readings[0].awaited == [.ph])
        try bench.receive(#"{"temperature":25.1}"#, on: "pool")
        #expect(bench.shown.items.last?.awaited == [.ph])
        // The same applies after a restart.
        #expect(try HistoryStore(path: bench.history.path).latest().first?.awaited == [.ph])
        try bench.receive(#"{"ph":7.3}"#, on: "pool")
        #expect(bench.ingest.readings[0].awaited.isEmpty)
        let orders = bench.shown.items.map(\.order)
        #expect(orders == orders.sorted() && Set(orders).count == orders.count)
    }

    @Test func `what a mapping names is awaited, but not what a built-in one names`() throws {
        for profile in [nil, "espeasy"] {
            let bench = try IngestBench()
            var device = try bench.device("Lagoon", topic: "pool")
            device.mapping = DeviceMapping(
                profile: profile,
                values: [
                    ValueSource(.temperature, path: ValuePath([.key("t")])),
                    ValueSource(.ph, path: ValuePath([.key("p")])),
                ])
            try bench.use(device)
            try bench.receive(#"{"t":25}"#, on: "pool")
            #expect(bench.ingest.readings[0].awaited == (profile == nil ? [.ph] : []))
        }
    }

    // X18: an old value is never shown as a new one.
    @Test func `what a broker kept may be as old as what was heard before it, unless its device dated it`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        try bench.receive(#"{"ph":7.2}"#, on: "pool")
        bench.turnClock(byMilliseconds: 8 * 3_600_000)

        bench.ingest.beginCatchUp(bench.serverID)
        try bench.receive(#"{"ph":8.9,"temperature":22}"#, on: "pool", isSessionResumed: true)
        let dated = Self.moment(bench.now.advanced(byMilliseconds: -60_000))
        try bench.receive(#"{"orp":650,"timestamp":\#(dated)}"#, on: "pool", isSessionResumed: true)
        bench.ingest.endCatchUp(bench.serverID)

        func age(_ quantity: Quantity) -> Int? {
            bench.ingest.readings[0].values[quantity]?.freshness(at: bench.now, expectedIntervalSeconds: 60).ageSeconds
        }
        #expect(age(.ph) == 8 * 3600)
        #expect(age(.temperature) == 8 * 3600)
        #expect(age(.orp) == 60)
        // The history has their times of receipt, and a crash does not change them.
        #expect(try bench.stored(device).count == 3)
        #expect(try HistoryStore(path: bench.history.path).latest() == bench.history.latest())

        bench.turnClock(byMilliseconds: 1000)
        try bench.receive(#"{"ph":7.3}"#, on: "pool")
        #expect(age(.ph) == 0)
        #expect(bench.measured.last?.isCurrent == true)
    }

    @Test func `what a broker kept of a device that was never heard is of unknown age, and judged by nobody`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)

        bench.ingest.beginCatchUp(bench.serverID)
        try bench.receive(#"{"ph":8.9}"#, on: "pool", isSessionResumed: true)
        bench.ingest.endCatchUp(bench.serverID)

        #expect(bench.ingest.readings[0].values[.ph]?.isLastKnown == true)
        #expect(bench.measured.map(\.isCurrent) == [false])
        try bench.receive(#"{"ph":7.3}"#, on: "pool")
        #expect(bench.ingest.readings[0].values[.ph]?.isLastKnown == false)
    }

    @Test func `what a broker kept during a blink of the network is judged, also of a device never heard`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)

        bench.ingest.noteConnected(bench.serverID)
        bench.turnClock(byMilliseconds: 2000)
        bench.ingest.beginCatchUp(bench.serverID)
        try bench.receive(#"{"ph":8.9}"#, on: "pool", isSessionResumed: true)
        bench.ingest.endCatchUp(bench.serverID)

        #expect(bench.measured.map(\.isCurrent) == [true])
        #expect(bench.measured.map(\.sampledAt) == [bench.now.advanced(byMilliseconds: -2000)])
    }

    @Test func `a device that is added while a backlog comes in is as old as what was known of it`() throws {
        let first = try IngestBench()
        let device = try first.device("Lagoon", topic: "pool")
        try first.use(device)
        try first.receive(#"{"ph":7.2}"#, on: "pool")
        // It is configured after the broker has begun to send.
        let bench = try IngestBench(first.folder)
        bench.turnClock(byMilliseconds: 3_600_000)

        bench.ingest.beginCatchUp(bench.serverID)
        try bench.use(device)
        try bench.receive(#"{"ph":8.9}"#, on: "pool", isSessionResumed: true)
        bench.ingest.endCatchUp(bench.serverID)

        let age = bench.ingest.readings[0].values[.ph]?.freshness(at: bench.now, expectedIntervalSeconds: 60).ageSeconds
        #expect(age == 3600)
        #expect(bench.measured.map(\.isCurrent) == [true])
    }

    @Test func `what comes together is judged one by one, and shown once of each device`() throws {
        let bench = try IngestBench()
        let (lagoon, spa) = (
            try bench.device("Lagoon", topic: "lagoon"), try bench.device("Spa", topic: "spa", low: 2)
        )
        try bench.use(lagoon, spa)

        let verdict = try bench.receive(together: [
            ("lagoon", #"{"ph":7.2}"#), ("spa", #"{"ph":7.9}"#), ("lagoon", "no reading"), ("lagoon", #"{"orp":650}"#),
            ("lagoon", #"{"ph":7.4}"#),
        ])

        guard case .acknowledge = verdict else { throw HistoryError.failed(path: "", reason: "\(verdict)") }
        #expect(try (bench.stored(lagoon).count, bench.stored(spa).count) == (3, 1))
        #expect(bench.measured.map(\.device) == [lagoon.id, spa.id, lagoon.id, lagoon.id])
        #expect(bench.shown.items.map(\.deviceID) == [spa.id, lagoon.id])
        #expect(bench.shown.items.last?.values[.ph]?.value == 7.4)
        #expect(bench.shown.items.last?.values[.orp]?.value == 650)
        #expect(bench.ingest.counts.rejected.values.reduce(0, +) == 1)
    }

    /// A time in seconds since 1970.
    private static func moment(_ timestamp: Timestamp) -> Int64 { timestamp.milliseconds / 1000 }

    @Test func `what was redelivered is stored once, what came again is stored again`() throws {
        // P13
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)

        try bench.receive(#"{"ph":7.2}"#, on: "pool", life: 1, packet: 9)
        try bench.receive(#"{"ph":7.2}"#, on: "pool", life: 2, isSessionResumed: true, packet: 9)
        try bench.receive(#"{"ph":7.2}"#, on: "pool", life: 2, isSessionResumed: true, packet: 10)

        #expect(try bench.stored(device).count == 2)
        #expect(bench.ingest.counts.duplicates == 1)
    }

    @Test func `a clock that was set back stops nothing`() throws {
        // pool-domain 5.3
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        try bench.receive(#"{"ph":7.2}"#, on: "pool")
        let before = bench.ingest.readings[0].order

        bench.turnClock(byMilliseconds: -7_200_000)
        try bench.receive(#"{"ph":7.4}"#, on: "pool")

        #expect(bench.ingest.readings[0].values[.ph]?.value == 7.4)
        #expect(bench.measured.last?.isCurrent == true)
        #expect(bench.ingest.readings[0].order > before)
        #expect(try bench.stored(device).count == 2)
    }

    @Test func `availability is told once for each change, and a heartbeat is no measurement`() throws {
        // X21
        let bench = try IngestBench()
        let mapping = """
            {"values":[{"quantity":"ph","topic":"~/ph"}],"availability":[{"topic":"~/LWT"}],
            "heartbeats":["~/uptime"],"changesOnly":true}
            """
        let device = try bench.device("Lagoon", topic: "p", mapping: mapping)
        try bench.use(device)

        try bench.receive("online", on: "p/LWT", isRetained: true)
        try bench.receive("online", on: "p/LWT")
        try bench.receive("7.2", on: "p/ph")
        bench.turnClock(byMilliseconds: 600_000)
        try bench.receive("600", on: "p/uptime")

        #expect(bench.ingest.facts[device.id]?.isAvailable == true)
        let changes = bench.told.items.count { if case .availability = $0 { true } else { false } }
        #expect(changes == 1)
        #expect(bench.ingest.readings[0].values[.ph]?.value == 7.2)
        #expect(bench.ingest.readings[0].values[.ph]?.sampledAt == bench.now)
        #expect(try bench.stored(device).count == 1)
        try bench.receive("offline", on: "p/LWT")
        #expect(bench.ingest.facts[device.id]?.isAvailable == false)
    }

    @Test func `X21 a device that says that it is offline is shown so at once, and its data contradict it`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "z/pool", mapping: Self.bridge)
        try bench.use(device)
        func changes() -> [Bool] {
            bench.told.items.compactMap { event in
                guard case .availability(_, let isAvailable, _, _) = event else { return nil }
                return isAvailable
            }
        }

        try bench.receive("offline", on: "z/pool/LWT", isRetained: true)
        #expect(bench.ingest.facts[device.id]?.isAvailable == false)
        bench.turnClock(byMilliseconds: 1000)
        try bench.receive(#"{"ph":7.1,"t":25,"at":"2026-06-01T12:00:01Z"}"#, on: "z/pool")
        #expect(bench.ingest.facts[device.id]?.isAvailable == nil)
        #expect(bench.ingest.readings[0].absentSince == nil && bench.ingest.readings[0].isAbsenceDoubted)
        // The broker replays it on each connection; that says nothing new.
        try bench.receive("offline", on: "z/pool/LWT", isRetained: true)
        #expect(bench.ingest.readings[0].absentSince == nil)
        #expect(changes() == [false])

        try bench.receive("offline", on: "z/pool/LWT")
        #expect(changes() == [false, false])
        let shown = try #require(bench.shown.items.last)
        #expect(shown.absentSince == bench.now)
        #expect(shown.freshness(of: .ph, at: bench.now, expectedIntervalSeconds: 60).freshness == .offline)
        #expect(try bench.history.latest() == [shown])

        try bench.receive("online", on: "z/pool/LWT")
        #expect(bench.shown.items.last?.absentSince == nil)
        #expect(bench.shown.items.last?.isAbsenceDoubted == false)
    }

    @Test func `X21 an "offline" that was contradicted stays so over a restart of the hub`() throws {
        let folder = try TestHubFolder()
        let device: Device
        do {
            let bench = try IngestBench(folder)
            device = try bench.device("Lagoon", topic: "z/pool", mapping: Self.bridge)
            try bench.use(device)
            try bench.receive("offline", on: "z/pool/LWT", isRetained: true)
            try bench.receive(#"{"ph":7.1,"at":"2026-06-01T12:00:00Z"}"#, on: "z/pool")
        }
        let bench = try IngestBench(folder)
        try bench.use(device)
        try bench.receive("offline", on: "z/pool/LWT", isRetained: true)
        #expect(bench.ingest.readings[0].absentSince == nil)
        try bench.receive("offline", on: "z/pool/LWT")
        #expect(bench.ingest.readings[0].absentSince != nil)
    }

    @Test func `an offline in the payload of the values is not contradicted by them`() throws {
        let bench = try IngestBench()
        let mapping = """
            {"values":[{"quantity":"ph","topic":"~","path":"ph"}],"availability":[{"topic":"~","path":"link"}]}
            """
        let device = try bench.device("Lagoon", topic: "p", mapping: mapping)
        try bench.use(device)
        for _ in 0..<3 {
            try bench.receive(#"{"ph":7.1,"link":"offline"}"#, on: "p")
            bench.turnClock(byMilliseconds: 5000)
            #expect(bench.ingest.facts[device.id]?.isAvailable == false)
        }
    }

    @Test func `P54 what a broken probe reports is told as its fault, and never stored or shown`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Garden", topic: "p")
        try bench.use(device)
        try bench.receive(#"{"temperature":38.5,"ph":7.2,"orp":702,"chlorine":1}"#, on: "p")
        bench.turnClock(byMilliseconds: 30_000)
        // Unplugged, without chlorine in water that disinfects, and read in the other scale.
        try bench.receive(#"{"temperature":3.6,"ph":14.00,"orp":701,"chlorine":0.00}"#, on: "p")
        bench.turnClock(byMilliseconds: 30_000)
        try bench.receive(#"{"temperature":0,"ph":0,"orp":-1,"chlorine":1.1}"#, on: "p")

        #expect(
            try bench.stored(device).map(\.values) == [
                [.temperature: 38.5, .ph: 7.2, .orp: 702, .chlorine: 1], [.orp: 701], [.chlorine: 1.1],
            ])
        let faults = bench.told.items.flatMap { event -> [DecodedPayload.Quarantined] in
            guard case .quarantined(_, let values, _) = event else { return [] }
            return values
        }
        #expect(
            faults.map(\.fault) == [.unplugged, .scale, .zero, .unplugged, .unplugged, .zero])
        let shown = bench.ingest.readings[0].values
        #expect(shown[.ph]?.value == 7.2)
        #expect(shown[.temperature]?.value == 38.5)
    }

    @Test func `the other scale stays in question as long as it goes on, and ends with the right one`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Spa", topic: "p")
        try bench.use(device)
        try bench.receive(#"{"temperature":38.5}"#, on: "p")
        for _ in 0..<30 {
            bench.turnClock(byMilliseconds: 3_600_000)
            try bench.receive(#"{"temperature":3.6}"#, on: "p")
        }
        #expect(try bench.stored(device).count == 1)
        try bench.receive(#"{"temperature":38.4}"#, on: "p")
        #expect(try bench.stored(device).map { $0.values[.temperature] } == [38.5, 38.4])
    }

    @Test func `the interval of a device is learnt from the times that it sends, unless a person has set it`() throws {
        let bench = try IngestBench()
        var learning = try bench.device("Lagoon", topic: "a", mapping: Self.bridge, low: 1)
        learning.expectedIntervalSeconds = 300
        learning.learnsInterval = true
        let fixed = try bench.device("Spa", topic: "b", low: 2)
        try bench.use(learning, fixed)
        for hour in 0..<4 {
            // Messages that were kept on the way come together, but their times tell.
            try bench.receive(#"{"ph":7.\#(hour + 1),"at":"2026-06-01T0\#(hour):00:00Z"}"#, on: "a")
            try bench.receive(#"{"ph":7.2}"#, on: "b")
            bench.turnClock(byMilliseconds: 1000)
        }
        #expect(bench.intervals.items == ["\(learning.id) 3600"])
    }

    @Test func `bad input is counted by reason with topic and place, and is never a reading`() throws {
        // P52–P54, pool-domain 5.4
        let bench = try IngestBench()
        let mapped = try bench.device("Lagoon", topic: "z/pool", mapping: Self.bridge, low: 1)
        let flat = try bench.device("Spa", topic: "spa", low: 2)
        try bench.use(mapped, flat)

        try bench.receive(#"{"other":1}"#, on: "z/pool")
        try bench.receive(#"{"ph":"seven"}"#, on: "z/pool")
        try bench.receive(#"{"ph":99}"#, on: "z/pool")
        try bench.receive("<html>", on: "spa")
        try bench.receive(#"{"ph":0}"#, on: "spa")

        let counts = try #require(bench.ingest.facts[mapped.id]?.counts)
        #expect(counts.rejected == ["no_usable_value": 1])
        #expect(counts.passedOver == ["nothing_there": 1])
        #expect(counts.quarantinedByQuantity == ["ph": 1])
        let words = try #require(counts.lastRejection)
        #expect(words.contains("z/pool") && words.contains("seven"), "\(words)")
        #expect(bench.ingest.facts[flat.id]?.counts.quarantinedByQuantity == ["ph": 1])
        #expect(try bench.stored(mapped).isEmpty && bench.stored(flat).isEmpty)
        #expect(bench.ingest.counts.rejectedCount == 2)
    }

    @Test func `messages that are filtered out, or about something else, are counted and no fault`() throws {
        let bench = try IngestBench()
        let mapping = """
            {"values":[{"quantity":"ph","topic":"~","path":"ph","conditions":[{"path":"model","is":["mine"]}]},
            {"quantity":"orp","topic":"~/orp","path":"orp"}]}
            """
        let mapped = try bench.device("Lagoon", topic: "gw/events", mapping: mapping, low: 1)
        let flat = try bench.device("Spa", topic: "spa", low: 2)
        try bench.use(mapped, flat)

        try bench.receive(#"{"model":"mine","ph":7.2}"#, on: "gw/events")
        try bench.receive(#"{"model":"other","ph":9.9}"#, on: "gw/events")
        try bench.receive(#"{"model":"other","rpm":1200}"#, on: "gw/events")
        try bench.receive(#"{"rpm":1200}"#, on: "gw/events/orp")
        try bench.receive(#"{"rpm":1200}"#, on: "spa")
        let faults = bench.told.items.filter { if case .unreadable = $0 { true } else { false } }
        #expect(faults.isEmpty)
        #expect(bench.ingest.counts.passedOver == ["filtered": 2, "nothing_there": 1, "no_known_quantity": 1])
        #expect(bench.ingest.counts.rejected == [:])
        #expect(bench.ingest.counts.lastPassedOver?.contains("spa") == true)

        try bench.receive(#"{"model":"mine","ph":"seven"}"#, on: "gw/events")
        #expect(bench.told.items.contains { if case .unreadable = $0 { true } else { false } })
        #expect(bench.ingest.counts.rejected == ["no_usable_value": 1])
    }

    @Test func `a time that is marked is told in words`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "pool")
        try bench.use(device)
        try bench.receive(#"{"ph":7.2,"time":"2026-07-01T12:00:00Z"}"#, on: "pool")
        let counts = try #require(bench.ingest.facts[device.id]?.counts)
        #expect(counts.remarks == ["time_in_future": 1])
        #expect(counts.lastRemark?.contains("more than a day in the future") == true)
    }

    @Test func `a value that waits for its time goes without it in the end`() throws {
        let bench = try IngestBench()
        let mapping = """
            {"values":[{"quantity":"ph","topic":"~/ph"}],"time":{"topic":"~/at","path":""}}
            """
        let device = try bench.device("Lagoon", topic: "p", mapping: mapping)
        try bench.use(device)

        try bench.receive("7.2", on: "p/ph")
        bench.ingest.expire()
        #expect(try bench.stored(device).isEmpty)
        bench.turnClock(byMilliseconds: 5000)
        bench.ingest.expire()

        #expect(try bench.stored(device).map(\.timeQuality) == [.estimated])
    }

    @Test func `a device that is read in another way is subscribed to again, others are not`() throws {
        // P19, P25
        let bench = try IngestBench()
        var device = try bench.device("Lagoon", topic: "z/pool", mapping: Self.bridge, low: 1)
        let other = try bench.device("Spa", topic: "spa", low: 2)
        #expect(try bench.use(device, other) == [bench.serverID: ["z/pool", "z/pool/LWT", "spa"]])
        #expect(try bench.use(device, other) == [:])

        device.mapping?.values.removeLast()

        #expect(try bench.use(device, other) == [bench.serverID: ["z/pool", "z/pool/LWT"]])
        #expect(bench.ingest.filters(of: bench.serverID) == ["z/pool", "z/pool/LWT", "spa"])
    }

    private static func series(offset: Double) -> CalibrationSeries {
        CalibrationSeries([
            Calibration(
                slope: 1, offset: offset, method: .manual, points: [], validFrom: Timestamp(milliseconds: 0),
                madeAt: Timestamp(milliseconds: 0), author: "test")
        ])
    }
}
