/// A change of an optional value.
package enum OptionalPatch<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// Set the value.
    case set(Value)
    /// Remove the value.
    case remove

    /// The change after which there is this value, or none.
    package init(_ value: Value?) {
        self = value.map { .set($0) } ?? .remove
    }

    /// The value after the change.
    package var value: Value? {
        switch self {
        case .set(let value): value
        case .remove: nil
        }
    }
}

/// A record that a patch changes, with what a patch says beside the fields of the record.
package protocol PatchedRecord: TabledRecord {
    /// What a patch says beside the fields; all of it may be absent.
    associatedtype Supplement: Codable, Hashable, Sendable

    /// A supplement that says nothing.
    static var noSupplement: Supplement { get }
}

/// A change of a record; fields that are nil stay.
///
/// Each property of the record that is a field is a property of the patch, too, and so is each of its supplement. A text
/// that the record may lack is taken away by an empty one.
@dynamicMemberLookup
package struct RecordPatch<Record: PatchedRecord>: Hashable, Sendable {
    /// The keys of the fields that change.
    private var keys: Set<String> = []
    /// A blank record with the new values of these fields.
    private var record = Record.blank(id: Identifier(high: 0, low: 0))
    private var supplement = Record.noSupplement

    /// Creates a patch that changes nothing.
    package init() {}

    /// Creates a patch with all fields of a record.
    package init(of other: Record) {
        for field in Record.fields { set(field, as: other) }
    }

    /// The fields that it changes.
    package var fields: [RecordField<Record>] { Record.fields.filter { keys.contains($0.key) } }

    /// Whether it changes something in a cell of the record.
    package func changes(cell name: String) -> Bool {
        Record.cells.contains { $0.group.group == name && $0.fields.contains { keys.contains($0.key) } }
    }

    /// Applies the fields to a record.
    package func fieldsApplied(to record: Record) -> Record {
        var edited = record
        for field in fields { field.lens.copy(self.record, to: &edited) }
        return edited
    }

    /// The fields of this patch that differ from those of another one, and all of its supplement.
    package func fieldChanges(from old: Self) -> Self {
        var new = self
        for field in fields where old.keys.contains(field.key) && field.lens.isSame(record, old.record) {
            new.unset(field)
        }
        return new
    }

    /// Takes what a person typed for a field; returns whether it has the type of the field.
    package mutating func take(_ input: FieldInput, for field: RecordField<Record>) -> Bool {
        guard field.lens.take(input, into: &record) else { return false }
        keys.insert(field.key)
        return true
    }

    private mutating func set(_ field: RecordField<Record>, as other: Record) {
        keys.insert(field.key)
        field.lens.copy(other, to: &record)
    }

    private mutating func unset(_ field: RecordField<Record>) {
        keys.remove(field.key)
        field.lens.copy(Record.blank(id: record.id), to: &record)
    }

    // MARK: - Members

    /// The new value of a field that every record has.
    package subscript<Value: FieldValue>(dynamicMember path: WritableKeyPath<Record, Value>) -> Value? {
        get { isGiven(path) ? record[keyPath: path] : nil }
        set {
            guard let newValue else { return unset(Record.field(path)) }
            give(path) { $0[keyPath: path] = newValue }
        }
    }

    /// The new value of a field that a record may lack; ``BlankableFieldValue/blank`` takes it away.
    package subscript<Value: BlankableFieldValue>(dynamicMember path: WritableKeyPath<Record, Value?>) -> Value? {
        get { isGiven(path) ? record[keyPath: path] ?? .blank : nil }
        set {
            guard let newValue else { return unset(Record.field(path)) }
            give(path) { $0[keyPath: path] = newValue == .blank ? nil : newValue }
        }
    }

    /// The change of a field that a record may lack.
    package subscript<Value: RemovableFieldValue>(
        dynamicMember path: WritableKeyPath<Record, Value?>
    ) -> OptionalPatch<Value>? {
        get { isGiven(path) ? OptionalPatch(record[keyPath: path]) : nil }
        set {
            guard let newValue else { return unset(Record.field(path)) }
            give(path) { $0[keyPath: path] = newValue.value }
        }
    }

    /// What the patch says beside the fields.
    package subscript<Value>(dynamicMember path: WritableKeyPath<Record.Supplement, Value>) -> Value {
        get { supplement[keyPath: path] }
        set { supplement[keyPath: path] = newValue }
    }

    private func isGiven(_ path: PartialKeyPath<Record>) -> Bool { keys.contains(Record.field(path).key) }

    private mutating func give(_ path: PartialKeyPath<Record>, _ change: (inout Record) -> Void) {
        keys.insert(Record.field(path).key)
        change(&record)
    }
}

/// One flat object: a member for each field that changes, and those of the supplement.
extension RecordPatch: Codable {
    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: FieldKey.self)
        for field in Record.fields {
            let key = FieldKey(stringValue: field.key)
            guard container.contains(key), try !container.decodeNil(forKey: key) else { continue }
            try field.lens.decodeChange(&record, key, from: container)
            keys.insert(field.key)
        }
        supplement = try Record.Supplement(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        for field in fields { try field.lens.encodeChange(record, FieldKey(stringValue: field.key), to: &container) }
        try supplement.encode(to: encoder)
    }
}
