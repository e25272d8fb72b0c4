import PoolSamples
import Testing

@testable import PoolModel

@Suite struct ObjectionTests {
    private func objection(_ value: String?, _ kind: String, _ group: String, record: UInt64 = 7) -> String? {
        let record = ConfigurationEntry.Record(high: 0, low: record)
        return ConfigurationEntry.objection(
            to: value.map { Array($0.utf8) }, at: ConfigurationEntry.Key(kind: kind, record: record, group: group))
    }

    @Test func `whatever a hub wrote itself is taken`() throws {
        for entry in try sampleConfiguration().entries() {
            #expect(ConfigurationEntry.objection(to: entry.value, at: entry.key) == nil, "\(entry.key)")
        }
    }

    @Test(
        arguments: [
            ("device", "name", #"{"name":" "}"#, "is empty"), ("device", "name", #"{"name":7}"#, "cannot be read"),
            ("server", "name", "Home", "cannot be read"), ("server", "name", "{}", "is missing"),
            ("device", "limits-ph", #"{"criticalLow":6,"low":8,"high":7,"criticalHigh":9}"#, "must rise"),
            ("device", "limits-ph", #"{"low":6,"high":7}"#, "is missing"),
            ("device", "limits-salt", "{}", "is not known"), ("alarm", "name", "{}", "is not known"),
            ("pref", "selection", "[]", "cannot be read"), ("pref", "selection", "{}", "one selection only"),
            ("device", "timing", #"{"expectedIntervalSeconds":0}"#, "1…86400"),
        ])
    func `what the hub could not read is refused in words`(
        kind: String, group: String, value: String, words: String
    ) {
        let objection = objection(value, kind, group)
        #expect(objection?.contains(words) == true, "\(objection ?? "taken")")
    }

    @Test func `a name longer than its limit is refused`() {
        let name = String(repeating: "x", count: 257)
        #expect(objection(#"{"name":"\#(name)"}"#, "device", "name") != nil)
        #expect(objection(#"{"name":"\#(name.dropFirst())"}"#, "device", "name") == nil)
    }

    @Test func `limits can be removed, a name cannot`() {
        #expect(objection(nil, "device", "limits-orp") == nil)
        #expect(objection(nil, "device", "name")?.contains("cannot be without its name") == true)
    }

    @Test func `a watch changes names, limits and the selection, and nothing that it does not see`() {
        let editable = EntryGroup.allCases.filter {
            ConfigurationEntry.isEditableOnWatches(kind: $0.kind, group: $0.group)
        }
        #expect(
            editable.map { "\($0.kind)/\($0.group)" }.sorted() == [
                "alert/answer", "device/limits-battery", "device/limits-chlorine", "device/limits-conductivity",
                "device/limits-orp", "device/limits-ph", "device/limits-salinity", "device/limits-temperature",
                "device/name", "pool/limits-battery", "pool/limits-chlorine", "pool/limits-conductivity",
                "pool/limits-orp", "pool/limits-ph", "pool/limits-salinity", "pool/limits-temperature",
                "pool/name", "pref/selection", "server/name",
            ])
        for entry in editable {
            #expect(ConfigurationEntry.isVisibleToWatches(kind: entry.kind, group: entry.group))
        }
    }
}

@Suite struct IntegrityRepairTests {
    private func entries(_ configuration: PoolConfiguration, _ changes: [ConfigurationChange]) -> [ConfigurationEntry] {
        var values = Dictionary(configuration.entries().map { ($0.key, $0.value) }) { $1 }
        for change in changes {
            switch change {
            case .upsert(let entry): values[entry.key] = entry.value
            case .delete(let key): values[key] = nil
            }
        }
        return values.map { ConfigurationEntry(key: $0.key, value: $0.value) }
    }

    /// The configuration after the repairs of its entries.
    private func repaired(_ entries: [ConfigurationEntry]) -> (PoolConfiguration, repairs: [IntegrityRepair]) {
        let repairs = PoolConfiguration.repairs(of: entries)
        var values = Dictionary(entries.map { ($0.key, $0.value) }) { $1 }
        for repair in repairs {
            switch repair.change {
            case .upsert(let entry): values[entry.key] = entry.value
            case .delete(let key): values[key] = nil
            }
        }
        let rest = values.map { ConfigurationEntry(key: $0.key, value: $0.value) }
        #expect(PoolConfiguration.repairs(of: rest).isEmpty, "a repair leaves nothing to repair")
        return (PoolConfiguration(entries: rest), repairs)
    }

    @Test func `a sound configuration needs no repair`() throws {
        #expect(PoolConfiguration.repairs(of: try sampleConfiguration().entries()).isEmpty)
    }

    @Test func `a selection of a device that was removed meanwhile is cleared to its server`() throws {
        let old = try sampleConfiguration()
        let selection = try WatchConfiguration(entries: old.entries()).selecting(device: spa.id)
        let (mended, repairs) = repaired(entries(try old.removing(device: spa.id), selection))
        #expect(mended.selection == Selection(serverID: home.id))
        #expect(repairs.count == 1 && repairs[0].reason.contains("does not exist"))
    }

    @Test func `limits of a device that was removed meanwhile are removed`() throws {
        let old = try sampleConfiguration()
        let limits = Limits(criticalLow: 1, low: 2, high: 3, criticalHigh: 4)
        let edit = try WatchConfiguration(entries: old.entries()).limiting(device: spa.id, .orp, to: limits)
        let without = try old.removing(device: spa.id)
        let (mended, repairs) = repaired(entries(without, edit))
        #expect(mended == without)
        #expect(repairs.map(\.change) == [.delete(edit[0].key)])
    }

    @Test func `limits that are not in order give way to the standard`() throws {
        let group = EntryGroup.deviceLimits(.ph)
        let crossed = group.entry(
            of: lagoon.id.as(ConfigurationEntry.self),
            fields: Limits(criticalLow: 9, low: 8, high: 7, criticalHigh: 6))
        let (mended, repairs) = repaired(entries(try sampleConfiguration(), [.upsert(crossed)]))
        #expect(mended.device(lagoon.id)?.limits[.ph] == nil)
        #expect(repairs.first?.reason.contains("\"Lagoon\"") == true)
    }

    @Test func `P35 a device whose server is gone, and what a later version wrote, are left to a person`() throws {
        let old = try sampleConfiguration()
        let serverless = old.entries().filter { $0.key.kind != "server" || $0.key.record.low != 2 }
        #expect(PoolConfiguration.repairs(of: serverless).isEmpty)
        let later = ConfigurationEntry(
            key: ConfigurationEntry.Key(kind: "alarm", record: .init(high: 1, low: 1), group: "rule"), value: [])
        #expect(PoolConfiguration.repairs(of: old.entries() + [later]).isEmpty)
    }
}
