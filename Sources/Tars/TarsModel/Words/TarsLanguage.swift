/// The language of the words on a screen.
package enum TarsLanguage: String, CaseIterable, Codable, Sendable {
    case english, french, korean

    /// The text in this language.
    func pick(_ english: String, _ french: String, _ korean: String) -> String {
        switch self {
        case .english: english
        case .french: french
        case .korean: korean
        }
    }
}
