import PoolModel

/// Puts the tables of the fields and of the quantities into the API's document.
enum FieldSchemas {
    /// What stands in the frame for the fields of a server, in an answer and in a body.
    private static let answered = #""fields of a server": "answered""#
    private static let given = #""fields of a server": "given""#
    /// What stands in the frame for each quantity: for its key in a list, or for its key before a schema, alone on a line.
    private static let quantity = #""each quantity""#
    /// What stands in the text of the frame for the units of all quantities.
    private static let units = "each unit"

    /// The schema of a field.
    private struct Schema: Encodable {
        var type: String
        var minimum: Int?
        var maximum: Int?
        var `enum`: [String]?
        var description: String?

        init(_ editor: FieldEditor) {
            type =
                switch editor.kind {
                case .text, .choice: "string"
                case .number: "integer"
                case .flag: "boolean"
                }
        }
    }

    /// The frame with the tables in it.
    static func filled(_ frame: [UInt8]) -> [UInt8] {
        let text = String(decoding: frame, as: UTF8.self)
            .replacing(answered, with: members { _, _, _ in })
            .replacing(
                given,
                with: members { schema, field, editor in
                    schema.minimum = editor.range?.lowerBound
                    schema.maximum = editor.range?.upperBound
                    schema.enum = editor.choices
                    schema.description = field.note
                })
        return Array(withQuantities(text).utf8)
    }

    private static func withQuantities(_ text: String) -> String {
        let keys = Quantity.allCases.map { "\"\($0.rawValue)\"" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let place = line.firstRange(of: "\(quantity): ") else { return String(line) }
            let (indent, schema) = (line[..<place.lowerBound], line[place.upperBound...])
            return keys.map { "\(indent)\($0): \(schema)" }.joined(separator: ",\n")
        }
        return lines.joined(separator: "\n").replacing(quantity, with: keys.joined(separator: ", "))
            .replacing(units, with: Quantity.allCases.map(\.facts.unit.rawValue).joined(separator: ", "))
    }

    /// The members of a schema's properties, one a line.
    private static func members(_ complete: (inout Schema, RecordField<Server>, FieldEditor) -> Void) -> String {
        Server.fields.compactMap { field in
            field.editor.map { editor in
                var schema = Schema(editor)
                complete(&schema, field, editor)
                let text = String(decoding: CanonicalJSON.bytes(ofEncodable: schema), as: UTF8.self)
                return "\"\(field.key)\": \(text)"
            }
        }.joined(separator: ",\n          ")
    }
}
