/// A member of a JSON object, by the key of a field.
struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// How a field of a record is read and written, whatever its type.
///
/// An entry leaves an absent value out. A patch cannot, because there a field that is left out stays: it writes a blank
/// value, or that the value is removed.
protocol FieldLens<Record>: Sendable {
    associatedtype Record: Sendable

    var path: PartialKeyPath<Record> { get }

    func isPresent(in record: Record) -> Bool
    func isSame(_ record: Record, _ other: Record) -> Bool
    func copy(_ source: Record, to target: inout Record)
    /// Takes what a person typed; returns whether it has the type of the field.
    func take(_ input: FieldInput, into record: inout Record) -> Bool

    func encode(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws
    func decode(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws
    func encodeChange(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws
    func decodeChange(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws
}

/// A field that every record has.
struct PresentLens<Record: Sendable, Value: FieldValue>: FieldLens {
    let value: any WritableKeyPath<Record, Value> & Sendable
    /// The value of entries that do not say it; nil if each must.
    let standard: Value?

    var path: PartialKeyPath<Record> { value }

    func isPresent(in record: Record) -> Bool { true }

    func isSame(_ record: Record, _ other: Record) -> Bool { record[keyPath: value] == other[keyPath: value] }

    func copy(_ source: Record, to target: inout Record) { target[keyPath: value] = source[keyPath: value] }

    func take(_ input: FieldInput, into record: inout Record) -> Bool {
        guard let typed = Value(input) else { return false }
        record[keyPath: value] = typed
        return true
    }

    func encode(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws {
        try container.encode(record[keyPath: value], forKey: key)
    }

    func decode(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws {
        if let standard {
            record[keyPath: value] = try container.decodeIfPresent(Value.self, forKey: key) ?? standard
        } else {
            record[keyPath: value] = try container.decode(Value.self, forKey: key)
        }
    }

    func encodeChange(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws {
        try container.encode(record[keyPath: value], forKey: key)
    }

    func decodeChange(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws
    {
        record[keyPath: value] = try container.decode(Value.self, forKey: key)
    }
}

/// A field that a record may lack, which a patch takes away with a blank value.
struct BlankableLens<Record: Sendable, Value: BlankableFieldValue>: FieldLens {
    let value: any WritableKeyPath<Record, Value?> & Sendable

    var path: PartialKeyPath<Record> { value }

    func isPresent(in record: Record) -> Bool { record[keyPath: value] != nil }

    func isSame(_ record: Record, _ other: Record) -> Bool { record[keyPath: value] == other[keyPath: value] }

    func copy(_ source: Record, to target: inout Record) { target[keyPath: value] = source[keyPath: value] }

    func take(_ input: FieldInput, into record: inout Record) -> Bool {
        guard let typed = Value(input) else { return false }
        record[keyPath: value] = typed == .blank ? nil : typed
        return true
    }

    func encode(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws {
        try container.encodeIfPresent(record[keyPath: value], forKey: key)
    }

    func decode(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws {
        record[keyPath: value] = try container.decodeIfPresent(Value.self, forKey: key)
    }

    func encodeChange(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws {
        try container.encode(record[keyPath: value] ?? .blank, forKey: key)
    }

    func decodeChange(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws
    {
        let given = try container.decode(Value.self, forKey: key)
        record[keyPath: value] = given == .blank ? nil : given
    }
}

/// A field that a record may lack, which a patch takes away by saying so.
struct RemovableLens<Record: Sendable, Value: RemovableFieldValue>: FieldLens {
    let value: any WritableKeyPath<Record, Value?> & Sendable

    var path: PartialKeyPath<Record> { value }

    func isPresent(in record: Record) -> Bool { record[keyPath: value] != nil }

    func isSame(_ record: Record, _ other: Record) -> Bool { record[keyPath: value] == other[keyPath: value] }

    func copy(_ source: Record, to target: inout Record) { target[keyPath: value] = source[keyPath: value] }

    func take(_ input: FieldInput, into record: inout Record) -> Bool { false }

    func encode(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws {
        try container.encodeIfPresent(record[keyPath: value], forKey: key)
    }

    func decode(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws {
        record[keyPath: value] = try container.decodeIfPresent(Value.self, forKey: key)
    }

    func encodeChange(_ record: Record, _ key: FieldKey, to container: inout KeyedEncodingContainer<FieldKey>) throws {
        try container.encode(OptionalPatch(record[keyPath: value]), forKey: key)
    }

    func decodeChange(_ record: inout Record, _ key: FieldKey, from container: KeyedDecodingContainer<FieldKey>) throws
    {
        record[keyPath: value] = try container.decode(OptionalPatch<Value>.self, forKey: key).value
    }
}
