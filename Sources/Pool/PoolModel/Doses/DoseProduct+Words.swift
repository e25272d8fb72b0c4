/// The names under which people know a product.
extension DoseProduct {
    /// The products that a name can mean: the one of the command line and of JSON, the names in each language, and those
    /// of shops, without regard to case, accents, dashes and blanks.
    ///
    /// Several are returned for a name such as "chlorine", or "pH minus", which is sold dry and liquid; none for a name
    /// that is not known.
    public static func meant(by text: String) -> [DoseProduct] {
        let word = folded(text)
        if let exact = allCases.first(where: { folded($0.rawValue) == word }) { return [exact] }
        return allCases.filter { product in product.words.contains { folded($0) == word } }
    }

    /// The word or words that are known and most like a text, as people write them; nil if none is.
    public static func nearest(to text: String) -> String? {
        let words = allCases.flatMap { [$0.rawValue] + $0.words }
        let folds = Dictionary(words.map { (folded($0), $0) }) { first, _ in first }
        return NearMiss.nearest(to: folded(text), in: folds.keys.sorted()).flatMap { folds[$0] }
    }

    /// Its names in each language and in shops.
    private var words: [String] { TextLanguage.allCases.map(name(in:)) + shopNames }

    private var shopNames: [String] {
        switch self {
        case .calciumHypochlorite:
            ["cal hypo", "calhypo", "chlorine granules", "chlorine", "chlore", "shock", "chlore choc"]
        case .dichlor: ["dichlore stabilisé", "chlorine granules", "chlorine", "chlore", "shock", "chlore choc"]
        case .trichlor: ["chlorine tablets", "chlorine", "chlore", "galets", "galets de chlore", "chlore lent"]
        case .sodiumHypochlorite:
            [
                "liquid chlorine", "chlorine liquid", "chlorine", "bleach", "hypochlorite", "chlore", "chlore liquide",
                "javel",
                "eau de javel",
            ]
        case .sodiumBisulfate:
            [
                "pH minus", "pH-", "pH down", "pH decreaser", "dry acid", "sodium hydrogen sulfate", "pH moins",
                "pH moins poudre", "pH minus granules", "pH minus powder",
            ]
        case .hydrochloricAcid:
            [
                "pH minus", "pH-", "pH down", "muriatic acid", "pH moins", "acide muriatique", "pH minus liquid",
                "pH moins liquide",
            ]
        case .sulfuricAcid: ["pH minus", "pH-", "pH down", "pH moins", "pH minus liquid", "pH moins liquide"]
        case .sodiumCarbonate:
            ["pH plus", "pH+", "pH up", "pH increaser", "soda ash", "washing soda", "cristaux de soude"]
        case .other: ["other", "autre"]
        }
    }

    /// A text without what people write differently; the signs of "pH-" and "pH+" are words.
    private static func folded(_ text: String) -> String {
        var text = text.lowercased()
        if text.hasSuffix("-") { text = String(text.dropLast()) + "minus" }
        if text.hasSuffix("+") { text = String(text.dropLast()) + "plus" }
        let accents: [Character: Character] = [
            "é": "e", "è": "e", "ê": "e", "à": "a", "â": "a", "î": "i", "ô": "o", "ç": "c",
        ]
        return String(
            text.replacing("ph", with: "f").filter { $0.isLetter || $0.isNumber }.map { accents[$0] ?? $0 })
    }
}
