/// The language of the words on a screen.
package enum HomeLanguage: String, CaseIterable, Codable, Sendable {
    case english, french, korean

    /// The language of a process, by `LC_ALL`, `LC_MESSAGES` or `LANG`; English unless it is another of these.
    package init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        self = Self.allCases.first { name.hasPrefix($0.code) } ?? .english
    }

    /// Its code in two letters, such as `fr`.
    package var code: String { pick("en", "fr", "ko") }

    /// The text in this language.
    package func pick(_ english: String, _ french: String, _ korean: String) -> String {
        switch self {
        case .english: english
        case .french: french
        case .korean: korean
        }
    }
}

/// Words for people, in each language.
package struct Phrase: Sendable {
    private let english: String
    private let french: String
    private let korean: String

    /// The same words in three languages.
    package init(_ english: String, _ french: String, _ korean: String) {
        self.english = english
        self.french = french
        self.korean = korean
    }

    /// The words in a language.
    package func text(in language: HomeLanguage) -> String { language.pick(english, french, korean) }
}
