/// The pieces of code that the target's room never holds.
func forbiddenCodeViolations(in source: SwiftSource, rooms: [String: Room] = House.rooms) -> [Violation] {
    guard !source.isTest, let target = source.target, let room = rooms[target] else { return [] }
    return room.forbiddenCode.flatMap { code in
        source.places(of: code).compactMap { place in
            // A declaration or a member of the same name is another thing than the global function.
            let before = source.text(at: place - 1)
            let isCall = code.hasSuffix("(") && !code.hasPrefix(".")
            if isCall, before == "func" || before == "." { return nil }
            return source.violation(at: place, "\(target) never holds `\(code)`")
        }
    }
}

/// Words of the pool inside the engine, in names, strings and comments: another domain must fit beside it.
func domainWordViolations(in source: SwiftSource, rooms: [String: Room] = House.rooms) -> [Violation] {
    guard !source.isTest, let target = source.target, rooms[target]?.isEngine == true else { return [] }
    let pieces = source.tokens.filter(\.isWord).map { ($0.text, $0.line) } + source.prose.map { ($0.text, $0.line) }
    return pieces.flatMap { text, line in
        let foreign = House.termsOfOtherFields.reduce(text) { $0.replacing($1, with: "") }
        return words(of: foreign).filter(House.domainWords.contains).map {
            Violation(path: source.path, line: line, message: "\(target) knows no pool, but says `\($0)`")
        }
    }
}

/// The words of a text in lower case, names in camel case taken apart: `poolID` gives `pool` and `id`.
func words(of text: String) -> [String] {
    let letters = Array(text)
    var found: [String] = []
    var word = ""
    for (index, letter) in letters.enumerated() {
        if !letter.isLetter || beginsCapitalizedWord(at: index, in: letters) {
            found.append(word)
            word = ""
        }
        if letter.isLetter { word += letter.lowercased() }
    }
    found.append(word)
    return found.filter { !$0.isEmpty }
}

/// Whether a capital starts a word: after a small letter, or as the last of a run of capitals (`ORPValue`).
///
/// The H of pH starts none where pH stands alone.
private func beginsCapitalizedWord(at index: Int, in letters: [Character]) -> Bool {
    func letter(_ offset: Int) -> Character { letters.indices.contains(index + offset) ? letters[index + offset] : " " }
    guard letter(0).isUppercase else { return false }
    if letter(0) == "H", letter(-1) == "p", !letter(-2).isLetter, !letter(1).isLowercase { return false }
    return letter(-1).isLowercase || (letter(-1).isUppercase && letter(1).isLowercase)
}
