/// A person whose face is photographed (IMT2–IMT6).
package struct Patient: Identified, Hashable, Codable, Sendable {
    package typealias ID = Identifier<Patient>

    /// The identity, which stays.
    package let id: ID
    /// The first name.
    package var given: PersonName
    /// The family name; nil if it is unknown.
    package var family: PersonName?
    /// The date of birth; nil if it is unknown.
    package var birth: CalendarDay?
    /// What the patient agrees to.
    package var consent: Consent

    /// Describes a patient.
    package init(
        id: ID, given: PersonName, family: PersonName? = nil, birth: CalendarDay? = nil, consent: Consent = Consent()
    ) {
        self.id = id
        self.given = given
        self.family = family
        self.birth = birth
        self.consent = consent
    }

    /// By what the list is sorted: family name, then first name, without capitals.
    package var sortKey: String {
        [family?.text ?? given.text, family == nil ? "" : given.text].joined(separator: "\u{1}").lowercased()
    }

    /// The names as people write them.
    package var fullName: String { [given.text, family?.text].compactMap(\.self).joined(separator: " ") }
}

/// A name of a person: letters of any script that can be seen.
package struct PersonName: Hashable, Codable, Sendable {
    /// The most characters.
    package static let characterCountMax = 100
    /// The most bytes: characters of several parts count.
    package static let byteCountMax = 800

    /// The name.
    package let text: String

    /// Checks a name; blanks around it are dropped.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - what: What it names, in English and in French.
    /// - Throws: ``ImtProblem``.
    package init(_ text: String, _ what: (english: String, french: String)) throws(ImtProblem) {
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty else {
            throw ImtProblem(
                .unfit, "the \(what.english) is blank: type at least a letter",
                "le \(what.french) est vide : tapez au moins une lettre")
        }
        // An emoji is a name, too.
        guard
            name.unicodeScalars.contains(where: {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.properties.isEmojiPresentation
            })
        else {
            throw ImtProblem(
                .unfit, "the \(what.english) \(Excerpt(name)) has no letter: type at least one",
                "le \(what.french) \(Excerpt(name)) n'a pas de lettre : tapez-en une")
        }
        if let hidden = HiddenCharacter.find(in: name) {
            let sign = "U+" + String(hidden.value, radix: 16, uppercase: true)
            throw ImtProblem(
                .unfit, "the \(what.english) has \(sign), which cannot be seen: type it again without it",
                "le \(what.french) contient \(sign), invisible : retapez-le sans ce signe")
        }
        guard name.count <= Self.characterCountMax, name.utf8.count <= Self.byteCountMax else {
            throw ImtProblem(
                .unfit,
                "the \(what.english) has \(name.count) characters in \(name.utf8.count) bytes: write at most "
                    + "\(Self.characterCountMax), in \(Self.byteCountMax) bytes",
                "le \(what.french) a \(name.count) caractères, \(name.utf8.count) octets : "
                    + "\(Self.characterCountMax) au plus, en \(Self.byteCountMax) octets")
        }
        self.text = name
    }

    /// Checks a first name (IMT4).
    package static func given(_ text: String) throws(ImtProblem) -> PersonName {
        try PersonName(text, ("first name", "prénom"))
    }

    /// Checks a family name; nil if it is blank (IMT3).
    package static func family(_ text: String) throws(ImtProblem) -> PersonName? {
        if text.allSatisfy(\.isWhitespace) { return nil }
        return try PersonName(text, ("family name", "nom"))
    }

    /// Checks the name of a transformation; nil if it is blank.
    package static func transformation(_ text: String) throws(ImtProblem) -> PersonName? {
        if text.allSatisfy(\.isWhitespace) { return nil }
        return try PersonName(text, ("name of the transformation", "nom de la transformation"))
    }

    /// Takes a name that was checked before, such as one of the store.
    package init(checked text: String) { self.text = text }
}
