import PoolModel

/// The module of the page's script that holds the table of the fields, from which it makes its forms.
enum FieldModule {
    /// Its name.
    static let name = "fields.js"

    /// Its text: the fields of a server that have a control, in the order of the form.
    static var text: String {
        let rows = Server.fields.compactMap { field in
            field.editor.map { Row(key: field.key, label: field.label.both, hint: field.hint?.both, editor: $0) }
        }
        return """
            export const serverFields = \(String(decoding: CanonicalJSON.bytes(ofEncodable: rows), as: UTF8.self))

            """
    }

    /// A field for the page; its texts are in English and in French.
    private struct Row: Encodable {
        var key: String
        var label: [String]
        var hint: [String]?
        var editor: FieldEditor
    }
}
