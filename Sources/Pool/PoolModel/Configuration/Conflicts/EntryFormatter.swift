/// Describes the subject and the value of an entry for a person.
public struct EntryFormatter: Sendable {
    private let names: [ConfigurationEntry.Record: String]

    /// Reads the names of the records from the entries of a configuration.
    public init(_ entries: some Sequence<ConfigurationEntry>) {
        names = Dictionary(
            entries.compactMap { entry in
                guard entry.key.group == EntryGroup.nameGroup else { return nil }
                // A record without a readable name is described by its identifier.
                let fields = try? CanonicalJSON.decode(EntryFields.Name.self, from: entry.value)
                guard let fields else { return nil }
                return (entry.key.record, fields.name)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The subject of an entry, such as `name of the device "Lagoon"`.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - before: An older value of the entry; if it is a name, the record is described by it. Nil for the present
    ///     name.
    /// - Returns: The description.
    public func subject(of key: ConfigurationEntry.Key, before: [UInt8]? = nil) -> String {
        guard let group = EntryGroup(kind: key.kind, group: key.group) else { return "\(key)" }
        guard !group.isOfNoRecord else { return group.subject }
        let former = group.group == EntryGroup.nameGroup ? value(before, of: key) : nil
        return "\(group.subject) of the \(key.kind) \(former ?? name(of: key.record))"
    }

    /// The description of a record, such as `device "Lagoon"`.
    func record(of key: ConfigurationEntry.Key) -> String { "\(key.kind) \(name(of: key.record))" }

    /// Whether values have so many parts that a comparison of two of them only describes the differences.
    func isRaw(_ key: ConfigurationEntry.Key) -> Bool {
        EntryGroup(kind: key.kind, group: key.group)?.isRaw ?? true
    }

    /// A value in words; nil for none.
    public func value(_ bytes: [UInt8]?, of key: ConfigurationEntry.Key) -> String? {
        guard let bytes else { return nil }
        do {
            return try EntryGroup(kind: key.kind, group: key.group)?.words(bytes, self) ?? Self.unknown(bytes)
        } catch {
            return "\(Excerpt(String(decoding: bytes, as: UTF8.self)))"
        }
    }

    /// A value that has no words of its own.
    static func unknown(_ bytes: [UInt8]) -> String {
        JSONDifference.words(of: bytes) ?? "\(Excerpt(String(decoding: bytes, as: UTF8.self)))"
    }

    /// The name of a record, or its identifier.
    func name(of record: ConfigurationEntry.Record) -> String {
        names[record].map { "\(Excerpt($0))" } ?? "\(record)"
    }
}
