import PoolModel

/// Puts the fields of the table into the schemas of the API's document.
enum FieldSchemas {
    /// What stands in the frame for the fields of a server, in an answer and in a body.
    private static let answered = #""fields of a server": "answered""#
    private static let given = #""fields of a server": "given""#

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

    /// The frame with the fields in it.
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
        return Array(text.utf8)
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
