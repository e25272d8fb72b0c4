import PoolSamples
import Testing

@testable import PoolModel

@Suite struct DeviceTests {
    @Test(arguments: [
        "pool/sensor/main", "/esp32/sensor/ble-yc01", "a", "//", "zigbee2mqtt/my pool", "プール/温度", "$share-not", " ",
        String(repeating: "x", count: 65535),
    ])
    func `P33 any legal topic name is a topic`(topic: String) throws {
        var device = spa
        device.topic = topic
        try device.validate()
    }

    @Test(arguments: [
        ("", TopicProblem.empty), ("pool/+/main", .wildcard("+")), ("pool/#", .wildcard("#")), ("#", .wildcard("#")),
        ("pool/+\u{301}", .wildcard("+")), ("pool\0main", .null),
        ("pool\u{1B}[2J", .steers("\u{1B}")), ("pool/\u{202E}ph", .steers("\u{202E}")),
        (String(repeating: "x", count: 65536), .tooLong(byteCount: 65536)),
        (String(repeating: "é", count: 32768), .tooLong(byteCount: 65536)),
    ])
    func `P33 a filter and an impossible topic are refused with a reason`(topic: String, flaw: TopicProblem) {
        var device = spa
        device.topic = topic

        #expect(throws: ConfigurationError.topicInvalid(topic, flaw)) { try device.validate() }
        #expect(!flaw.description.isEmpty)
    }

    @Test(arguments: [(1, true), (60, true), (86_400, true), (0, false), (-1, false), (86_401, false), (.max, false)])
    func `an expected interval is 1 s to one day`(seconds: Int, isValid: Bool) {
        var device = spa
        device.expectedIntervalSeconds = seconds
        if isValid {
            #expect(throws: Never.self) { try device.validate() }
        } else {
            #expect(throws: ConfigurationError.intervalOutOfRange(seconds)) { try device.validate() }
        }
    }

    @Test func `P24 the type is Pool Sensor where nobody gave one`() {
        #expect(spa.deviceType == "Pool Sensor")
        #expect(spa.expectedIntervalSeconds == 60)
    }

    @Test(arguments: ["", "  ", String(repeating: "x", count: 257)])
    func `an impossible type is refused`(type: String) {
        var device = spa
        device.deviceType = type
        #expect(throws: ConfigurationError.deviceTypeInvalid(type)) { try device.validate() }
    }

    @Test(arguments: [
        Limits(criticalLow: 1, low: 3, high: 3, criticalHigh: 5),
        Limits(criticalLow: 4, low: 3, high: 5, criticalHigh: 6),
        Limits(criticalLow: 1, low: 3, high: 5, criticalHigh: 4),
        Limits(criticalLow: .nan, low: 3, high: 5, criticalHigh: 6),
        Limits(criticalLow: 1, low: 3, high: 5, criticalHigh: .infinity),
    ])
    func `limits that do not rise are refused`(limits: Limits) {
        var device = spa
        device.limits[.orp] = limits
        #expect(throws: ConfigurationError.self) { try device.validate() }
        #expect(!limits.isOrdered)
    }

    @Test func `own limits hold for their quantity, the standard ones for the rest`() {
        let configuration = PoolConfiguration()
        #expect(configuration.limits(of: lagoon, for: .ph).low == 7.1)
        #expect(configuration.limits(of: lagoon, for: .orp) == Quantity.orp.facts.limits)
    }
}
