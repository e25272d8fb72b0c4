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
        let key = Self.key(group, record)
        guard let value = values[key] else { return nil }
        do {
            return try CanonicalJSON.decode(type, from: value)
        } catch {
            report(.unreadableEntry(key, reason: error.reason))
            return nil
        }
    }

    /// The fields of a required group.
    ///
    /// If there are none or they cannot be read, it reports a problem and returns nil.
    mutating func require<Fields: Decodable>(
        _ type: Fields.Type, _ group: EntryGroup, of record: ConfigurationEntry.Record
    ) -> Fields? {
        if let fields = read(type, group, of: record) { return fields }
        report(.incompleteRecord(kind: group.kind, record: record, missingGroup: group.group))
        return nil
    }

    /// The expected interval of a device; the default if there is none or it breaks the rule.
    mutating func interval(of record: ConfigurationEntry.Record) -> Int { timing(of: record).expectedIntervalSeconds }

    /// The expected interval of a device, and whether it is learnt; the default if there is none or it breaks the rule.
    mutating func timing(of record: ConfigurationEntry.Record) -> EntryFields.Timing {
        let standard = EntryFields.Timing(expectedIntervalSeconds: Device.defaultIntervalSeconds)
        guard let timing = read(EntryFields.Timing.self, .deviceTiming, of: record) else { return standard }
        let seconds = timing.expectedIntervalSeconds
        guard Device.intervalRange.contains(seconds) else {
            report(.intervalOutOfRange(seconds), in: .deviceTiming, of: record)
            return standard
        }
        return timing
    }

    /// The own limits of a device or a pool; those that break the rule are left out.
    mutating func limits(
        of record: ConfigurationEntry.Record, _ group: (Quantity) -> EntryGroup = EntryGroup.deviceLimits
    ) -> QuantityMap<Limits> {
        var limits: QuantityMap<Limits> = [:]
        for quantity in Quantity.allCases {
            guard let stored = read(Limits.self, group(quantity), of: record) else { continue }
            if stored.isOrdered {
                limits[quantity] = stored
            } else {
                report(.limitsNotOrdered(quantity, stored), in: group(quantity), of: record)
            }
        }
        return limits
    }

    /// The calibrations of a device; those that cannot be read are left out.
    mutating func calibrations(of record: ConfigurationEntry.Record) -> QuantityMap<CalibrationSeries> {
        var all: QuantityMap<CalibrationSeries> = [:]
        for quantity in Quantity.allCases {
            all[quantity] = read(CalibrationSeries.self, .deviceCalibration(quantity), of: record)
        }
        return all
    }

    /// The pool of a device, nil for none; a pool that does not exist is left out with a problem.
    mutating func pool(of record: ConfigurationEntry.Record, among pools: Set<PoolID>) -> PoolID? {
        guard let id = read(EntryFields.PoolOfDevice.self, .devicePool, of: record)?.poolID else { return nil }
        if pools.contains(id) { return id }
        report(.poolMissing(record.as(Device.self), id))
        return nil
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
