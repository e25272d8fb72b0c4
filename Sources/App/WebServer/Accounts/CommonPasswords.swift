/// The passwords that anybody tries first, made by rules: rows of the keyboard, sequences, years, plain words.
enum CommonPasswords {
    /// How many there are.
    static let count = 1000

    /// Whether a password is one of them, in upper or lower case, also with letters in the place of similar signs.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - words: Further words with which people begin passwords here, in lower case.
    /// - Returns: Whether anybody would try it.
    static func contains(_ password: String, _ words: [String] = []) -> Bool {
        let plain = password.lowercased()
        return [plain, String(plain.map { letters[$0] ?? $0 })].contains { text in
            all.contains(text)
                || words.contains { word in
                    text == word + word || text == "the" + word || text == "my" + word
                        || text.hasPrefix(word) && endings.contains(String(text.dropFirst(word.count)))
                }
        }
    }

    /// The signs that people write for letters.
    private static let letters: [Character: Character] = ["@": "a", "$": "s", "!": "i", "€": "e"]

    private static let endings =
        ["", "1", "12", "123", "1234", "12345", "123456", "!", "1!", "123!", "01", "007", "69", "99", "00"]
        + (2018...2030).map(String.init)

    static let all: Set<String> = {
        var found: [String] = []
        let rows = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop", "abcdefghijklmnop"]
        for row in rows {
            found += [row, String(row.reversed()), row + row, row + "123", "123" + row, row + "1", row + "!"]
        }
        for pair in zip(rows, rows.dropFirst()) {
            found += [String(pair.0.prefix(6) + pair.1.prefix(6)), String(pair.0.prefix(5) + pair.1.prefix(5))]
        }
        found += ["1q2w3e4r5t", "1q2w3e4r5t6y", "q1w2e3r4t5", "1qaz2wsx3edc", "qazwsxedcrfv", "zaq12wsxcde3"]
        for sign in "0123456789abcxyz" {
            found += [String(repeating: sign, count: 10), String(repeating: sign, count: 12)]
        }
        let words = [
            "password", "passwort", "motdepasse", "welcome", "bienvenue", "letmein", "sesame", "secret", "admin",
            "administrator", "login", "master", "monkey", "dragon", "football", "baseball", "soccer", "sunshine",
            "princess", "superman", "batman", "starwars", "summer", "winter", "spring", "autumn", "soleil", "piscine",
            "garden", "family",
            "chocolate", "whatever", "computer", "internet", "iloveyou", "jetaime", "doudou", "loulou", "chouchou",
            "coucou", "hello", "bonjour", "monday", "sunday", "january", "december", "changeme", "default", "guest",
            "test", "user", "owner", "house", "maison", "familie", "sommer", "hallo", "schatz",
        ]
        // The endings go round outside, so that each word is there with the likeliest ones.
        for ending in endings {
            for word in words { found.append(word + ending) }
        }
        for word in words { found += [word + word, "the" + word, "my" + word] }
        var kept: Set<String> = []
        // A shorter one is refused for its length.
        for password in found where password.count >= PasswordHash.characterCountMin && kept.count < count {
            kept.insert(password)
        }
        return kept
    }()
}
