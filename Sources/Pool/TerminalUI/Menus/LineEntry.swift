/// A line that a person types on a watch: a ``TextField`` with few characters, which accepts only some.
struct LineEntry: Equatable, Sendable {
    private var field: TextField
    /// The most characters.
    let limit: Int

    init(_ text: String = "", limit: Int) {
        field = TextField(String(text.sanitized.prefix(limit)))
        self.limit = limit
    }

    var text: String { field.text }

    /// The characters.
    var characters: [Character] { field.characters }

    /// The position where the next character is inserted, 0…count.
    var cursor: Int { field.cursor }

    /// Handles a key; returns whether it was one for a line.
    mutating func handle(_ key: Key, accepting: (Character) -> Bool) -> Bool {
        guard case .character(let character) = key else { return field.press(key) }
        guard accepting(character) else { return false }
        insert(character)
        return true
    }

    /// Inserts the accepted characters of a pasted text.
    mutating func paste(_ text: String, accepting: (Character) -> Bool) {
        for character in text.sanitized where accepting(character) { insert(character) }
    }

    private mutating func insert(_ character: Character) {
        if characters.count < limit { field.insert(String(character)) }
    }
}
