import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

@Suite struct GlanceBuildingTests {
    private let device = WatchDevice(id: lagoon.id, name: "Lagoon", serverID: home.id, expectedIntervalSeconds: 60)

    private func after(_ count: Int64) -> Timestamp { noon.advanced(byMilliseconds: seconds(count)) }

    private func readings(_ values: QuantityMap<Double>, isRetained: Bool = false) -> DeviceReadings {
        var readings = DeviceReadings(deviceID: lagoon.id)
        readings.absorb(
            message(
                values, sampledAt: isRetained ? nil : noon, quality: isRetained ? .unknown : .device, receivedAt: noon,
                isRetained: isRetained))
        return readings
    }

    private func glance(
        _ readings: DeviceReadings?, at now: Timestamp = noon, history: ValueHistory? = nil, device: WatchDevice?? = nil
    ) -> Glance {
        Glance(
            device: device ?? self.device, readings: readings, history: history, now: now, link: .linked, revision: 7,
            clock: "12:00")
    }

    private let good: QuantityMap<Double> = [.temperature: 25, .ph: 7.2, .chlorine: 1.5, .orp: 650]

    @Test func `P55 live values are judged by their limits`() {
        let glance = glance(readings([.temperature: 25, .ph: 7.7, .chlorine: 0.2, .orp: 650]), at: after(4))

        #expect(glance.gauges.map(\.quantity) == [.temperature, .ph, .chlorine, .orp])
        #expect(glance.gauges.map(\.value) == [25, 7.7, 0.2, 650])
        #expect(glance.gauges.map(\.status) == [.normal, .warning, .critical, .normal])
        #expect(glance.gauges.map(\.deviation) == [nil, .high, .low, nil])
        #expect(glance.gauges.allSatisfy { $0.freshness == .live && $0.ageSeconds == 4 })
        #expect(Headline(glance) == .judged(.critical))
        #expect(glance.freshness == .live)
        #expect(glance.ageSeconds == 4)
        #expect(glance.deviceName == "Lagoon")
        #expect(glance.revision == 7)
        #expect(glance.link == .linked)
        #expect(glance.clock == "12:00")
    }

    @Test func `what only some devices measure stands with those that do`() {
        var awaiting = readings([.ph: 7.2])
        awaiting.expect([.ph, .salinity])
        #expect(glance(awaiting).gauges.map(\.quantity) == [.temperature, .ph, .chlorine, .orp, .salinity])
        let all: QuantityMap<Double> = [
            .temperature: 25, .ph: 7.2, .chlorine: 1.5, .orp: 650, .salinity: 3.2, .conductivity: 5400, .battery: 12,
        ]
        let full = glance(readings(all), at: after(4))
        #expect(full.gauges.map(\.quantity) == Quantity.allCases)
        // Salt is never out of range before somebody has set limits, and a battery never critical.
        #expect(full.gauges.map(\.status) == [.normal, .normal, .normal, .normal, .normal, .normal, .warning])
        // The low battery takes the place of what is in range.
        #expect(full.faceGauges(atMost: 4).map(\.quantity) == [.temperature, .ph, .chlorine, .battery])
        #expect(full.faceGauges().map(\.quantity) == Quantity.allCases)
        var charged = all
        charged[.battery] = 97
        #expect(
            glance(readings(charged), at: after(4)).faceGauges().map(\.quantity)
                == [.temperature, .ph, .chlorine, .orp, .salinity, .conductivity])
    }

    @Test(arguments: [(7.2, Status.normal), (7.7, .warning), (8.1, .critical), (nil, .offline)] as [(Double?, Status)])
    func `P56 X14 all four states are reached`(ph: Double?, status: Status) {
        var values: QuantityMap<Double> = [.temperature: 25]
        values[.ph] = ph
        #expect(glance(readings(values)).gauges[1].status == status)
    }

    @Test(
        arguments: [
            (180, Freshness.live, Status.normal), (181, .stale, .offline), (1200, .stale, .offline),
            (1201, .offline, .offline), (86_400, .offline, .offline),
        ] as [(Int64, Freshness, Status)])
    func `nothing but a live value is ever OK`(age: Int64, freshness: Freshness, status: Status) {
        let glance = glance(readings(good), at: after(age))

        #expect(glance.freshness == freshness)
        #expect((Headline(glance) == .judged(.normal)) == (status == .normal))
        #expect(glance.gauges.allSatisfy { $0.status == status && $0.freshness == freshness })
        #expect(glance.gauges.map(\.value) == [25, 7.2, 1.5, 650], "the numbers stay")
        #expect(glance.ageSeconds == Int(age))
    }

    @Test func `nothing but a live value is ever judged, over random readings and moments`() {
        var generator = SplitMix64(seed: 8)
        for _ in 0..<5000 {
            var readings = DeviceReadings(deviceID: lagoon.id)
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                let isRetained = Bool.random(using: &generator)
                let sampledAt = after(Int64.random(in: -5000..<5000, using: &generator))
                let isDated = !isRetained || Bool.random(using: &generator)
                readings.absorb(
                    message(
                        [
                            Quantity.allCases.randomElement(using: &generator) ?? .ph: Double.random(
                                in: 0..<40, using: &generator)
                        ],
                        sampledAt: isDated ? sampledAt : nil, quality: isDated ? .device : .unknown,
                        receivedAt: after(Int64.random(in: -5000..<5000, using: &generator)), isRetained: isRetained))
            }
            let now = after(Int64.random(in: -5000..<5000, using: &generator))
            let glance = glance(readings, at: now)
            for gauge in glance.gauges where gauge.freshness != .live {
                #expect(gauge.status == .offline)
                #expect(gauge.trend == nil)
            }
            for gauge in glance.gauges where gauge.freshness == .live {
                let latest = readings.values[gauge.quantity]
                #expect(latest?.moment.map { now.milliseconds(since: $0) < 181_000 } == true)
                #expect(latest.map { $0.receivedAt.milliseconds(since: now) <= 180_000 } == true)
            }
            if glance.freshness != .live { #expect(["stale", "offline"].contains(Headline(glance).label)) }
        }
    }

    @Test func `P12 X18 a replayed value without a time is shown as last known and judged by nobody`() {
        let glance = glance(readings(good, isRetained: true))

        #expect(glance.freshness == .lastKnown)
        #expect(glance.ageSeconds == nil)
        #expect(Headline(glance) == .lastKnown)
        #expect(glance.gauges.map(\.value) == [25, 7.2, 1.5, 650])
        #expect(
            glance.gauges.allSatisfy { $0.freshness == .lastKnown && $0.status == .offline && $0.ageSeconds == nil })
    }

    @Test func `X2 a quantity that is missing makes only its own gauge offline`() {
        let glance = glance(readings([.temperature: 25, .orp: 650]))

        #expect(glance.gauges.map(\.status) == [.normal, .offline, .offline, .normal])
        #expect(glance.gauges.map(\.freshness) == [.live, .never, .never, .live])
        #expect(glance.gauges[1].value == nil)
        #expect(Headline(glance) == .judged(.normal))
        #expect(glance.freshness == .live)
    }

    @Test func `X2 the device is as fresh as its newest value`() {
        var readings = readings(good)
        readings.absorb(message([.orp: 640], sampledAt: after(600), receivedAt: after(600)))

        let glance = glance(readings, at: after(610))

        #expect(glance.freshness == .live)
        #expect(glance.ageSeconds == 10)
        #expect(glance.gauges.map(\.freshness) == [.stale, .stale, .stale, .live])
        #expect(glance.gauges.map(\.status) == [.offline, .offline, .offline, .normal])
    }

    @Test func `without a device, readings or both there is nothing to show`() {
        for glance in [glance(nil), glance(readings(good), device: .some(nil)), glance(nil, device: .some(nil))] {
            #expect(glance.gauges.count == 4)
            #expect(glance.gauges.allSatisfy { $0.value == nil && $0.status == .offline && $0.freshness == .never })
            #expect(glance.freshness == .never)
            #expect(Headline(glance).label == "offline")
        }
        #expect(glance(readings(good), device: .some(nil)).deviceName == nil)
    }

    @Test func `X10 the readings of another device are never shown`() {
        let other = WatchDevice(id: spa.id, name: "Spa", serverID: home.id)
        #expect(glance(readings(good), device: other).gauges.allSatisfy { $0.value == nil })
    }

    @Test func `the device's own limits judge, and its own interval ages`() {
        var strict = device
        strict.limits[.ph] = Limits(criticalLow: 7.25, low: 7.3, high: 7.4, criticalHigh: 7.5)
        strict.expectedIntervalSeconds = 600

        let glance = glance(readings(good), at: after(1800), device: strict)

        #expect(glance.gauges[1].status == .critical)
        #expect(glance.gauges[1].limits.low == 7.3)
        #expect(glance.gauges[0].limits == Quantity.temperature.facts.limits)
        #expect(glance.freshness == .live)
    }

    @Test func `the trend is the one that the hub told, and that of a live value alone`() throws {
        var told = readings(good)
        var json = text(try told.canonicalJSON())
        #expect(glance(told).gauges.allSatisfy { $0.trend == nil })
        json = json.replacing(#""value":7.2"#, with: #""trend":"falling","value":7.2"#)
        json = json.replacing(#""value":650"#, with: #""trend":"whirling","value":650"#)
        told = try CanonicalJSON.decode(DeviceReadings.self, from: Array(json.utf8))
        // The screen's own history shows another direction.
        var history = ValueHistory()
        for minute in 0..<8 as Range<Int64> {
            history.record([.ph: 7 + Double(minute) / 10], at: after(minute * 60 - 420))
        }
        #expect(glance(told, history: history).gauges.map(\.trend) == [nil, .falling, nil, nil])
        #expect(
            glance(told, at: after(500), history: history).gauges[1].trend == nil,
            "no direction is claimed for a value that is not live")
    }

    @Test func `the columns and the range come from the history and end with the value`() {
        var history = ValueHistory()
        for minute in 0..<8 as Range<Int64> {
            history.record([.ph: 7 + Double(minute) / 10], at: after(minute * 60 - 420))
        }
        let live = glance(readings(good), history: history)
        #expect(live.gauges[1].history.count == 42)
        #expect(live.gauges[1].history.last == 7.2)
        #expect(live.gauges[1].range == 7...7.7)
        #expect(live.gauges[0].history == [] && live.gauges[0].range == 25...25)
        #expect(glance(readings(good), at: after(500), history: history).gauges[1].history.count == 42)
    }
}
