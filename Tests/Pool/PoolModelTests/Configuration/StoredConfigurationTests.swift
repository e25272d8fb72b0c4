import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

/// Entries from a store or a peer can contain anything; reading them always succeeds.
@Suite(.longWork) struct StoredConfigurationTests {
    @Test func `P35 a device whose server is gone is kept and reported`() throws {
        let entries = try sampleConfiguration().entries().filter {
            $0.key.record != home.id.as(ConfigurationEntry.self)
        }

        let (configuration, problems) = read(entries)

        #expect(configuration.devicesWithoutServer.map(\.name) == ["Lagoon", "Spa"])
        #expect(configuration.selection == .none)
        #expect(
            problems == [
                .serverMissing(lagoon.id, deviceName: "Lagoon", home.id),
                .serverMissing(spa.id, deviceName: "Spa", home.id),
                .selectionRepaired(
                    stored: Selection(serverID: home.id, deviceID: lagoon.id), repaired: Selection.none),
            ])
        #expect(problems[0].description.contains("give the device another server"))
    }

    @Test func `P35 an orphan can be renamed, moved and removed, but not selected`() throws {
        let entries = try sampleConfiguration().entries().filter {
            $0.key.record != home.id.as(ConfigurationEntry.self)
        }
        let configuration = read(entries).0
        var renamed = spa
        renamed.name = "Bath"
        var moved = lagoon
        moved.serverID = ryokan.id
        moved.topic = "elsewhere"

        #expect(try configuration.replacing(renamed).device(spa.id)?.name == "Bath")
        #expect(try configuration.replacing(moved).devicesWithoutServer.map(\.name) == ["Spa"])
        #expect(try configuration.removing(device: spa.id).devicesWithoutServer.map(\.name) == ["Lagoon"])
        #expect(throws: ConfigurationError.missing(.server, "\(home.id)")) {
            try configuration.selecting(device: spa.id)
        }
    }

    @Test func `P24 a record without type and interval gets the defaults`() throws {
        let entries = try sampleConfiguration().entries().filter { $0.key.group != "timing" }.map { entry in
            entry.key.group == "source" ? with(entry, #"{"topic":"t-\#(entry.key.record.low)"}"#) : entry
        }

        let (configuration, problems) = read(entries)

        #expect(problems == [])
        #expect(configuration.devices.allSatisfy { $0.deviceType == "Pool Sensor" && $0.expectedIntervalSeconds == 60 })
    }

    @Test func `unknown kinds and groups are reported, kept out, and not deleted by an edit`() throws {
        let known = try sampleConfiguration()
        let record = ConfigurationEntry.Record(high: 3, low: 3)
        let foreign = [
            ConfigurationEntry(key: .init(kind: "pump", record: record, group: "name"), value: Array("{}".utf8)),
            ConfigurationEntry(
                key: .init(kind: "device", record: lagoon.id.as(ConfigurationEntry.self), group: "limits-salt"),
                value: Array("{}".utf8)),
            ConfigurationEntry(key: .init(kind: "pref", record: record, group: "selection"), value: Array("{}".utf8)),
        ]

        let (configuration, problems) = read(known.entries() + foreign)

        #expect(configuration == known)
        #expect(problems == foreign.map { .unknownEntry($0.key) })
        #expect(configuration.selectingNothing().entries(changing: configuration).count == 1)
    }

    @Test(arguments: [
        "", "null", "[]", "{", "7", "{\"name\":7}", "{\"nom\":\"x\"}", "\u{FF}", String(repeating: "[", count: 10_000),
    ])
    func `a value that is not the JSON of its group leaves the record out`(value: String) throws {
        let entries = try sampleConfiguration().entries().map { entry in
            entry.key.group == "name" && entry.key.kind == "device" && entry.key.record.low == 2
                ? with(entry, value) : entry
        }

        let (configuration, problems) = read(entries)

        #expect(configuration.devices == [lagoon, onsen])
        #expect(problems.count == 2)
        #expect(
            problems.last
                == .incompleteRecord(kind: "device", record: .init(high: spa.id.high, low: 2), missingGroup: "name"))
    }

    @Test(arguments: [
        ("endpoint", #"{"host":"mqtt://x","port":1,"tls":false,"protocol":"5"}"#, 1),
        ("endpoint", #"{"host":"x","port":65536,"tls":false,"protocol":"5"}"#, 1),
        ("source", ##"{"topic":"pool/#"}"##, 2), ("name", #"{"name":" "}"#, 0),
    ])
    func `P5 P33 a stored value that breaks a rule leaves the record out and says why`(
        group: String, value: String, deviceCount: Int
    ) throws {
        let entries = try sampleConfiguration().selectingNothing().entries().map { entry in
            entry.key.group == group ? with(entry, value) : entry
        }

        let (configuration, problems) = read(entries)

        let invalid = problems.filter { if case .invalidEntry = $0 { true } else { false } }
        #expect(!invalid.isEmpty)
        #expect(configuration.servers.allSatisfy { (try? $0.validate()) != nil })
        #expect(configuration.devices.allSatisfy { (try? $0.validate()) != nil })
    }

    @Test func `an invalid interval and invalid limits fall back to the standard`() throws {
        let entries = try sampleConfiguration().entries().map { entry in
            switch entry.key.group {
            case "timing": with(entry, #"{"expectedIntervalSeconds":0}"#)
            case "limits-ph": with(entry, #"{"criticalLow":9,"low":7,"high":8,"criticalHigh":9}"#)
            default: entry
            }
        }

        let (configuration, problems) = read(entries)

        #expect(configuration.devices.map(\.expectedIntervalSeconds) == [60, 60, 60])
        #expect(configuration.device(lagoon.id)?.limits == [:])
        #expect(problems.count == 4)
    }

    @Test func `a repeated entry and a shared topic are reported, and the first one counts`() throws {
        let entries = try sampleConfiguration().entries()
        let name = try #require(entries.first { $0.key.group == "name" && $0.key.kind == "server" })
        let shared = entries.map { entry in
            entry.key.group == "source" && entry.key.record.low == 2
                ? with(entry, #"{"topic":"pool/sensor/main"}"#) : entry
        }

        let (configuration, problems) = read(shared + [with(name, #"{"name":"Second"}"#)])

        #expect(configuration.servers.first?.name == "Home")
        #expect(problems == [.repeatedEntry(name.key), .topicShared("pool/sensor/main", lagoon.id, spa.id)])
        let readers = configuration.devices.filter { $0.topic == "pool/sensor/main" && $0.serverID == home.id }
        #expect(readers.map(\.id) == [lagoon.id, spa.id], "both are kept, and told")
    }

    @Test(arguments: [
        (
            Selection(serverID: serverID(2), deviceID: deviceID(1)),
            Selection(serverID: serverID(1), deviceID: deviceID(1))
        ),
        (Selection(serverID: nil, deviceID: deviceID(1)), Selection(serverID: serverID(1), deviceID: deviceID(1))),
        (Selection(serverID: serverID(1), deviceID: deviceID(77)), Selection(serverID: serverID(1))),
        (
            Selection(serverID: serverID(77), deviceID: deviceID(1)),
            Selection(serverID: serverID(1), deviceID: deviceID(1))
        ),
        (Selection(serverID: serverID(77)), Selection.none),
    ])
    func `a selection that does not hold together is repaired and reported`(stored: Selection, repaired: Selection)
        throws
    {
        let entries = try sampleConfiguration().entries().filter { $0.key.group != "selection" }
        let selection = EntryGroup.selection.entry(
            of: ConfigurationEntry.selectionRecord, fields: EntryFields.SelectedRecords(stored))

        let (configuration, problems) = read(entries + [selection])
        #expect(configuration.selection == repaired)
        #expect(problems == [.selectionRepaired(stored: stored, repaired: repaired)])

        #expect(WatchConfiguration(entries: entries + [selection]).selection == repaired)
    }

    @Test func `random and mutated bytes never stop the reader`() throws {
        var generator = SplitMix64(seed: 11)
        let entries = try sampleConfiguration().entries()
        for _ in 0..<2000 {
            let mutated = entries.map { entry in
                var entry = entry
                if Bool.random(using: &generator), !entry.value.isEmpty {
                    entry.value[Int.random(in: 0..<entry.value.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                return entry
            }
            let (configuration, _) = read(mutated)
            #expect(PoolConfiguration(entries: configuration.entries()) == configuration)
            _ = WatchConfiguration(entries: mutated)
        }
    }

    private func read(_ entries: [ConfigurationEntry]) -> (PoolConfiguration, [ConfigurationProblem]) {
        var problems: [ConfigurationProblem] = []
        return (PoolConfiguration(entries: entries, problems: &problems), problems)
    }

    private func with(_ entry: ConfigurationEntry, _ value: String) -> ConfigurationEntry {
        ConfigurationEntry(key: entry.key, value: Array(value.utf8))
    }
}
