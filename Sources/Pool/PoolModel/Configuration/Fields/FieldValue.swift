/// What a person typed or chose for a field, before it has the field's type.
package enum FieldInput: Hashable, Sendable {
    /// A text, or one of some choices.
    case text(String)
    /// A whole number.
    case number(Int)
    /// Yes or no.
    case flag(Bool)
}

/// A type of a field of a record.
package protocol FieldValue: Codable, Hashable, Sendable {
    /// The value that was typed; nil if no input is one of this type.
    init?(_ input: FieldInput)
}

extension FieldValue {
    package init?(_ input: FieldInput) { nil }
}

/// A type of a field that may be absent, where a patch says so with a value that no such field has.
package protocol BlankableFieldValue: FieldValue {
    /// What stands in a patch for no value, such as the empty text.
    static var blank: Self { get }
}

/// A type of a field that may be absent, where a patch says so with ``OptionalPatch/remove``.
package protocol RemovableFieldValue: FieldValue {}

extension String: BlankableFieldValue {
    package static var blank: String { "" }

    package init?(_ input: FieldInput) {
        guard case .text(let text) = input else { return nil }
        self = text
    }
}

extension Int: FieldValue {
    package init?(_ input: FieldInput) {
        guard case .number(let number) = input else { return nil }
        self = number
    }
}

extension Bool: BlankableFieldValue {
    package static var blank: Bool { false }

    package init?(_ input: FieldInput) {
        guard case .flag(let flag) = input else { return nil }
        self = flag
    }
}

extension Double: BlankableFieldValue {
    package static var blank: Double { 0 }
}

extension Server.ProtocolVersion: FieldValue {
    package init?(_ input: FieldInput) {
        guard case .text(let text) = input else { return nil }
        self.init(rawValue: text)
    }
}

extension Server.ClientCertificate: BlankableFieldValue {
    package static var blank: Self { Self(certificateFile: "", keyFile: "") }
}

extension Identifier: FieldValue {}
extension Identifier: RemovableFieldValue {}
extension DeviceMapping: RemovableFieldValue {}
