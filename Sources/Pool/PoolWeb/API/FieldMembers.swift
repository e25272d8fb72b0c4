import PoolModel
import WebServer

extension RequestMembers {
    /// What a body says of the fields that the page edits.
    func patch<Record: PatchedRecord>(_ type: Record.Type) throws(Problem) -> RecordPatch<Record> {
        var patch = RecordPatch<Record>()
        for field in type.fields {
            guard let editor = field.editor, let input = try input(field.key, editor) else { continue }
            precondition(patch.take(input, for: field), "the control of \(field.key) gives another type")
        }
        return patch
    }

    private func input(_ key: String, _ editor: FieldEditor) throws(Problem) -> FieldInput? {
        switch editor.kind {
        case .text: return try optionalText(key).map { .text($0) }
        case .number: return try optionalInteger(key, editor.range ?? Int.min...Int.max).map { .number($0) }
        case .flag: return try optionalFlag(key).map { .flag($0) }
        case .choice:
            guard let text = try optionalText(key) else { return nil }
            let choices = editor.choices ?? []
            guard choices.contains(text) else { throw wrong(key, "one of " + choices.joined(separator: ", ")) }
            return .text(text)
        }
    }
}

extension TabledRecord {
    /// The names of the fields that the page shows and edits.
    static var pageKeys: Set<String> { Set(fields.filter { $0.editor != nil }.map(\.key)) }

    /// Writes the fields that the page shows.
    func encodePageFields(to encoder: any Encoder) throws {
        for field in Self.fields where field.editor != nil { try field.encode(self, to: encoder) }
    }
}
