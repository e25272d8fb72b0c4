import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

@Suite struct ConfigurationEntriesTests {
    @Test func `a configuration survives its entries, in any order of them`() throws {
        let configuration = try sampleConfiguration()
        var generator = SplitMix64(seed: 1)
        for _ in 0..<20 {
            var problems: [ConfigurationProblem] = []
            let read = PoolConfiguration(
                entries: configuration.entries().shuffled(using: &generator), problems: &problems)
            #expect(read == configuration)
            #expect(problems == [])
            #expect(read.entries() == configuration.entries())
        }
    }

    @Test func `the entries are these bytes`() throws {
        let entries = try sampleConfiguration().entries().filter { $0.key.record.low == 1 }
        let lines = entries.map { "\($0.key) \(text($0.value))" }
        let device = "device/22220000-0000-0000-0000-000000000001"
        let server = "server/11110000-0000-0000-0000-000000000001"
        #expect(
            lines == [
                #"\#(device)/limits-ph {"criticalHigh":7.9,"criticalLow":6.9,"high":7.5,"low":7.1}"#,
                #"\#(device)/membership {"serverID":"11110000-0000-0000-0000-000000000001"}"#,
                #"\#(device)/name {"name":"Lagoon"}"#,
                #"\#(device)/source {"topic":"pool/sensor/main","type":"Chlorine Buddy 3"}"#,
                #"\#(device)/timing {"expectedIntervalSeconds":30}"#,
                #"pref/00000000-0000-0000-0000-000000000001/selection {"deviceID":"22220000-0000-0000-0000-000000000001","#
                    + #""serverID":"11110000-0000-0000-0000-000000000001"}"#,
                #"\#(server)/endpoint {"caFile":"/etc/pool/ca.pem","host":"broker.example","port":8884,"protocol":"5","#
                    + #""tls":true,"username":"gardener"}"#,
                #"\#(server)/name {"name":"Home"}"#,
            ])
    }

    @Test func `P102 X12 that nothing is selected is said, not left out`() {
        let entries = PoolConfiguration().entries()
        #expect(entries.map { text($0.value) } == [#"{"deviceID":null,"serverID":null}"#])
        #expect(entries.map(\.key.record) == [ConfigurationEntry.selectionRecord])
    }

    @Test(arguments: ["Lagoon", "露天風呂", "a\"b\\c/d", "👩‍👩‍👧", "e\u{301}", "می\u{200C}خواهم"])
    func `P3 P23 any name survives byte for byte`(name: String) throws {
        var server = home
        server.name = name
        var device = lagoon
        device.name = name

        let configuration = try PoolConfiguration().adding(server).adding(device)
        let read = PoolConfiguration(entries: configuration.entries())

        #expect(read.servers.first.map { Array($0.name.utf8) } == Array(name.utf8))
        #expect(read.devices.first.map { Array($0.name.utf8) } == Array(name.utf8))
    }

    @Test func `limits survive exactly`() throws {
        var device = lagoon
        device.limits = [.orp: Limits(criticalLow: -0.1, low: 0.1 + 0.2, high: 1e-7.nextUp + 1, criticalHigh: 1e300)]

        let read = PoolConfiguration(entries: try PoolConfiguration().adding(home).adding(device).entries())

        #expect(read.devices.first?.limits == device.limits)
    }

    @Test func `a difference holds what changed and nothing else`() throws {
        let old = try sampleConfiguration()
        var renamed = spa
        renamed.name = "Whirlpool"
        renamed.limits[.ph] = Quantity.orp.facts.limits

        let changes = try old.replacing(renamed).selectingNothing().entries(changing: old)

        #expect(
            changes.map { "\($0.key.kind) \($0.key.group)" } == ["device limits-ph", "device name", "pref selection"])
        #expect(old.entries(changing: old) == [])
    }

    @Test func `a removed record deletes each of its entries, and only those`() throws {
        let old = try sampleConfiguration()
        let new = try old.removing(server: home.id, cascading: true)

        let changes = new.entries(changing: old)

        let deleted = changes.compactMap { if case .delete(let key) = $0 { key } else { nil } }
        let gone: [UInt64] = [1, 2]
        #expect(deleted.count == 2 + 5 + 4)
        #expect(
            deleted.allSatisfy {
                $0.kind != "pref" && gone.contains($0.record.low) && $0.record != onsen.id.as(ConfigurationEntry.self)
            })
        #expect(changes.count == deleted.count + 1)
    }

    @Test func `carrying out a difference gives the new entries, over random edits`() throws {
        var generator = SplitMix64(seed: 7)
        var configuration = try sampleConfiguration()
        for step in 0..<300 {
            let edited = randomEdit(of: configuration, step: step, using: &generator)
            var stored = Dictionary(uniqueKeysWithValues: configuration.entries().map { ($0.key, $0.value) })
            let changes = edited.entries(changing: configuration)
            for change in changes {
                switch change {
                case .upsert(let entry): stored[entry.key] = entry.value
                case .delete(let key): stored[key] = nil
                }
            }
            #expect(changes.map(\.key) == changes.map(\.key).sorted())
            let read = PoolConfiguration(entries: stored.map { ConfigurationEntry(key: $0, value: $1) })
            #expect(read == edited)
            #expect(WatchConfiguration(entries: edited.entries()).selection == edited.selection)
            #expect(edited.selection.deviceID == nil || edited.selectedDevice?.serverID == edited.selection.serverID)
            configuration = edited
        }
    }

    private func randomEdit(
        of configuration: PoolConfiguration, step: Int, using generator: inout SplitMix64
    ) -> PoolConfiguration {
        let server = configuration.servers.randomElement(using: &generator)
        var device = configuration.devices.randomElement(using: &generator)
        let edits: [() throws -> PoolConfiguration] = [
            { try configuration.adding(Server(id: serverID(UInt64(step + 100)), name: "S\(step)", host: "h")) },
            {
                try configuration.adding(
                    Device(
                        id: deviceID(UInt64(step + 100)), name: "D\(step)", serverID: server?.id ?? serverID(0),
                        topic: "t\(step)"))
            },
            { try configuration.removing(server: server?.id ?? serverID(0), cascading: true) },
            { try configuration.removing(device: device?.id ?? deviceID(0)) },
            { try configuration.selecting(device: device?.id ?? deviceID(0)) },
            { try configuration.selecting(server: server?.id ?? serverID(0)) },
            { configuration.selectingNothing() },
            {
                device?.serverID = server?.id ?? serverID(0)
                device?.topic = "moved\(step)"
                return try device.map(configuration.replacing) ?? configuration
            },
        ]
        // A rejected edit changes nothing, which is also a valid case.
        return (try? edits.randomElement(using: &generator)?()) ?? configuration
    }
}
