import PoolSamples
import TestSupport
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct DeviceReadingsTests {
    private func after(_ count: Int64) -> Timestamp { noon.advanced(byMilliseconds: seconds(count)) }

    private var empty: DeviceReadings { DeviceReadings(deviceID: lagoon.id) }

    @Test func `X2 each quantity keeps its newest value with its own age`() {
        var readings = empty
        readings.absorb(message([.temperature: 25, .ph: 7.2], sampledAt: after(0), receivedAt: after(1)))
        readings.absorb(message([.temperature: 26, .orp: 650], sampledAt: after(60), receivedAt: after(61)))

        #expect(readings.values[.temperature]?.value == 26)
        #expect(readings.values[.temperature]?.sampledAt == after(60))
        #expect(readings.values[.ph]?.value == 7.2)
        #expect(readings.values[.ph]?.sampledAt == after(0))
        #expect(readings.values[.orp]?.receivedAt == after(61))
        #expect(readings.values[.chlorine] == nil)
    }

    @Test func `X21 while a device says that it is offline, no value of it is fresh`() throws {
        var readings = empty
        readings.absorb(message([.ph: 7.2], sampledAt: after(0), receivedAt: after(0)))
        let order = readings.order
        readings.note(absentSince: after(1))
        #expect(readings.order > order)
        #expect(readings.freshness(of: .ph, at: after(2), expectedIntervalSeconds: 60) == (.offline, 2))
        #expect(!readings.isActive(at: after(2), expectedIntervalSeconds: 60))
        let isChanged = readings.note(absentSince: after(9))
        #expect(!isChanged)
        #expect(readings.absentSince == after(1))
        let glance = Glance(
            device: WatchDevice(id: lagoon.id, name: "Lagoon", serverID: home.id), readings: readings, history: nil,
            now: after(2), link: .linked, revision: 1, clock: "")
        #expect(Headline(glance) == .offline)
        #expect(glance.gauges.allSatisfy { $0.status == .offline })

        let bytes = try readings.canonicalJSON()
        #expect(bytes == (try CanonicalJSON.encode(readings)))
        #expect(try CanonicalJSON.decode(DeviceReadings.self, from: bytes) == readings)

        readings.note(absentSince: nil, isDoubted: true)
        #expect(readings.freshness(of: .ph, at: after(2), expectedIntervalSeconds: 60) == (.live, 2))
        #expect(try CanonicalJSON.decode(DeviceReadings.self, from: readings.canonicalJSON()) == readings)
        #expect(try readings.canonicalJSON() == CanonicalJSON.encode(readings))
    }

    @Test func `an older sample never replaces a newer one`() {
        var readings = empty
        readings.absorb(message([.ph: 7.5], sampledAt: after(60), receivedAt: after(60)))

        let late = message([.ph: 7.1, .orp: 650], sampledAt: after(59), receivedAt: after(61))

        let isNew = readings.absorb(late)
        #expect(isNew)
        #expect(readings.values[.ph]?.value == 7.5)
        #expect(readings.values[.orp]?.value == 650)
    }

    @Test func `of two samples of one moment the one that came last counts`() {
        var readings = empty
        readings.absorb(message([.ph: 7.5], sampledAt: after(0), receivedAt: after(1)))
        readings.absorb(message([.ph: 7.4], sampledAt: after(0), receivedAt: after(2)))
        #expect(readings.values[.ph]?.value == 7.4)
    }

    @Test func `P12 X18 a replayed value without a time fills an empty place and no other`() {
        var readings = empty
        let replay = message(
            [.ph: 7.0, .orp: 600], sampledAt: nil, quality: .unknown, receivedAt: after(100), isRetained: true)
        readings.absorb(message([.ph: 7.5], sampledAt: after(0), receivedAt: after(0)))

        let isNew = readings.absorb(replay)
        #expect(isNew)
        #expect(readings.values[.ph]?.value == 7.5)
        #expect(readings.values[.orp]?.value == 600)
        #expect(readings.values[.orp]?.isLastKnown == true)
        let isNewAgain = readings.absorb(replay)
        #expect(!isNewAgain, "a replay of the replay changes nothing")

        readings.absorb(message([.orp: 650], sampledAt: after(1), receivedAt: after(1)))
        #expect(readings.values[.orp]?.value == 650, "the first real value replaces it, however old")
        #expect(readings.values[.orp]?.isLastKnown == false)
    }

    @Test func `X18 a replayed value that its device dated counts by that date`() {
        var readings = empty
        readings.absorb(message([.ph: 7.5, .orp: 650], sampledAt: after(0), receivedAt: after(0)))

        let newer = message([.ph: 7.6], sampledAt: after(60), receivedAt: after(300), isRetained: true)
        let same = message([.orp: 1], sampledAt: after(0), receivedAt: after(300), isRetained: true)
        let older = message([.orp: 2], sampledAt: after(-60), receivedAt: after(300), isRetained: true)

        let isNew = readings.absorb(newer)
        #expect(isNew)
        #expect(readings.values[.ph]?.moment == after(60))
        let isNewAgain = readings.absorb(same)
        #expect(!isNewAgain)
        let isNewStill = readings.absorb(older)
        #expect(!isNewStill)
    }

    @Test func `the order grows by one at each change and at nothing else`() {
        var readings = empty
        let first = message([.ph: 7.5], sampledAt: after(0), receivedAt: after(0))
        let isNew = readings.absorb(first)
        #expect(isNew)
        #expect(readings.order == 1)

        let isNewAgain = readings.absorb(first)
        #expect(!isNewAgain, "P13: a second delivery shows nothing new")
        #expect(readings.order == 1)

        let isNewStill = readings.absorb(message([.ph: 7.5], sampledAt: after(1), receivedAt: after(1)))
        #expect(isNewStill)
        #expect(readings.order == 2)

        let isNewAtLast = readings.absorb(message([:], sampledAt: after(2), receivedAt: after(2)))
        #expect(isNewAtLast)
        #expect(readings.order == 3, "the device was heard, though it measured nothing plausible")
        #expect(readings.values[.ph]?.sampledAt == after(1))
    }

    @Test func `P28 a device was last seen when its last message came that was no replay`() {
        var readings = empty
        #expect(readings.lastSeen == nil)
        readings.absorb(message([.ph: 7], sampledAt: after(0), receivedAt: after(5)))
        readings.absorb(message([.ph: 7], sampledAt: after(1), receivedAt: after(500), isRetained: true))
        #expect(readings.lastSeen == after(5))
    }

    @Test func `P27 X21 a device is active until it is silent for three intervals`() {
        var readings = empty
        #expect(!readings.isActive(at: noon, expectedIntervalSeconds: 60))
        readings.absorb(message([.ph: 7], sampledAt: after(-500), receivedAt: after(0)))

        #expect(readings.isActive(at: after(0), expectedIntervalSeconds: 60))
        #expect(readings.isActive(at: after(180), expectedIntervalSeconds: 60))
        #expect(!readings.isActive(at: after(181), expectedIntervalSeconds: 60))
        #expect(!readings.isActive(at: after(-3600), expectedIntervalSeconds: 60), "the clock was set back")
    }

    @Test func `the newest values do not depend on the order of arrival`() {
        var generator = SplitMix64(seed: 5)
        let samples = (0..<40).map { number -> (Int64, QuantityMap<Double>) in
            var values: QuantityMap<Double> = [:]
            for quantity in Quantity.allCases where Bool.random(using: &generator) { values[quantity] = Double(number) }
            return (Int64(number), values)
        }
        var inOrder = empty
        for (number, values) in samples {
            inOrder.absorb(message(values, sampledAt: after(number), receivedAt: after(1000)))
        }
        for _ in 0..<50 {
            var shuffled = empty
            var last: UInt64 = 0
            for (arrival, (number, values)) in samples.shuffled(using: &generator).enumerated() {
                shuffled.absorb(message(values, sampledAt: after(number), receivedAt: after(1000 + Int64(arrival))))
                #expect(shuffled.order - last <= 1)
                last = shuffled.order
            }
            for quantity in Quantity.allCases {
                #expect(shuffled.values[quantity]?.value == inOrder.values[quantity]?.value)
            }
        }
    }

    @Test func `a device whose clock ran ahead and was mended is not silenced`() {
        var readings = empty
        readings.absorb(message([.ph: 7.5], sampledAt: after(80_000), receivedAt: after(0)))
        #expect(readings.values[.ph]?.moment == after(0))

        let isNew = readings.absorb(message([.ph: 7.4], sampledAt: after(60), receivedAt: after(61)))
        #expect(isNew)
        #expect(readings.values[.ph]?.value == 7.4)
    }

    @Test func `a hub whose clock was set back goes on showing new values`() {
        var readings = empty
        readings.absorb(message([.ph: 7.5], sampledAt: after(3600), quality: .estimated, receivedAt: after(3600)))

        let isNew = readings.absorb(message([.ph: 7.4], sampledAt: after(0), quality: .estimated, receivedAt: after(0)))
        #expect(isNew)
        #expect(readings.values[.ph]?.value == 7.4)
    }

    @Test func `P59 P109 the state survives its JSON, and the JSON is canonical`() throws {
        var readings = empty
        readings.absorb(message([.ph: 7.2, .orp: 650], sampledAt: after(0), receivedAt: after(1)))
        readings.absorb(
            message([.temperature: 25.1], sampledAt: nil, quality: .unknown, receivedAt: after(2), isRetained: true))

        let bytes = try CanonicalJSON.encode(readings)

        #expect(try CanonicalJSON.decode(DeviceReadings.self, from: bytes) == readings)
        #expect(
            text(bytes)
                == #"{"deviceID":"22220000-0000-0000-0000-000000000001","lastSeen":1780315201000,"order":2,"values":{"#
                + #""orp":{"receivedAt":1780315201000,"sampledAt":1780315200000,"timeQuality":"device","value":650},"#
                + #""ph":{"receivedAt":1780315201000,"sampledAt":1780315200000,"timeQuality":"device","value":7.2},"#
                + #""temperature":{"receivedAt":1780315202000,"timeQuality":"unknown","value":25.1}}}"#)
    }

    @Test func `P59 the state can be built again from the history`() throws {
        var live = empty
        var rebuilt = empty
        for number in 0..<10 as Range<Int64> {
            let message = message([.ph: 7 + Double(number) / 100], sampledAt: after(number), receivedAt: after(number))
            live.absorb(message)
            let reading = try #require(Reading(deviceID: lagoon.id, payload: message))
            let stored = try CanonicalJSON.decode(Reading.self, from: CanonicalJSON.encode(reading))
            #expect(stored == reading)
            rebuilt.absorb(stored)
        }
        #expect(rebuilt == live)
    }
}

@Suite struct ReadingTests {
    @Test func `P12 X18 a replayed message is no new measurement, dated or not`() {
        let dated = message([.ph: 7], sampledAt: noon, receivedAt: noon, isRetained: true)
        let undated = message([.ph: 7], sampledAt: nil, quality: .unknown, receivedAt: noon, isRetained: true)
        #expect(Reading(deviceID: lagoon.id, payload: dated) == nil)
        #expect(Reading(deviceID: lagoon.id, payload: undated) == nil)
    }

    @Test func `P54 a message of which everything was quarantined is no measurement`() throws {
        let decoded = try #require(PayloadDecoder().decode("{\"ph\":72}").decoded)
        #expect(Reading(deviceID: lagoon.id, payload: decoded) == nil)
    }

    @Test func `X10 a message is the measurement of the device it is credited to`() throws {
        let decoded = try #require(PayloadDecoder().decode("{\"ph\":7.2,\"temp\":25}").decoded)
        let reading = try #require(Reading(deviceID: spa.id, payload: decoded))
        #expect(
            reading
                == Reading(
                    deviceID: spa.id, values: [.ph: 7.2, .temperature: 25], sampledAt: noon, timeQuality: .estimated,
                    receivedAt: noon))
    }
}

@Suite struct LatestValueTests {
    private func latest(_ sampledAt: Timestamp?, receivedAt: Timestamp = noon) -> LatestValue {
        LatestValue(value: 7, sampledAt: sampledAt, timeQuality: .device, receivedAt: receivedAt)
    }

    @Test(
        arguments: [
            (0, Freshness.live, 0), (1999, .live, 1), (180_999, .live, 180), (181_000, .stale, 181),
            (1_200_999, .stale, 1200), (1_201_000, .offline, 1201), (-1, .live, 0), (-180_000, .live, 0),
            (-180_001, .lastKnown, nil), (.max, .offline, Int((Int64.max - 1_780_315_200_000) / 1000)),
        ] as [(Int64, Freshness, Int?)])
    func `freshness follows the age of the sample`(milliseconds: Int64, freshness: Freshness, age: Int?) {
        let now = noon.advanced(byMilliseconds: milliseconds)
        let seen = latest(noon).freshness(at: now, expectedIntervalSeconds: 60)
        #expect(seen.freshness == freshness)
        #expect(seen.ageSeconds == age)
    }

    @Test func `X18 a value without a time is the last known, whatever the moment`() {
        let seen = latest(nil).freshness(at: noon, expectedIntervalSeconds: 60)
        #expect(seen.freshness == .lastKnown)
        #expect(seen.ageSeconds == nil)
    }

    @Test func `P112 age counts from the sample, not from its receipt`() {
        let value = latest(noon.advanced(byMilliseconds: -seconds(600)), receivedAt: noon)
        #expect(value.freshness(at: noon, expectedIntervalSeconds: 60).ageSeconds == 600)
    }

    @Test func `a device's clock that runs ahead makes nothing fresher`() {
        let value = latest(noon.advanced(byMilliseconds: seconds(3600)), receivedAt: noon)
        let later = noon.advanced(byMilliseconds: seconds(181))
        #expect(value.freshness(at: later, expectedIntervalSeconds: 60).freshness == .stale)
    }

    @Test func `the ends of time and of intervals do not trap`() {
        for milliseconds in [Int64.min, 0, .max] {
            for interval in [Int.min, 0, .max / 20] {
                let moment = Timestamp(milliseconds: milliseconds)
                _ = latest(moment, receivedAt: moment).freshness(at: noon, expectedIntervalSeconds: interval)
                _ = latest(noon).freshness(at: moment, expectedIntervalSeconds: interval)
            }
        }
    }
}

@Suite struct ReadingKeyTests {
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func `the hash is FNV-1a of 64 bits`(text: String, hash: UInt64) {
        #expect(ReadingKey.hash(of: Array(text.utf8)) == hash)
    }

    @Test func `P13 X18 a second delivery has the same key, anything else another`() throws {
        let decoder = PayloadDecoder()
        let dated = "{\"ph\":7.2,\"timestamp\":1780315200}"
        func key(_ text: String, _ device: DeviceID = lagoon.id, at moment: Timestamp = noon) throws -> ReadingKey {
            ReadingKey(deviceID: device, payload: try #require(decoder.decode(text, receivedAt: moment).decoded))
        }
        let later = noon.advanced(byMilliseconds: 700)

        #expect(try key(dated) == key(dated, at: later))
        #expect(try key(dated).sampledAt == noon)
        #expect(try key(dated) != key(dated, spa.id))
        #expect(try key(dated) != key("{\"ph\":7.3,\"timestamp\":1780315200}"))
        #expect(try key(dated) != key("{\"ph\":7.2,\"timestamp\":1780315201}"))
    }

    @Test func `P37 X18 a time that the device did not say is no part of the key`() throws {
        let decoder = PayloadDecoder()
        for text in ["{\"ph\":7.2}", "{\"ph\":7.2,\"timestamp\":4711}"] {
            let decoded = try #require(decoder.decode(text).decoded)
            #expect(ReadingKey(deviceID: lagoon.id, payload: decoded).sampledAt == nil)
        }
    }
}
