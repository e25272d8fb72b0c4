/// A change with which a hub repairs an inconsistency that a merge of edits caused.
///
/// Each edit was valid where it was made; they are only inconsistent together. So no edit is refused for it. Instead
/// the hub makes one more change, which is visible in its log.
public struct IntegrityRepair: Hashable, Sendable {
    /// What to change.
    public var change: ConfigurationChange
    /// The reason, in a sentence for a person.
    public var reason: String
}

extension PoolConfiguration {
    /// The changes that entries need to satisfy the rules of a configuration, sorted by key; none if they satisfy
    /// them.
    ///
    /// | rule | repair |
    /// |---|---|
    /// | the selection exists and belongs together | what of it does not exist is deselected |
    /// | critical low ≤ low < high ≤ critical high | the standard limits |
    /// | the pool of a device exists | the device has no pool |
    /// | an entry belongs to a record that exists | an entry that watches change is removed when nothing of the hub's own is left of its record |
    ///
    /// A device whose server does not exist stays as it is, because only a person can know where it belongs. A merge
    /// cannot cause this, because only the hub changes servers and memberships. An unreadable entry stays as well,
    /// because a newer version may have written it.
    public static func repairs(of entries: some Sequence<ConfigurationEntry>) -> [IntegrityRepair] {
        let (invalidEntries, rest) = invalidEntries(in: Array(entries))
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(entries: rest, problems: &problems)
        let repairs = problems.compactMap { IntegrityRepair($0, in: configuration) }
        return (invalidEntries + repairs).sorted { $0.change.key < $1.change.key }
    }

    /// Removes the entries of records that do not exist any more.
    private static func invalidEntries(
        in entries: [ConfigurationEntry]
    ) -> (repairs: [IntegrityRepair], rest: [ConfigurationEntry]) {
        let known = Set(
            entries.filter { EntryGroup(kind: $0.key.kind, group: $0.key.group)?.isEditableOnWatches != true }
                .map { RecordName(kind: $0.key.kind, record: $0.key.record) })
        var (repairs, rest): ([IntegrityRepair], [ConfigurationEntry]) = ([], [])
        for entry in entries {
            let key = entry.key
            let isInvalid =
                ![EntryGroup.preferenceKind, EntryGroup.alertKind].contains(key.kind)
                && !known.contains(RecordName(kind: key.kind, record: key.record))
            guard isInvalid else {
                rest.append(entry)
                continue
            }
            repairs.append(
                IntegrityRepair(
                    change: .delete(key),
                    reason: "The \(key.group) of a \(key.kind) that does not exist any more was removed."))
        }
        return (repairs, rest)
    }
}

/// The kind and the identifier of a record.
struct RecordName: Hashable {
    var kind: String
    var record: ConfigurationEntry.Record
}

extension IntegrityRepair {
    fileprivate init?(_ problem: ConfigurationProblem, in configuration: PoolConfiguration) {
        switch problem {
        case .selectionRepaired(_, let repaired):
            let entry = EntryGroup.selection.entry(
                of: ConfigurationEntry.selectionRecord, fields: EntryFields.SelectedRecords(repaired))
            self.init(change: .upsert(entry), reason: "\(problem)")
        case .invalidEntry(let key, .limitsNotOrdered(let quantity, _)):
            let name =
                configuration.device(key.record.as(Device.self))?.name
                ?? configuration.pool(key.record.as(Pool.self))?.name ?? "\(key.record)"
            self.init(
                change: .delete(key),
                reason: "The limits of \(quantity.name) of the \(key.kind) \(Excerpt(name)) were not in order: "
                    + "the standard ones hold again.")
        case .poolMissing(let device, _):
            let key = ConfigurationEntry.Key(
                kind: Device.kind, record: device.as(ConfigurationEntry.self),
                group: EntryGroup.devicePool.group)
            self.init(change: .delete(key), reason: "\(problem)")
        case .unknownEntry, .repeatedEntry, .unreadableEntry, .invalidEntry, .incompleteRecord, .serverMissing,
            .topicShared:
            return nil
        }
    }
}
