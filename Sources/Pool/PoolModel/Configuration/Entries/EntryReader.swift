/// Sorts entries into records and reads their groups; every error becomes a problem, never a trap.
struct EntryReader {
    private(set) var problems: [ConfigurationProblem] = []
    private var values: [ConfigurationEntry.Key: [UInt8]] = [:]
    private var records: [String: Set<ConfigurationEntry.Record>] = [:]

    /// Sorts the entries; their order does not matter, except for repeated ones.
    init(_ entries: some Sequence<ConfigurationEntry>, accepting isKnown: (EntryGroup) -> Bool = { _ in true }) {
        for entry in entries {
            let key = entry.key
            guard let group = EntryGroup(kind: key.kind, group: key.group), isKnown(group),
                group.onlyRecord == nil || group.onlyRecord == key.record
            else {
                problems.append(.unknownEntry(key))
                continue
            }
            guard values[key] == nil else {
                problems.append(.repeatedEntry(key))
                continue
            }
            values[key] = entry.value
            records[key.kind, default: []].insert(key.record)
        }
    }

    /// The records of a kind in the order of their identifiers, so that problems always have the same order.
    func records(of kind: String) -> [ConfigurationEntry.Record] { (records[kind] ?? []).sorted() }

    mutating func report(_ problem: ConfigurationProblem) { problems.append(problem) }

    /// Reports a value that breaks a rule.
    mutating func report(_ error: ConfigurationError, in group: EntryGroup, of record: ConfigurationEntry.Record) {
        report(.invalidEntry(Self.key(group, record), error))
    }

    /// The fields of a group.
    ///
    /// If they cannot be read, it reports a problem and returns nil; if there are none, it returns nil.
    mutating func read<Fields: Decodable>(
        _ type: Fields.Type, _ group: EntryGroup, of record: ConfigurationEntry.Record
    ) -> Fields? {
        read(group, of: record) { bytes throws(CanonicalJSON.Failure) in try CanonicalJSON.decode(type, from: bytes) }
    }

    /// The value of a group as a function reads it; nil, with a problem, if it cannot be read, and nil if there is none.
    mutating func read<Value>(
        _ group: EntryGroup, of record: ConfigurationEntry.Record,
        _ decode: ([UInt8]) throws(CanonicalJSON.Failure) -> Value
    ) -> Value? {
        let key = Self.key(group, record)
        guard let value = values[key] else { return nil }
        do throws(CanonicalJSON.Failure) {
            return try decode(value)
        } catch {
            report(.unreadableEntry(key, reason: error.reason))
            return nil
        }
    }

    /// A device; a pool that does not exist is left out with a problem.
    mutating func device(
        _ record: ConfigurationEntry.Record, among pools: Set<PoolID>, isForWatch: Bool = false
    ) -> Device? {
        guard var device = Device.read(record, from: &self, isForWatch: isForWatch) else { return nil }
        if let pool = device.poolID, !pools.contains(pool) {
            report(.poolMissing(device.id, pool))
            device.poolID = nil
        }
        return device
    }

    /// The answers to alerts; those that cannot be read are left out.
    mutating func answers() -> [AlertAnswer] {
        records(of: EntryGroup.alertKind).compactMap { record in
            read(AlertAnswer.self, .alertAnswer, of: record).flatMap {
                AlertAnswer.record(of: $0.key) == record ? $0 : nil
            }
        }
    }

    /// The value of a group of preferences; nil if there is none or it breaks a rule.
    mutating func preference<Fields: Decodable>(
        _ type: Fields.Type, _ group: EntryGroup, checkedBy check: (Fields) throws(ConfigurationError) -> Void
    ) -> Fields? {
        guard let record = group.onlyRecord, let fields = read(type, group, of: record) else { return nil }
        do throws(ConfigurationError) {
            try check(fields)
            return fields
        } catch {
            report(error, in: group, of: record)
            return nil
        }
    }

    /// The part of the stored selection that exists among these devices and servers.
    ///
    /// If the device exists, its server is selected as well, because the two are one choice.
    mutating func selection(serverIDs: Set<ServerID>, serverOfDevice: [DeviceID: ServerID]) -> Selection {
        let record = ConfigurationEntry.selectionRecord
        guard let fields = read(EntryFields.SelectedRecords.self, .selection, of: record) else { return .none }
        let stored = Selection(serverID: fields.serverID, deviceID: fields.deviceID)
        var repaired = stored
        if let deviceID = stored.deviceID {
            let server = serverOfDevice[deviceID].flatMap { serverIDs.contains($0) ? $0 : nil }
            if let server { repaired.serverID = server } else { repaired.deviceID = nil }
        }
        if let serverID = repaired.serverID, !serverIDs.contains(serverID) { repaired = .none }
        if repaired != stored { report(.selectionRepaired(stored: stored, repaired: repaired)) }
        return repaired
    }

    private static func key(_ group: EntryGroup, _ record: ConfigurationEntry.Record) -> ConfigurationEntry.Key {
        ConfigurationEntry.Key(kind: group.kind, record: record, group: group.group)
    }
}

extension Identifier {
    /// The same 128 bits as the identifier of another kind of record.
    func `as`<Other>(_ other: Other.Type) -> Identifier<Other> { Identifier<Other>(high: high, low: low) }
}
