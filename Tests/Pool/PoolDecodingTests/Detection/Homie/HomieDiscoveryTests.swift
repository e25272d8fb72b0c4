import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct HomieDiscoveryTests {
    private func discovery(_ lines: String) -> HomieDiscovery {
        var discovery = HomieDiscovery()
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            discovery.absorb(topic: String(parts[0]), payload: Array((parts.count > 1 ? parts[1] : "").utf8))
        }
        return discovery
    }

    /// S08.
    static let pool = """
        homie/pool-controller/$homie 3.0.1
        homie/pool-controller/$name Pool Controller
        homie/pool-controller/$state ready
        homie/pool-controller/pool-temp/$name Pool Temperature
        homie/pool-controller/pool-temp/temperature/$unit °C
        homie/pool-controller/pool-temp/temperature/$datatype float
        homie/pool-controller/solar-temp/$name Solar Temperature
        homie/pool-controller/solar-temp/temperature/$unit °C
        homie/pool-controller/solar-temp/temperature/$datatype float
        homie/pool-controller/chem/ph/$datatype float
        homie/pool-controller/chem/redox/$datatype integer
        homie/pool-controller/chem/redox/$unit V
        homie/pool-controller/chem/ph-setpoint/$datatype float
        homie/pool-controller/chem/chlorine/$settable true
        homie/pool-controller/chem/chlorine/$datatype float
        homie/pool-controller/settings/temp/$datatype float
        """

    @Test func `S08 the pool is offered, not the sun's collector, set points and settings`() throws {
        let offers = discovery(Self.pool).offers
        let offer = try #require(offers.first)
        #expect(offers.count == 1)
        #expect(offer.name == "Pool Controller")
        #expect(offer.topic == "homie/pool-controller")
        #expect(
            offer.mapping.values == [
                ValueSource(
                    .temperature, topic: "~/pool-temp/temperature",
                    unitPlace: UnitPlace(topic: "~/pool-temp/temperature/$unit", path: .whole)),
                ValueSource(.ph, topic: "~/chem/ph"),
                ValueSource(
                    .orp, topic: "~/chem/redox", unit: .volts,
                    unitPlace: UnitPlace(topic: "~/chem/redox/$unit", path: .whole)),
            ])
        #expect(offer.mapping.availability.map(\.topic) == ["~/$state"])
        #expect(offer.mapping.availability.first?.offline.contains("lost") == true)
        #expect(offer.mapping.availability.first?.online == ["ready", "sleeping"])
    }

    @Test func `convention 5 describes itself in one payload`() throws {
        let description =
            #"{"homie":"5.0","version":7,"name":"Pool","nodes":{"water":{"properties":{"ph":{"datatype":"float"},"#
            + #""temperature":{"datatype":"float","unit":"°F"},"target":{"datatype":"float","settable":true}}}}}"#
        let offer = try #require(discovery("homie/5/pool/$description \(description)").offers.first)
        #expect(offer.topic == "homie/5/pool")
        #expect(
            offer.mapping.values == [
                ValueSource(
                    .temperature, topic: "~/water/temperature", unit: .fahrenheit,
                    unitPlace: UnitPlace(
                        topic: "~/$description", path: .keys("nodes", "water", "properties", "temperature", "unit"))),
                ValueSource(.ph, topic: "~/water/ph"),
            ])
    }

    @Test func `a unit that a device changes while it runs is the unit of the next value`() throws {
        let offer = try #require(discovery(Self.pool).offers.first)
        var decoder = try MappingDecoder(mapping: offer.mapping, deviceTopic: offer.topic)
        func receive(_ text: String, _ topic: String) -> [QuantityMap<Double>] {
            let outcome = decoder.receive(
                topic: "\(offer.topic)/pool-temp/temperature\(topic)", payload: Array(text.utf8),
                receivedAt: Timestamp(milliseconds: 1_780_000_000_000), isRetained: false)
            return outcome?.readings.map(\.values) ?? []
        }
        _ = receive("°C", "/$unit")
        #expect(receive("38.5", "") == [[.temperature: 38.5]])
        _ = receive("°F", "/$unit")
        #expect(receive("101.3", "").first?[.temperature].map { ($0 * 10).rounded() / 10 } == 38.5)
    }

    @Test func `an empty payload takes an attribute back`() {
        var discovery = discovery(Self.pool)
        discovery.absorb(topic: "homie/pool-controller/$homie", payload: [])
        #expect(discovery.offers.isEmpty)
    }

    @Test func `no more attributes are kept than the limit`() {
        var discovery = HomieDiscovery()
        for number in 0..<HomieDiscovery.attributeCountMax + 5 {
            discovery.absorb(topic: "homie/d\(number)/$name", payload: [0x61])
        }
        discovery.absorb(topic: "homie/d/$state", payload: [0xFF])
        #expect(discovery.droppedCount == 6)
    }

    @Test(arguments: ["a/b", "homie/$homie", "homie/d/n/p", "homie/d/$fw/name"])
    func `other topics are not its own`(topic: String) {
        var discovery = HomieDiscovery()
        let isOwn = discovery.absorb(topic: topic, payload: [0x61])
        #expect(!isOwn)
    }

    @Test func `a node that is called Status is no trap`() throws {
        let offer = try #require(
            discovery(
                """
                homie/box/$homie 3.0.1
                homie/box/status/$name Status
                homie/box/status/ph/$name pH
                homie/box/status/ph/$datatype float
                homie/box/limits/ph/$datatype float
                """
            ).offers.first)
        #expect(offer.mapping.values == [ValueSource(.ph, topic: "~/status/ph")])
    }
}
