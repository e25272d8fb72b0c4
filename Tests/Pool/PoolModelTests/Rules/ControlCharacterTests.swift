import PoolSamples
import Testing

@testable import PoolModel

/// Names that would control a terminal, or that look like other names.
@Suite struct ControlCharacterTests {
    private static let bad: [Unicode.Scalar] = [
        "\u{1B}", "\u{202E}", "\u{7}", "\u{9B}", "\u{2066}", "\u{2028}", "\u{2029}", "\n", "\t",
    ]

    @Test(arguments: bad)
    func `a name that steers a terminal or the direction of writing is refused everywhere alike`(
        scalar: Unicode.Scalar
    ) {
        let name = "La\(scalar)goon"
        let (server, device, pool) = (
            Server(id: home.id, name: name, host: "h"),
            Device(id: spa.id, name: name, serverID: home.id, topic: "t"),
            Pool(id: PoolID(high: 1, low: 1), name: name, volume: 40)
        )
        #expect(throws: ConfigurationError.nameSteers(.server, scalar)) { try server.validate() }
        #expect(throws: ConfigurationError.nameSteers(.device, scalar)) { try device.validate() }
        #expect(throws: ConfigurationError.nameSteers(.pool, scalar)) { try pool.validate() }
        // The checks for a hub's command, a watch's edit, a form and a foreign watch.
        #expect(throws: ConfigurationError.self) { try sampleConfiguration().replacing(device) }
        #expect(throws: ConfigurationError.nameSteers(.device, scalar)) {
            try WatchConfiguration(entries: sampleConfiguration().entries()).renaming(device: spa.id, to: name)
        }
        let objection = WatchConfiguration.objection(toName: name, of: .pool)
        #expect(objection?.contains(scalar.codePoint) == true)
        let entry = EntryGroup.deviceName.entry(
            of: spa.id.as(ConfigurationEntry.self), fields: EntryFields.Name(name: name))
        #expect(ConfigurationEntry.objection(to: entry.value, at: entry.key)?.contains("steers") == true)
        var typed = spa
        typed.deviceType = name
        #expect(throws: ConfigurationError.deviceTypeInvalid(name)) { try typed.validate() }
    }

    @Test(arguments: ["露天風呂 onsen", "👨‍👩‍👧 family", "نام‌خانه", "Ünï", "e\u{301}"])
    func `other names of other people are names`(name: String) throws {
        #expect(ControlCharacter.find(in: name) == nil)
        try Device(id: spa.id, name: name, serverID: home.id, topic: "t").validate()
    }

    @Test func `a name that an earlier version stored stays, without what steers`() throws {
        var old = try sampleConfiguration().entries()
        let index = try #require(old.firstIndex { $0.key == key(of: spa) })
        old[index] = EntryGroup.deviceName.entry(
            of: spa.id.as(ConfigurationEntry.self), fields: EntryFields.Name(name: "S\u{1B}[2Jpa\u{202E}"))
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(entries: old, problems: &problems)
        #expect(problems.isEmpty)
        #expect(configuration.device(spa.id)?.name == "S\u{FFFD}[2Jpa\u{FFFD}")
    }

    private func key(of device: Device) -> ConfigurationEntry.Key {
        ConfigurationEntry.Key(kind: "device", record: device.id.as(ConfigurationEntry.self), group: "name")
    }
}
