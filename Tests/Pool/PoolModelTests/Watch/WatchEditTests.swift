import PoolSamples
import Testing

@testable import PoolModel

@Suite struct WatchEditTests {
    private func watch() throws -> WatchConfiguration {
        WatchConfiguration(entries: try sampleConfiguration().entries())
    }

    /// The configuration of a hub after it accepted a watch's changes.
    private func hub(_ changes: [ConfigurationChange]) throws -> PoolConfiguration {
        var values = Dictionary(try sampleConfiguration().entries().map { ($0.key, $0.value) }) { $1 }
        for change in changes {
            if case .upsert(let entry) = change { values[entry.key] = entry.value } else { values[change.key] = nil }
        }
        return PoolConfiguration(entries: values.map { ConfigurationEntry(key: $0.key, value: $0.value) })
    }

    @Test func `a device is renamed, and nothing else changes`() throws {
        let changed = try hub(try watch().renaming(device: lagoon.id, to: "Big pool"))
        var expected = lagoon
        expected.name = "Big pool"
        #expect(changed == (try sampleConfiguration().replacing(expected)))
    }

    @Test func `limits are changed, and the standard ones are no entry`() throws {
        let limits = Limits(criticalLow: 6, low: 7, high: 7.4, criticalHigh: 8)
        let changed = try hub(try watch().limiting(device: spa.id, .ph, to: limits))
        #expect(changed.device(spa.id)?.limits == [.ph: limits])
        let back = try hub(try watch().limiting(device: lagoon.id, .ph, to: Quantity.ph.facts.limits))
        #expect(back.device(lagoon.id)?.limits == [:])
    }

    @Test func `a device is selected together with its server, or none is`() throws {
        let selected = try hub(try watch().selecting(device: onsen.id)).selection
        #expect(selected == Selection(serverID: ryokan.id, deviceID: onsen.id))
        #expect(try hub(try watch().selecting(device: nil)).selection == Selection.none)
    }

    @Test func `what the hub would refuse is refused on the watch`() throws {
        let watch = try watch()
        #expect(throws: ConfigurationError.nameEmpty(.device)) { try watch.renaming(device: lagoon.id, to: " ") }
        #expect(throws: ConfigurationError.self) { try watch.renaming(device: deviceID(99), to: "X") }
        let crossed = Limits(criticalLow: 6, low: 8, high: 7, criticalHigh: 9)
        #expect(throws: ConfigurationError.limitsNotOrdered(.ph, crossed)) {
            try watch.limiting(device: lagoon.id, .ph, to: crossed)
        }
    }
}

@Suite struct ConflictSummaryTests {
    @Test func `a conflict is named by a beginning that fits no other`() throws {
        let names = [[0x3f, 0x9a, 0x00], [0x3f, 0x9b, 0x00], [0x77]].map { ConflictID(bytes: $0) }
        #expect(try ConflictNameError.match("3F9A", among: names) == ConflictID("3f9a00"))
        #expect(throws: ConflictNameError.ambiguous("3f9", candidates: ["3f9a00", "3f9b00"])) {
            try ConflictNameError.match("3f9", among: names)
        }
        #expect(throws: ConflictNameError.notFound("", openCount: 3)) { try ConflictNameError.match("", among: names) }
    }

    @Test func `a value of a record that is gone cannot be restored, and the words say what to do`() {
        let key = ConfigurationEntry.Key(kind: "device", record: .init(high: 1, low: 1), group: "name")
        let name = Array(#"{"name":"Lagoon"}"#.utf8)
        #expect(ConflictSummary.obstacle(to: name, at: key, exists: true) == nil)
        #expect(ConflictSummary.obstacle(to: name, at: key, exists: false)?.contains("add it again") == true)
        #expect(ConflictSummary.obstacle(to: nil, at: key, exists: true)?.contains("device remove") == true)
        let answer = ConfigurationEntry.Key(kind: "alert", record: .init(high: 1, low: 1), group: "answer")
        #expect(ConflictSummary.obstacle(to: name, at: answer, exists: false) == "the alert has ended: dismiss this")
        #expect(ConflictSummary.obstacle(to: [0x7B], at: key, exists: true)?.contains("cannot be read") == true)
    }

    @Test func `entries are told in words`() throws {
        let entries = try sampleConfiguration().entries()
        let words = EntryFormatter(entries)
        let told = entries.filter(\.isVisibleToWatches).map {
            "\(words.subject(of: $0.key)): \(words.value($0.value, of: $0.key) ?? "")"
        }
        #expect(told.contains(#"pH limits of the device "Lagoon": 7.1…7.5 (critical outside 6.9…7.9)"#))
        #expect(told.contains(#"selected device: "Lagoon""#))
        #expect(told.contains(#"server of the device "Spa": "Home""#))
    }

    @Test func `no entry is told as the JSON in which it is stored`() throws {
        let mapping = #"{"values":[{"path":"params.ph","quantity":"ph","topic":"~"}]}"#
        let id = ConfigurationEntry.Record(high: 0, low: 9)
        let others = [
            ("device", "mapping", mapping), ("pool", "water", #"{"volume":48.5}"#),
            ("server", "announcement", #"{"prefix":"homeassistant"}"#), ("pref", "alerts", #"{"cooldownSeconds":600}"#),
            ("later", "thing", #"{"isOn":true,"list":[1]}"#),
        ].map { kind, group, value in
            ConfigurationEntry(
                key: ConfigurationEntry.Key(kind: kind, record: id, group: group), value: Array(value.utf8))
        }
        let entries = try sampleConfiguration().entries() + others
        let words = EntryFormatter(entries)
        for entry in entries {
            let told = try #require(words.value(entry.value, of: entry.key))
            #expect(!told.contains("{") && !told.contains("\":"), "\(entry.key): \(told)")
        }
        #expect(words.value(others[3].value, of: others[3].key) == "cooldown seconds 600")
        #expect(words.value(others[4].value, of: others[4].key) == "is on on, list 1 1")
    }
}
