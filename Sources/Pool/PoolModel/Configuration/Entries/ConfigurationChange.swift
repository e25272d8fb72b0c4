/// One step from the entries of a configuration to those of another.
public enum ConfigurationChange: Hashable, Sendable {
    /// An entry is new, or has a new value.
    case upsert(ConfigurationEntry)
    /// An entry is removed.
    case delete(ConfigurationEntry.Key)

    /// The key of the entry that changes.
    public var key: ConfigurationEntry.Key {
        switch self {
        case .upsert(let entry): entry.key
        case .delete(let key): key
        }
    }

    /// The changes from some entries to others, at most one for each key, sorted by key; of entries with the same
    /// key, the first counts.
    public static func changes(
        from old: some Sequence<ConfigurationEntry>, to new: some Sequence<ConfigurationEntry>
    ) -> [ConfigurationChange] {
        let before = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let upserts = after.filter { before[$0.key] != $0.value }.map { key, value in
            ConfigurationChange.upsert(ConfigurationEntry(key: key, value: value))
        }
        let deletions = before.keys.filter { after[$0] == nil }.map(ConfigurationChange.delete)
        return (upserts + deletions).sorted { $0.key < $1.key }
    }
}
