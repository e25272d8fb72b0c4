/// The words of a name, in lower case: `freeChlorine_mgL` is `free`, `chlorine`, `mg`, `l`.
///
/// A word ends at anything that is not a letter, between letters and digits, and where a capital follows a small
/// letter. `pH` and `mV` are one word each, however they are written. Letters lose their accents, because devices and
/// people leave them out: `Température` is `temperature`, `Außen` is `aussen`.
struct NameWords: Equatable {
    /// The words, at most 16; the rest of a longer name is ignored.
    let words: [String]

    init(_ name: some StringProtocol) {
        var splitter = Splitter()
        for character in name.prefix(128) { splitter.take(character) }
        words = Array(splitter.finished().prefix(16))
    }

    func contains(anyOf others: Set<String>) -> Bool { words.contains(where: others.contains) }

    /// Whether the name says that something is about the water.
    var namesWater: Bool { contains(anyOf: QuantityWords.waterWords) }
}

private struct Splitter {
    private enum Kind { case small, capital, digit, other }

    private var pieces: [(text: String, followsDirectly: Bool)] = []
    private var current = ""
    private var last = Kind.other
    private var currentFollowsDirectly = false

    mutating func take(_ character: Character) {
        let kind = Self.kind(of: character)
        switch (last, kind) {
        case (_, .other): end(isDirect: false)
        case (.small, .capital), (.small, .digit), (.capital, .digit), (.digit, .small), (.digit, .capital):
            end(isDirect: true)
        case (.capital, .small) where current.count > 1:
            // The last capital of several starts the next word: "ORPLevel".
            let start = current.removeLast()
            end(isDirect: true)
            current.append(start)
        case (.small, .small), (.capital, .capital), (.digit, .digit), (.capital, .small), (.other, _): break
        }
        if kind != .other { current.append(character) }
        last = kind
    }

    /// The words, with "pH" and "mV" joined again where their letters were adjacent.
    mutating func finished() -> [String] {
        end(isDirect: false)
        var words: [String] = []
        for piece in pieces {
            let word = PlainLetters.text(piece.text)
            if piece.followsDirectly, (word == "h" && words.last == "p") || (word == "v" && words.last == "m") {
                words[words.count - 1] += word
            } else {
                words.append(word)
            }
        }
        return words
    }

    private mutating func end(isDirect: Bool) {
        if !current.isEmpty {
            pieces.append((current, currentFollowsDirectly))
            current = ""
        }
        currentFollowsDirectly = isDirect
    }

    private static func kind(of character: Character) -> Kind {
        if character.isNumber { return .digit }
        guard character.isLetter else { return .other }
        return character.isUppercase ? .capital : .small
    }
}

/// Letters without their accents.
enum PlainLetters {
    private static let plain: [Character: String] = {
        var plain: [Character: String] = ["ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"]
        let groups = [
            "a": "àáâãäåāąă", "c": "çćč", "d": "ďđ", "e": "èéêëěęēė", "g": "ğ", "i": "ìíîïīı", "l": "łĺľ", "n": "ñńňņ",
            "o": "òóôõöøőō", "r": "řŕ", "s": "śšşș", "t": "ťţț", "u": "ùúûüůűū", "y": "ýÿ", "z": "źżž",
        ]
        for (letter, accented) in groups {
            for character in accented { plain[character] = letter }
        }
        return plain
    }()

    /// A text in lower case and without accents.
    static func text(_ text: String) -> String {
        let lowercased = text.lowercased()
        if lowercased.utf8.allSatisfy({ $0 < 0x80 }) { return lowercased }
        return lowercased.map { plain[$0] ?? String($0) }.joined()
    }
}
