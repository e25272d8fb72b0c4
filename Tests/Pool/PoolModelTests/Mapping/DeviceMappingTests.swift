import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct DeviceMappingTests {
    private static func changed(_ change: (inout DeviceMapping) -> Void) -> DeviceMapping {
        var mapping = DeviceMapping(
            values: [ValueSource(.ph, path: .keys("ph"))], availability: [AvailabilitySource(topic: "~/status")])
        change(&mapping)
        return mapping
    }

    static let invalid: [(DeviceMapping, String)] = [
        (changed { $0.values = [] }, "values has 0 entries: give 1 to 64."),
        (changed { $0.values = Array(repeating: $0.values[0], count: 65) }, "values has 65 entries"),
        (changed { $0.values[0].topic = "" }, "values[0] (ph) topic \"\" is empty"),
        (changed { $0.values[0].topic = "a+/b" }, "topic \"a+/b\" has a + in the wrong place"),
        (changed { $0.values[0].topic = "a/#/b" }, "has a # in the wrong place"),
        (changed { $0.values[0].topic = "a\0" }, "U+0000"),
        (changed { $0.values[0].topic = String(repeating: "a", count: 1025) }, "has 1025 bytes"),
        (changed { $0.values[0].scale = 0 }, "values[0] (ph) scale is 0.0"),
        (changed { $0.values[0].scale = .nan }, "scale is nan"),
        (changed { $0.values[0].offset = .infinity }, "offset is inf"),
        (changed { $0.values[0].unit = .volts }, "unit is V, in which no ph is measured: give pH."),
        (changed { $0.values[0].sentinels = [.infinity] }, "sentinels is inf"),
        (changed { $0.values[0].sentinels = Array(repeating: 1, count: 17) }, "sentinels has 17 entries"),
        (changed { $0.values[0].path = ValuePath(Array(repeating: .index(0), count: 17)) }, "is too long"),
        (changed { $0.values[0].path = ValuePath([.index(-65_536)]) }, "is too long"),
        (changed { $0.values[0].conditions = [PayloadCondition(.keys("a"))] }, "names no word"),
        (changed { $0.values[0].time = TimeSource(topic: "#a", path: .whole) }, "time topic \"#a\""),
        (changed { $0.values[0].unitPlace = UnitPlace(topic: "", path: .whole) }, "unitPlace topic"),
        (changed { $0.availability[0].topic = "~/+" }, "holds a wildcard"),
        (changed { $0.availability[0].offline = [" ONLINE"] }, "for online and for offline"),
        (changed { $0.availability[0].offline = [""] }, "a word has 1 to 256 bytes"),
        (changed { $0.heartbeats = ["a/#b"] }, "heartbeats \"a/#b\""),
        (changed { $0.profile = "" }, "The profile name \"\""),
        (
            changed { mapping in
                mapping.values = (0..<64).map { _ in ValueSource(.ph, topic: String(repeating: "x", count: 300)) }
            }, "at most 16384 can be stored"
        ),
    ]

    @Test(arguments: 0..<invalid.count)
    func `an invalid mapping is refused with the field, the value and the way out`(index: Int) throws {
        let (mapping, words) = Self.invalid[index]
        let error = #expect(throws: MappingError.self) { try mapping.validate() }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(throws: MappingError.self) { try MappingDecoder(mapping: mapping, deviceTopic: "d") }
    }

    @Test func `more levels up than the device's topic has are refused`() throws {
        let mapping = Self.changed { $0.availability[0].topic = "~/../../LWT" }
        #expect(throws: Never.self) { try MappingDecoder(mapping: mapping, deviceTopic: "a/b/c") }
        #expect(throws: MappingError.self) { try MappingDecoder(mapping: mapping, deviceTopic: "a/b") }
    }

    @Test(arguments: BuiltInProfile.all)
    func `a profile is valid, small, named for itself, and survives its stored form`(profile: BuiltInProfile) throws {
        #expect(Device.intervalRange.contains(profile.expectedIntervalSeconds))
        #expect(TopicProblem.find(in: profile.exampleTopic) == nil)
        guard let mapping = profile.mapping else { return }
        try mapping.validate()
        _ = try MappingDecoder(mapping: mapping, deviceTopic: profile.exampleTopic)
        #expect(mapping.profile == profile.name)
        let bytes = try CanonicalJSON.encode(mapping)
        #expect(bytes.count < 2000)
        #expect(try CanonicalJSON.decode(DeviceMapping.self, from: bytes) == mapping)
    }

    @Test func `the stored form leaves defaults out and reads what is missing as a default`() throws {
        let mapping = DeviceMapping(values: [ValueSource(.ph, path: .keys("ph"), scale: 0.1)])
        #expect(text(try CanonicalJSON.encode(mapping)) == #"{"values":[{"path":"ph","quantity":"ph","scale":0.1}]}"#)
        let least = #"{"values":[{"quantity":"orp"}],"availability":[{"topic":"~/s"}],"new":1}"#
        #expect(
            try CanonicalJSON.decode(DeviceMapping.self, from: Array(least.utf8))
                == DeviceMapping(values: [ValueSource(.orp)], availability: [AvailabilitySource(topic: "~/s")]))
        let full = DeviceMapping(
            profile: "x",
            values: [
                ValueSource(
                    .temperature, topic: "~/t", path: .keys("a b"), scale: 2, offset: -1, unit: .kelvin,
                    unitPlace: UnitPlace(topic: "~/u", path: .whole),
                    time: TimeSource(topic: "~/at", path: .whole, form: .seconds), sentinels: [-1],
                    conditions: [PayloadCondition(.keys("c"), isOneOf: ["d"], isNoneOf: ["e"])])
            ],
            time: TimeSource(path: .keys("t"), form: .milliseconds),
            availability: [AvailabilitySource(topic: "a", path: .keys("b"), online: [], offline: ["c"])],
            measurementID: .keys("id"), heartbeats: ["~/#"], publishesChangesOnly: true)
        #expect(try CanonicalJSON.decode(DeviceMapping.self, from: try CanonicalJSON.encode(full)) == full)
    }

    @Test func `a stored path that is not valid is refused with its place`() {
        let bytes = Array(#"{"values":[{"quantity":"orp","path":"a..b"}]}"#.utf8)
        let error = #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode(DeviceMapping.self, from: bytes)
        }
        #expect(error?.reason.contains("at character 3") == true)
    }

    @Test func `a profile is found by its name, and an unknown name lists all`() throws {
        #expect(try BuiltInProfile.named(" Zigbee2MQTT").name == "zigbee2mqtt")
        #expect(Set(BuiltInProfile.all.map(\.name)).count == 20)
        let error = #expect(throws: UnknownProfile.self) { try BuiltInProfile.named("z2m") }
        #expect(BuiltInProfile.all.allSatisfy { error?.description.contains($0.name) == true })
    }
}
