extension AlertState.Alert {
    /// A short description, such as `Lagoon pH 8.20 too high`.
    public var summary: String { namedPhrase(in: .english) }

    /// The description without the name, such as `pH 8.20 too high`.
    public var matter: String { phrase(in: .english) }

    /// A short description in a language.
    package func namedPhrase(in language: TextLanguage) -> String {
        key == .test ? phrase(in: language) : "\(name) \(phrase(in: language))"
    }

    /// The description without the name, in a language.
    ///
    /// It says what is: a value inside its limits is not called too high, and one that is not fresh is told as past.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - age: The age of a value that is not fresh, as text, to be said with it; nil to leave it out.
    /// - Returns: The description.
    package func phrase(in language: TextLanguage, age: String? = nil) -> String {
        switch key {
        case .value(_, let quantity, let side): matter(quantity, side, language, age: age)
        case .missing(_, let quantity):
            quantity.map { language.pick("\($0.name) missing", "\(language.label(of: $0)) : aucune valeur") }
                ?? language.pick("missing", "sans mesure")
        case .fault(_, let quantity):
            quantity.map { language.pick("\($0.name) faulty", "\(language.label(of: $0)) en défaut") }
                ?? language.pick("faulty", "en défaut")
        case .connection: language.pick("not connected", "sans connexion")
        case .hub(.storage): language.pick("cannot store", "ne peut rien enregistrer")
        case .test: language.pick("test", "essai")
        }
    }

    private func matter(
        _ quantity: Quantity, _ side: Limits.Deviation, _ language: TextLanguage, age: String?
    ) -> String {
        let name = language.label(of: quantity)
        var words = [value.map { language.shown($0, quantity) }, nil]
        switch place {
        case nil, .outside: words[1] = language.too(side, quantity)
        case let place?: words[1] = ", " + language.words(for: place.fact(quantity, value ?? 0, side))
        }
        let what = words.compactMap(\.self).joined(separator: " ").replacing(" ,", with: ",")
        guard isOutdated else { return "\(name) \(what)" }
        let ago = age.map { language.pick(" \($0) ago", " il y a \($0)") } ?? ""
        return language.pick(
            "\(name) was \(severity.rawValue)\(ago): \(what)",
            "\(name) : \(severity == .critical ? "critique" : "attention")\(age == nil ? " alors" : ago), \(what)")
    }

    /// Where the value is; nil unless the alert is about a value that is known.
    package var place: AlertPlace? {
        guard let side = key.side, let value, let limit else { return nil }
        return AlertPlace(value, side, severity, limit: limit, normal: normal, release: release)
    }

    /// Whether the alert is about a value that is not fresh: it tells what was.
    public var isOutdated: Bool { measuredAt != nil }

    /// Whether the value is back inside its limits, but its alert has not ended yet.
    public var isInDeadBand: Bool { place.map { !$0.isOutside } ?? false }
}
