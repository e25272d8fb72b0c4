import PoolModel

/// A word that a calibration wizard understands, in both languages, independently of its own.
enum CalibrationWord: CaseIterable {
    case back
    case cancel
    case take
    case yes
    case no
    case force

    /// The word as displayed.
    func text(in language: TextLanguage) -> String {
        switch self {
        case .back: language.pick("back", "retour")
        case .cancel: language.pick("cancel", "annuler")
        case .take: language.pick("take", "prendre")
        case .yes: language.pick("yes", "oui")
        case .no: language.pick("no", "non")
        case .force: language.pick("force", "forcer")
        }
    }

    /// The word in a person's input; for yes and no, one letter is enough.
    init?(_ text: some StringProtocol) {
        let typed = text.lowercased()
        let known = Self.allCases.first { word in TextLanguage.allCases.contains { word.text(in: $0) == typed } }
        switch known {
        case .some(let word): self = word
        case nil where typed == "y" || typed == "o": self = .yes
        case nil where typed == "n": self = .no
        case nil: return nil
        }
    }
}
