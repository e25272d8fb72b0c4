/// A line that a person types on a watch: a ``TextField`` of few characters, which takes only some.
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

    /// The place before which the next one goes, 0…count.
    var cursor: Int { field.cursor }

    /// Obeys a key; whether it was one for a line.
    mutating func handle(_ key: Key, accepting: (Character) -> Bool) -> Bool {
        guard case .character(let character) = key else { return field.press(key) }
        guard accepting(character) else { return false }
        insert(character)
        return true
    }

    /// Takes a pasted text, of which only what is accepted stays.
    mutating func paste(_ text: String, accepting: (Character) -> Bool) {
        for character in text.sanitized where accepting(character) { insert(character) }
    }

    private mutating func insert(_ character: Character) {
        if characters.count < limit { field.insert(String(character)) }
    }
}
