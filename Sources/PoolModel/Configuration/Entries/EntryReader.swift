/// Takes entries apart into records and reads their groups; whatever is wrong becomes a problem, never a trap.
struct EntryReader {
    private(set) var problems: [ConfigurationProblem] = []
    private var values: [ConfigurationEntry.Key: [UInt8]] = [:]
    private var records: [String: Set<ConfigurationEntry.Record>] = [:]

    /// Sorts the entries in; the order in which they come does not matter, but for repeated ones.
    init(_ entries: some Sequence<ConfigurationEntry>, accepting isKnown: (EntryGroup) -> Bool = { _ in true }) {
        for entry in entries {
            let key = entry.key
            guard let group = EntryGroup(kind: key.kind, group: key.group), isKnown(group),
                group != .selection || key.record == ConfigurationEntry.selectionRecord
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

    /// The records of a kind in the order of their identities, so that problems come in the same order each time.
    func records(of kind: String) -> [ConfigurationEntry.Record] { (records[kind] ?? []).sorted() }

    mutating func report(_ problem: ConfigurationProblem) { problems.append(problem) }

    /// Reports a value that breaks a rule.
    mutating func report(_ error: ConfigurationError, in group: EntryGroup, of record: ConfigurationEntry.Record) {
        report(.invalidEntry(Self.key(group, record), error))
    }

    /// The fields of a group; nil and a problem when they cannot be read, nil alone when they are not there.
    mutating func read<Fields: Decodable>(
        _ type: Fields.Type, _ group: EntryGroup, of record: ConfigurationEntry.Record
    ) -> Fields? {
        let key = Self.key(group, record)
        guard let value = values[key] else { return nil }
        do {
            return try CanonicalJSON.decode(type, from: value)
        } catch {
            report(.unreadableEntry(key, reason: error.reason))
            return nil
        }
    }

    /// The fields of a group without which the record cannot be used; nil and a problem when there are none.
    mutating func require<Fields: Decodable>(
        _ type: Fields.Type, _ group: EntryGroup, of record: ConfigurationEntry.Record
    ) -> Fields? {
        if let fields = read(type, group, of: record) { return fields }
        report(.incompleteRecord(kind: group.kind, record: record, missingGroup: group.group))
        return nil
    }

    /// The expected interval of a device; the default when there is none or it breaks the rule.
    mutating func interval(of record: ConfigurationEntry.Record) -> Int {
        guard let timing = read(EntryFields.Timing.self, .deviceTiming, of: record) else {
            return Device.defaultIntervalSeconds
        }
        let seconds = timing.expectedIntervalSeconds
        guard Device.intervalRange.contains(seconds) else {
            report(.intervalOutOfRange(seconds), in: .deviceTiming, of: record)
            return Device.defaultIntervalSeconds
        }
        return seconds
    }

    /// The limits of a device that differ from the standard; those that break the rule are left out.
    mutating func limits(of record: ConfigurationEntry.Record) -> QuantityMap<Limits> {
        var limits: QuantityMap<Limits> = [:]
        for quantity in Quantity.allCases {
            guard let stored = read(Limits.self, .deviceLimits(quantity), of: record) else { continue }
            if stored.isOrdered {
                limits[quantity] = stored
            } else {
                report(.limitsNotOrdered(quantity, stored), in: .deviceLimits(quantity), of: record)
            }
        }
        return limits
    }

    /// The stored selection, or what of it exists among these devices and servers.
    ///
    /// A device that exists brings its server along, because the two are one choice.
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
    /// The same 128 bits as the name of another thing.
    func `as`<Other>(_ other: Other.Type) -> Identifier<Other> { Identifier<Other>(high: high, low: low) }
}
