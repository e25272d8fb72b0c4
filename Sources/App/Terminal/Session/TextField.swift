/// One line of text that a person types, with a cursor.
///
/// It contains at most ``limit`` characters and no control character, whatever is typed or pasted.
package struct TextField: Equatable, Sendable {
    /// The most characters.
    package static let limit = 2048

    package private(set) var characters: [Character]
    /// The position where the next character is inserted; 0…count.
    package private(set) var cursor: Int

    package init(_ text: String = "") {
        characters = Array(Self.clean(text).prefix(Self.limit))
        cursor = characters.count
    }

    package var text: String { String(characters) }

    /// Handles a key.
    ///
    /// - Returns: Whether the key is one for a text.
    @discardableResult
    package mutating func press(_ key: Key) -> Bool {
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
        case .control, .alt, .enter, .tab, .backTab, .escape, .insert, .up, .down, .pageUp, .pageDown, .function:
            return false
        }
        return true
    }

    /// Inserts text at the cursor; ends of lines become blanks.
    ///
    /// - Complexity: O(*m*) at the end of the text, where *m* is the length of the inserted text.
    package mutating func insert(_ text: String) {
        let added = Self.clean(text).prefix(max(0, Self.limit - characters.count))
        // A mark joins the character before it, and the text at the cursor may join the inserted text. Only these
        // neighbours are divided into characters again, because the whole text would be a lot of work for each key.
        let (start, end) = (max(0, cursor - 1), min(characters.count, cursor + 1))
        let before = String(characters[start..<cursor]) + added
        let all = Array(before + String(characters[cursor..<end]))
        characters.replaceSubrange(start..<end, with: all)
        cursor = start + min(before.count, all.count)
    }

    private mutating func deleteWord() {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        characters.removeSubrange(start..<cursor)
        cursor = start
    }

    /// The text without control characters, with blanks for ends of lines and tabs.
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
