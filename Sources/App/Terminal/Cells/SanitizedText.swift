extension String {
    /// The text in a form that is safe to show when it came from outside: a device's name, a hub's reason, a peer's
    /// text.
    ///
    /// Control characters (and so every escape sequence), bidirectional controls and other invisible characters,
    /// private use, unassigned code points and variation selectors are dropped. A joined emoji is reduced to its first
    /// picture, a character keeps at most five marks, and every kind of space becomes a plain one; spaces at the ends
    /// are removed. Only the first 256 characters are kept.
    public var sanitized: String {
        var result = ""
        for character in prefix(256) {
            result.unicodeScalars.append(contentsOf: safeScalars(of: character))
        }
        while result.first == " " { result.removeFirst() }
        while result.last == " " { result.removeLast() }
        return result
    }
}

private func safeScalars(of character: Character) -> [Unicode.Scalar] {
    // A cluster may have any number of marks; only the first few are checked, to limit the work.
    let visible = character.unicodeScalars.prefix(16).filter(isVisible)
    guard let base = visible.first else { return [] }
    switch base.properties.generalCategory {
    case .spaceSeparator: return [" "]
    case .nonspacingMark, .enclosingMark: return []
    default: break
    }
    if isRegionalIndicator(base) { return Array(visible.prefix(2)) }
    if base.properties.isEmoji, base.value > 0xFF { return [base] }
    return Array(visible.prefix(6))
}

private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        return false
    default:
        return !scalar.properties.isDefaultIgnorableCodePoint
    }
}

extension String {
    /// The text; nil if it is empty.
    package var nonEmpty: String? { isEmpty ? nil : self }
}
