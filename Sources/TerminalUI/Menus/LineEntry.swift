/// A line that a person types, with a cursor.
struct LineEntry: Equatable, Sendable {
    /// The characters.
    private(set) var characters: [Character]
    /// The place before which the next one goes, 0…count.
    private(set) var cursor: Int
    /// The most characters.
    let limit: Int

    init(_ text: String = "", limit: Int) {
        characters = Array(text.sanitized.prefix(limit))
        cursor = characters.count
        self.limit = limit
    }

    var text: String { String(characters) }

    /// Obeys a key; whether it was one for a line.
    mutating func handle(_ key: Key, accepting: (Character) -> Bool) -> Bool {
        switch key {
        case .character(let character):
            guard accepting(character) else { return false }
            insert(character)
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            characters.remove(at: cursor)
        case .delete:
            if cursor < characters.count { characters.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .control("u"):
            characters.removeFirst(cursor)
            cursor = 0
        default: return false
        }
        return true
    }

    /// Takes a pasted text, of which only what is accepted stays.
    mutating func paste(_ text: String, accepting: (Character) -> Bool) {
        for character in text.sanitized where accepting(character) { insert(character) }
    }

    private mutating func insert(_ character: Character) {
        guard characters.count < limit else { return }
        characters.insert(character, at: cursor)
        cursor += 1
    }
}
