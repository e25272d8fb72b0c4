/// A product that is added to the water.
///
/// The raw values are the names on the command line and in JSON.
public enum DoseProduct: String, CaseIterable, Codable, Hashable, Sendable {
    /// Calcium hypochlorite, granules.
    case calciumHypochlorite = "calcium-hypochlorite"
    /// Sodium dichloroisocyanurate dihydrate, granules; it leaves cyanuric acid.
    case dichlor
    /// Trichloroisocyanuric acid, tablets that dissolve slowly; it leaves cyanuric acid.
    case trichlor
    /// Sodium hypochlorite, liquid chlorine.
    case sodiumHypochlorite = "sodium-hypochlorite"
    /// Sodium bisulfate, dry acid: granules that lower the pH.
    case sodiumBisulfate = "sodium-bisulfate"
    /// Hydrochloric acid, which lowers the pH.
    case hydrochloricAcid = "hydrochloric-acid"
    /// Sulfuric acid, which lowers the pH.
    case sulfuricAcid = "sulfuric-acid"
    /// Sodium carbonate, soda ash: granules that raise the pH.
    case sodiumCarbonate = "sodium-carbonate"
    /// Something else, such as an algaecide; the note says what.
    case other

    /// The name for people.
    public var name: String { name(in: .english) }

    /// The name inside a sentence.
    func name(in language: TextLanguage) -> String {
        switch self {
        case .calciumHypochlorite: language.pick("calcium hypochlorite", "hypochlorite de calcium")
        case .dichlor: language.pick("dichlor", "dichlore")
        case .trichlor: language.pick("trichlor", "trichlore")
        case .sodiumHypochlorite: language.pick("sodium hypochlorite", "hypochlorite de sodium")
        case .sodiumBisulfate: language.pick("sodium bisulfate", "bisulfate de sodium")
        case .hydrochloricAcid: language.pick("hydrochloric acid", "acide chlorhydrique")
        case .sulfuricAcid: language.pick("sulfuric acid", "acide sulfurique")
        case .sodiumCarbonate: language.pick("sodium carbonate", "carbonate de sodium")
        case .other: language.pick("another product", "autre produit")
        }
    }

    /// The quantity that it is meant to change; nil if unknown.
    public var quantity: Quantity? {
        switch self {
        case .calciumHypochlorite, .dichlor, .trichlor, .sodiumHypochlorite: .chlorine
        case .sodiumBisulfate, .hydrochloricAcid, .sulfuricAcid, .sodiumCarbonate: .ph
        case .other: nil
        }
    }

    /// The units in which it is measured out.
    public var units: [Dose.Unit] {
        switch self {
        case .calciumHypochlorite, .dichlor, .trichlor, .sodiumBisulfate, .sodiumCarbonate: [.grams]
        case .sodiumHypochlorite, .hydrochloricAcid, .sulfuricAcid: [.millilitres]
        case .other: [.grams, .millilitres]
        }
    }

    /// The usual strength in percent, for a product whose own is not given; nil for ``other``.
    ///
    /// Of chlorine it is the available chlorine: in grams of 100 g, of the liquid in grams of 100 mL. Of the others it
    /// is the named substance in grams of 100 g. Sources: AWWA B300 for calcium hypochlorite, Regulation (EU) 2019/1148
    /// for sulfuric acid (people may have up to 15 %), labels for the others.
    public var usualStrength: Double? {
        switch self {
        case .calciumHypochlorite: 65
        case .dichlor: 56
        case .trichlor: 90
        case .sodiumHypochlorite: 12.5
        case .sodiumBisulfate: 93.2
        case .hydrochloricAcid: 31.45
        case .sulfuricAcid: 14.9
        case .sodiumCarbonate: 99
        case .other: nil
        }
    }

    /// The strengths in percent that are possible; nil for ``other``.
    public var strengthRange: ClosedRange<Double>? {
        switch self {
        case .calciumHypochlorite: 30...80
        case .dichlor: 50...63
        case .trichlor: 80...92
        case .sodiumHypochlorite: 1...18
        case .sodiumBisulfate, .sodiumCarbonate: 50...100
        case .hydrochloricAcid: 5...38
        case .sulfuricAcid: 5...40
        case .other: nil
        }
    }
}
