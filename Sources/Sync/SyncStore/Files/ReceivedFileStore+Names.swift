extension ReceivedFileStore {
    /// The most bytes of a name on a shelf.
    static let nameByteCountMax = 120

    /// A name that a shell and a terminal take for nothing but a name, for any name of one component of a path.
    ///
    /// Letters, with their marks, and digits of all scripts stay, and a few signs; everything else, spaces among it, is
    /// `_`. It does not begin with a dot, a hyphen, an equals sign or a mark, and has at most ``nameByteCountMax`` bytes, of which a short ending stays.
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

    /// Whether it belongs to the letter before it: an accent that is written apart, or a vowel of many scripts.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }
}
