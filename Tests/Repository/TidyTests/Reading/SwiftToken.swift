/// One word or sign of Swift source; comments and the text of string literals are not tokens.
struct SwiftToken: Equatable {
    /// The text as written; a raw identifier keeps its backticks.
    var text: String
    /// The line, counted from 1.
    var line: Int
    /// Whether this is the first token of its line.
    var startsLine: Bool
    /// Whether a blank, a line end or a comment stands before it.
    var followsBlank: Bool

    /// A word (identifier, keyword or number), as against one sign of punctuation.
    var isWord: Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return first == "_" || first == "`" || first.properties.isAlphabetic || ("0"..."9").contains(first)
    }
}

/// A piece of text that is no code: one line of a comment, or what stands between the quotes of a string.
struct SwiftProse: Equatable {
    enum Kind {
        case comment
        case string
    }

    var kind: Kind
    /// The text; a comment's with its slashes.
    var text: String
    /// The line, counted from 1.
    var line: Int
    /// Whether nothing but blanks stands before it on its line.
    var startsLine: Bool
    /// How many tokens stand before it.
    var place: Int
}
