/// A record whose fields and cells stand in a table.
package protocol TabledRecord: Identified, Codable, Hashable {
    /// The kind of its entries.
    static var kind: String { get }
    /// The cells in which it is stored, in the order in which they are checked.
    static var cells: [RecordCell<Self>] { get }
    /// A record in which nothing was said yet; it need not be valid.
    static func blank(id: Identifier<Self>) -> Self

    var id: Identifier<Self> { get }
}

extension TabledRecord {
    /// The fields that a patch may change, in the order of the cells.
    package static var fields: [RecordField<Self>] { cells.flatMap(\.fields) }

    /// The field of a property.
    package static func field(_ path: PartialKeyPath<Self>) -> RecordField<Self> {
        guard let field = fields.first(where: { $0.lens.path == path }) else {
            preconditionFailure("no field of a \(kind) is \(path)")
        }
        return field
    }

    /// Checks all fields.
    func checkFields() throws(ConfigurationError) {
        for cell in Self.cells { try cell.check(self) }
    }

    /// Its entries: one for each cell that says something.
    var entries: [ConfigurationEntry] {
        Self.cells.compactMap { cell in
            cell.bytes(self).map {
                ConfigurationEntry(
                    key: ConfigurationEntry.Key(
                        kind: Self.kind, record: id.as(ConfigurationEntry.self), group: cell.group.group), value: $0)
            }
        }
    }

    /// Reads a record from its entries; nil, with a problem, if one that it requires is missing or breaks a rule.
    ///
    /// A cell that is not required and breaks a rule counts as absent.
    ///
    /// - Parameters:
    ///   - record: The identifier.
    ///   - reader: The entries.
    ///   - isForWatch: Whether only what watches see is read; the hub has checked what a record requires.
    /// - Returns: The record.
    static func read(
        _ record: ConfigurationEntry.Record, from reader: inout EntryReader, isForWatch: Bool = false
    ) -> Self? {
        var read = blank(id: record.as(Self.self))
        for cell in cells where cell.group.isVisibleToWatches || !isForWatch {
            let group = cell.group
            let found = reader.read(group, of: record) { bytes throws(CanonicalJSON.Failure) in
                try cell.decoded(bytes, into: read)
            }
            guard var next = found else {
                guard group.isRequired else { continue }
                reader.report(.incompleteRecord(kind: kind, record: record, missingGroup: group.group))
                return nil
            }
            if !isForWatch || !group.isRequired {
                cell.clean(&next)
                do throws(ConfigurationError) {
                    try cell.check(next)
                } catch {
                    reader.report(error, in: group, of: record)
                    if group.isRequired { return nil }
                    continue
                }
            }
            read = next
        }
        return read
    }
}

/// A cell of a record: the fields that are stored, versioned and merged together.
package struct RecordCell<Record: TabledRecord>: Sendable {
    /// Its place among all groups of entries.
    let group: EntryGroup
    /// Its fields.
    let fields: [RecordField<Record>]
    private let coder: any CellCoder<Record>
    private let ownCheck: @Sendable (Record) throws(ConfigurationError) -> Void

    /// A cell that is a JSON object with a member for each field.
    ///
    /// - Parameters:
    ///   - group: The name of its group, which never changes.
    ///   - subject: What it is in a list of changes, such as `address`; nil for the name of the group.
    ///   - watches: What watches may do with it.
    ///   - since: The first record version in which watches see it.
    ///   - isRequired: Whether a record cannot be without it.
    ///   - isRaw: Whether a comparison of two values only describes the differences.
    ///   - fields: Its fields.
    ///   - words: The values in words.
    init(
        _ group: String, subject: String? = nil, watches: EntryGroup.Access = .hidden, since: UInt32 = 1,
        isRequired: Bool = false, isRaw: Bool = false, fields: [RecordField<Record>],
        words: @escaping @Sendable (Record, EntryFormatter) -> String
    ) {
        self.init(
            group, subject: subject, watches: watches, since: since, isRequired: isRequired, isRaw: isRaw,
            fields: fields, coder: ObjectCoder(fields: fields), check: { _ in }, words: words)
    }

    /// A cell that is one value.
    ///
    /// - Parameters:
    ///   - group: The name of its group, which never changes.
    ///   - subject: What it is in a list of changes; nil for the name of the group.
    ///   - watches: What watches may do with it.
    ///   - since: The first record version in which watches see it.
    ///   - isRaw: Whether a comparison of two values only describes the differences.
    ///   - value: The property.
    ///   - fields: The field of the property, if patches change it.
    ///   - check: Checks a value.
    ///   - words: A value in words.
    init<Value: Codable & Sendable>(
        _ group: String, subject: String? = nil, watches: EntryGroup.Access = .hidden, since: UInt32 = 1,
        isRaw: Bool = false, value: any WritableKeyPath<Record, Value?> & Sendable, fields: [RecordField<Record>] = [],
        check: @escaping @Sendable (Value) throws(ConfigurationError) -> Void = { _ in },
        words: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            group, subject: subject, watches: watches, since: since, isRequired: false, isRaw: isRaw, fields: fields,
            coder: ValueCoder(value: value),
            check: { record throws(ConfigurationError) in
                if let value = record[keyPath: value] { try check(value) }
            },
            words: { record, _ in record[keyPath: value].map(words) ?? "none" })
    }

    private init(
        _ name: String, subject: String?, watches: EntryGroup.Access, since: UInt32, isRequired: Bool, isRaw: Bool,
        fields: [RecordField<Record>], coder: some CellCoder<Record>,
        check: @escaping @Sendable (Record) throws(ConfigurationError) -> Void,
        words: @escaping @Sendable (Record, EntryFormatter) -> String
    ) {
        self.fields = fields
        self.coder = coder
        ownCheck = check
        let nobody = Record.blank(id: Identifier(high: 0, low: 0))
        group = EntryGroup(
            kind: Record.kind, group: name, subject: subject ?? name, access: watches, firstVersion: since,
            isRequired: isRequired, isRaw: isRaw
        ) { bytes, _ in
            let record = try coder.decoded(bytes, into: nobody)
            for field in fields { try field.check(record) }
            try check(record)
        } words: { bytes, formatter in
            words(try coder.decoded(bytes, into: nobody), formatter)
        }
    }

    /// The JSON of its entry; nil if it says nothing and may be left out.
    func bytes(_ record: Record) -> [UInt8]? {
        group.isRequired || coder.isPresent(in: record) ? coder.bytes(record) : nil
    }

    func decoded(_ bytes: [UInt8], into record: Record) throws(CanonicalJSON.Failure) -> Record {
        try coder.decoded(bytes, into: record)
    }

    func clean(_ record: inout Record) {
        for field in fields { field.clean(&record) }
    }

    func check(_ record: Record) throws(ConfigurationError) {
        for field in fields { try field.check(record) }
        try ownCheck(record)
    }
}

/// How a cell is written and read.
private protocol CellCoder<Record>: Sendable {
    associatedtype Record: Sendable

    func isPresent(in record: Record) -> Bool
    func bytes(_ record: Record) -> [UInt8]
    func decoded(_ bytes: [UInt8], into record: Record) throws(CanonicalJSON.Failure) -> Record
}

/// An object with a member for each field.
private struct ObjectCoder<Record: TabledRecord>: CellCoder {
    let fields: [RecordField<Record>]

    private struct Members: Encodable {
        let record: Record
        let fields: [RecordField<Record>]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: FieldKey.self)
            for field in fields {
                try field.lens.encode(record, FieldKey(stringValue: field.cellKey), to: &container)
            }
        }
    }

    func isPresent(in record: Record) -> Bool { fields.contains { $0.lens.isPresent(in: record) } }

    func bytes(_ record: Record) -> [UInt8] {
        CanonicalJSON.bytes(ofEncodable: Members(record: record, fields: fields))
    }

    func decoded(_ bytes: [UInt8], into record: Record) throws(CanonicalJSON.Failure) -> Record {
        try CanonicalJSON.decode(from: bytes) { decoder in
            let container = try decoder.container(keyedBy: FieldKey.self)
            var filled = record
            for field in fields {
                try field.lens.decode(&filled, FieldKey(stringValue: field.cellKey), from: container)
            }
            return filled
        }
    }
}

/// One value; the cell is left out where it is absent.
private struct ValueCoder<Record: TabledRecord, Value: Codable & Sendable>: CellCoder {
    let value: any WritableKeyPath<Record, Value?> & Sendable

    func isPresent(in record: Record) -> Bool { record[keyPath: value] != nil }

    func bytes(_ record: Record) -> [UInt8] { CanonicalJSON.bytes(ofEncodable: record[keyPath: value]) }

    func decoded(_ bytes: [UInt8], into record: Record) throws(CanonicalJSON.Failure) -> Record {
        var record = record
        record[keyPath: value] = try CanonicalJSON.decode(Value.self, from: bytes)
        return record
    }
}
