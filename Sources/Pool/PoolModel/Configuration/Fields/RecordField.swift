/// A text in each language of ``TextLanguage``, the one in English first.
package struct FieldWords: Hashable, Sendable {
    private let english: String
    private let french: String

    init(_ english: String, _ french: String) {
        self.english = english
        self.french = french
    }

    /// The texts, in the order in which the page takes them.
    package var both: [String] { [english, french] }
}

/// How the page edits a field: the kind of its control, and what it accepts.
package struct FieldEditor: Hashable, Encodable, Sendable {
    /// The kinds of controls.
    package enum Kind: String, Encodable, Sendable {
        /// A line of text.
        case text
        /// A whole number.
        case number
        /// A check box.
        case flag
        /// One of some texts.
        case choice
    }

    /// The kind.
    package let kind: Kind
    /// The smallest and the largest number.
    package private(set) var range: ClosedRange<Int>?
    /// The texts of which one is chosen.
    package private(set) var choices: [String]?
    /// The most characters of a text, where the control can count them.
    private var lengthMax: Int?
    /// An example in the empty control.
    private var example: String?
    /// Whether a text is no sentence, so that it begins with no capital.
    private var isCode: Bool?
    /// Whether blanks around a text are never meant.
    private var isTrimmed: Bool?

    static let flag = Self(kind: .flag)

    static func text(
        lengthMax: Int? = nil, example: String? = nil, isCode: Bool? = nil, isTrimmed: Bool? = nil
    ) -> Self {
        Self(kind: .text, lengthMax: lengthMax, example: example, isCode: isCode, isTrimmed: isTrimmed)
    }

    static func number(_ range: ClosedRange<Int>, example: String) -> Self {
        Self(kind: .number, range: range, example: example)
    }

    static func choice(_ choices: [String]) -> Self { Self(kind: .choice, choices: choices) }

    private enum CodingKeys: CodingKey {
        case kind, choices, lengthMax, example, isCode, isTrimmed
    }
}

/// The option of the command line with which a field is given.
package struct FieldOption: Hashable, Sendable {
    /// What the help says.
    package let help: String
    /// What stands for the value in the help; nil for a flag.
    package let valueName: String?

    init(_ help: String, _ valueName: String? = nil) {
        self.help = help
        self.valueName = valueName
    }
}

/// A field of a server, a device or a pool: a row of the table from which entries, patches, checks, options, the API and the
/// page are made.
package struct RecordField<Record: TabledRecord>: Sendable {
    /// The name in patches, in the API and in `--json`.
    package let key: String
    /// The name in the JSON of its cell; it never changes.
    let cellKey: String
    /// The label of its control.
    package let label: FieldWords
    /// What stands below the control.
    package let hint: FieldWords?
    /// What the document of the API says beside its type.
    package let note: String?
    /// How the page edits it; nil if the page neither shows nor changes it.
    package let editor: FieldEditor?
    /// How the command line names it; nil if no single option gives it.
    package let option: FieldOption?
    let lens: any FieldLens<Record>
    /// Makes a stored value fit for being shown.
    let clean: @Sendable (inout Record) -> Void
    /// Checks the value; it may depend on others of the same cell.
    let check: @Sendable (Record) throws(ConfigurationError) -> Void

    private init(
        _ lens: any FieldLens<Record>, _ key: String, cellKey: String?, label: FieldWords?, hint: FieldWords?,
        note: String?, editor: FieldEditor?, option: FieldOption?, clean: @escaping @Sendable (inout Record) -> Void,
        check: @escaping @Sendable (Record) throws(ConfigurationError) -> Void
    ) {
        self.lens = lens
        self.key = key
        self.cellKey = cellKey ?? key
        self.label = label ?? FieldWords(key, key)
        self.hint = hint
        self.note = note
        self.editor = editor
        self.option = option
        self.clean = clean
        self.check = check
    }

    /// A field that every record has.
    ///
    /// - Parameters:
    ///   - value: The property.
    ///   - key: Its name in patches, in the API and in `--json`.
    ///   - cellKey: Its name in its cell, if it is another one.
    ///   - standard: The value of entries that do not say it; nil if each must.
    ///   - label: The label of its control.
    ///   - hint: What stands below the control.
    ///   - note: What the document of the API says beside its type.
    ///   - editor: How the page edits it.
    ///   - option: How the command line names it.
    ///   - clean: Makes a stored value fit for being shown.
    ///   - check: Checks the value.
    init<Value: FieldValue>(
        _ value: any WritableKeyPath<Record, Value> & Sendable, _ key: String, cellKey: String? = nil,
        standard: Value? = nil, label: FieldWords? = nil, hint: FieldWords? = nil, note: String? = nil,
        editor: FieldEditor? = nil, option: FieldOption? = nil,
        clean: @escaping @Sendable (inout Record) -> Void = { _ in },
        check: @escaping @Sendable (Record) throws(ConfigurationError) -> Void = { _ in }
    ) {
        self.init(
            PresentLens(value: value, standard: standard), key, cellKey: cellKey, label: label, hint: hint, note: note,
            editor: editor, option: option, clean: clean, check: check)
    }

    /// A field that a record may lack, which a patch takes away with a blank value.
    init<Value: BlankableFieldValue>(
        blankable value: any WritableKeyPath<Record, Value?> & Sendable, _ key: String, cellKey: String? = nil,
        label: FieldWords? = nil, hint: FieldWords? = nil, note: String? = nil, editor: FieldEditor? = nil,
        option: FieldOption? = nil, check: @escaping @Sendable (Record) throws(ConfigurationError) -> Void = { _ in }
    ) {
        self.init(
            BlankableLens(value: value), key, cellKey: cellKey, label: label, hint: hint, note: note, editor: editor,
            option: option, clean: { _ in }, check: check)
    }

    /// A field that a record may lack, which a patch takes away by saying so.
    init<Value: RemovableFieldValue>(
        removable value: any WritableKeyPath<Record, Value?> & Sendable, _ key: String, option: FieldOption? = nil,
        check: @escaping @Sendable (Record) throws(ConfigurationError) -> Void = { _ in }
    ) {
        self.init(
            RemovableLens(value: value), key, cellKey: nil, label: nil, hint: nil, note: nil, editor: nil,
            option: option, clean: { _ in }, check: check)
    }
}

extension RecordField {
    /// Writes the value of a record under ``key``; nothing if it is absent.
    package func encode(_ record: Record, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try lens.encode(record, FieldKey(stringValue: key), to: &container)
    }
}
