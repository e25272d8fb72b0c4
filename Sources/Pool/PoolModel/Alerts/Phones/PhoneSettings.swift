/// Where a service sends notices to phones: what a person gave for the fields of its ``PhoneService``, by their names.
///
/// A field of another version is kept. No field is a secret: the hub keeps those separately.
public struct PhoneSettings: Hashable, Sendable {
    /// The values of the fields; a field without a value has its default.
    public var fields: [String: String]

    /// Creates settings without checking them.
    public init(_ fields: [String: String] = [:]) {
        self.fields = fields
    }
}

extension PhoneSettings: Codable {
    /// Reads an object of strings.
    public init(from decoder: any Decoder) throws {
        fields = try decoder.singleValueContainer().decode([String: String].self)
    }

    /// Writes an object of strings.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }
}
