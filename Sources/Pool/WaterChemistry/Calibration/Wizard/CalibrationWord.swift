import PoolModel

/// A word that a calibration wizard understands, in both languages whichever it speaks.
enum CalibrationWord: CaseIterable {
    case back
    case cancel
    case take
    case yes
    case no
    case force

    /// The word to show.
    func text(in language: GuideLanguage) -> String {
        switch self {
        case .back: language.pick("back", "retour")
        case .cancel: language.pick("cancel", "annuler")
        case .take: language.pick("take", "prendre")
        case .yes: language.pick("yes", "oui")
        case .no: language.pick("no", "non")
        case .force: language.pick("force", "forcer")
        }
    }

    /// The word that a person typed; one letter is enough for yes and no.
    init?(_ text: some StringProtocol) {
        let typed = text.lowercased()
        let known = Self.allCases.first { word in GuideLanguage.allCases.contains { word.text(in: $0) == typed } }
        switch known {
        case .some(let word): self = word
        case nil where typed == "y" || typed == "o": self = .yes
        case nil where typed == "n": self = .no
        case nil: return nil
        }
    }
}
