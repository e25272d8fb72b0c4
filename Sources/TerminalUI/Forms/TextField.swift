/// One line of text that a person types, with a cursor.
///
/// It holds at most ``limit`` characters and no control character, whatever is typed or pasted.
struct TextField: Equatable, Sendable {
    /// The most characters.
    static let limit = 2048

    private(set) var characters: [Character]
    /// The place between characters where the next one goes; 0…count.
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(Self.clean(text).prefix(Self.limit))
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// Obeys a key.
    ///
    /// - Returns: Whether the key means anything to a text.
    @discardableResult
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            characters.remove(at: cursor)
        case .delete, .control("d"):
            if cursor < characters.count { characters.remove(at: cursor) }
        case .control("u"):
            characters.removeSubrange(..<cursor)
            cursor = 0
        case .control("k"): characters.removeSubrange(cursor...)
        case .control("w"), .alt("\u{7F}"): deleteWord()
        default: return false
        }
        return true
    }

    /// Puts text in at the cursor; ends of lines become blanks.
    mutating func insert(_ text: String) {
        let added = Array(Self.clean(text).prefix(max(0, Self.limit - characters.count)))
        characters.insert(contentsOf: added, at: cursor)
        cursor += added.count
        // A mark joins the character before it, so that there may be fewer characters than were put together.
        let joined = Array(String(characters))
        if joined.count != characters.count {
            characters = joined
            cursor = min(cursor, characters.count)
        }
    }

    /// What of the text has room in so many columns, so that the cursor is seen, and the cursor's column in it.
    ///
    /// Each character is shown as the mask, if there is one.
    func window(columns: Int, mask: Character? = nil) -> (text: String, cursorColumn: Int) {
        guard columns > 0 else { return ("", 0) }
        let shown = mask.map { Array(repeating: $0, count: characters.count) } ?? characters
        var start = 0
        func width(_ range: Range<Int>) -> Int { shown[range].reduce(0) { $0 + displayWidth($1) } }
        while start < cursor, width(start..<cursor) > columns - 1 { start += 1 }
        var text = ""
        var used = 0
        for character in shown[start...] {
            let width = displayWidth(character)
            if used + width > columns { break }
            text.append(character)
            used += width
        }
        return (text, min(columns - 1, width(start..<cursor)))
    }

    private mutating func deleteWord() {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        characters.removeSubrange(start..<cursor)
        cursor = start
    }

    /// Without control characters, and with plain blanks for ends of lines and tabs.
    private static func clean(_ text: String) -> String {
        var result = ""
        for character in text.prefix(limit * 2) {
            if character.isNewline || character == "\t" {
                result.append(" ")
            } else if displayWidth(character) > 0 {
                result.append(character)
            }
        }
        while result.last == " ", text.last?.isNewline == true { result.removeLast() }
        return result
    }
}
