extension ReceivedFileStore {
    /// The maximum size of a safe file name in bytes.
    static let nameByteCountMax = 120

    /// A file name that a shell and a terminal display and parse as a plain name, from any single path component.
    ///
    /// Letters of all scripts with their marks, digits and a few punctuation characters stay. Every other character,
    /// including spaces, becomes `_`. The result does not begin with a dot, a hyphen, an equals sign or a mark, and has
    /// at most ``nameByteCountMax`` bytes; a short extension is kept.
    static func safeName(_ name: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { safe.append(isPlain(scalar) ? scalar : "_") }
        if let first = safe.first, [".", "-", "="].contains(first) || isMark(first) {
            safe.insert("_", at: safe.startIndex)
        }
        let ending = safe.lastIndex(of: ".").map { String(safe[$0...]) } ?? ""
        let kept = ending.utf8.count <= 16 ? ending : ""
        var stem = String(safe).unicodeScalars.dropLast(kept.unicodeScalars.count)
        while String(stem).utf8.count + kept.utf8.count > nameByteCountMax { stem.removeLast() }
        return String(stem) + kept
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: isMark(scalar) || ["-", "_", ".", ",", "+", "=", "@"].contains(scalar)
        }
    }

    /// Whether it belongs to the letter before it: a combining accent, or a vowel sign as in many scripts.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }
}
