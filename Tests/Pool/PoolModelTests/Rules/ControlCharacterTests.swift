import PoolSamples
import Testing

@testable import PoolModel

/// Names that would control a terminal, or that look like other names.
@Suite struct ControlCharacterTests {
    private static let bad: [Unicode.Scalar] = [
        "\u{1B}", "\u{202E}", "\u{7}", "\u{9B}", "\u{2066}", "\u{2028}", "\u{2029}", "\n", "\t", "\u{200B}", "\u{200C}",
        "\u{200D}", "\u{AD}", "\u{FFFB}", "\u{2060}", "\u{FEFF}", "\u{E0041}", "\u{E0001}", "\u{E000}", "\u{F0000}",
        "\u{10FFFD}", "\u{34F}", "\u{61C}", "\u{115F}", "\u{1160}", "\u{17B4}", "\u{180B}", "\u{180E}", "\u{2800}",
        "\u{3164}", "\u{FFA0}", "\u{FE00}", "\u{FE0F}", "\u{E0100}", "\u{200A}", "\u{2003}", "\u{205F}", "\u{FFFC}",
        "\u{FFF0}", "\u{1D173}", "\u{1D159}",
    ]

    @Test(arguments: bad)
    func `a name that steers a terminal, or hides something, is refused everywhere alike`(scalar: Unicode.Scalar) {
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

    @Test(arguments: [
        "露天風呂 onsen", "👨‍👩‍👧 family", "❤️", "🏳️‍🌈 bar", "👍🏽", "1️⃣", "نام‌خانه", "क्‍ष", "Ünï", "e\u{301}", "Bassin\u{A0}2",
        "田中\u{3000}池",
        "\u{FFFD}",
    ])
    func `other names of other people are names`(name: String) throws {
        #expect(ControlCharacter.find(in: name) == nil && HiddenCharacter.find(in: name) == nil)
        #expect(HiddenCharacter.replaced(in: name) == name)
        try Device(id: spa.id, name: name, serverID: home.id, topic: "t").validate()
    }

    @Test(arguments: [
        "\u{200B}", "\u{200D}\u{200D}", "\u{E0041}", "\u{FE0F}", "\u{2800}", "\u{3164}", "1\u{FE0F}", "a\u{200D}",
        "👨\u{200D}",
    ])
    func `a name of nothing but what cannot be seen, or with a joiner that joins nothing, is none`(name: String) {
        #expect(HiddenCharacter.find(in: name) != nil)
        #expect(throws: ConfigurationError.self) {
            try Device(id: spa.id, name: name, serverID: home.id, topic: "t").validate()
        }
    }

    @Test(arguments: [
        ("Grotto", " Grotto"), ("Grotto", "Grotto "), ("Bassin 2", "Bassin  2"), ("Bassin 2", "Bassin\u{A0}2"),
        ("é", "e\u{301}"), ("❤", "❤️"), ("ناب", "نا‌ب"),
    ])
    func `a name that looks like another one is taken`(name: String, other: String) throws {
        #expect(HiddenCharacter.looksAlike(name, other))
        var (first, second) = (
            spa, Device(id: DeviceID(high: 9, low: 9), name: other, serverID: home.id, topic: "another")
        )
        first.name = name
        let configuration = try sampleConfiguration().replacing(first)
        #expect(throws: ConfigurationError.nameTaken(.device, other)) { try configuration.adding(second) }
        second.name = other + " II"
        _ = try configuration.adding(second)
        #expect(!HiddenCharacter.looksAlike("Lagoon", "lagoon") && !HiddenCharacter.looksAlike("Bassin2", "Bassin 2"))
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
