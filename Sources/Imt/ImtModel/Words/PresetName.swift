/// The names that a watch can give to a transformation, in both languages (IMT23).
package enum PresetName: String, CaseIterable, Codable, Hashable, Sendable {
    case skin, teeth, nose, eyelids, hair, weight, scar, smile

    private static let words: [PresetName: (english: String, french: String)] = [
        .skin: ("Skin", "Peau"), .teeth: ("Teeth", "Dents"), .nose: ("Nose", "Nez"),
        .eyelids: ("Eyelids", "Paupières"), .hair: ("Hair", "Cheveux"), .weight: ("Weight", "Poids"),
        .scar: ("Scar", "Cicatrice"), .smile: ("Smile", "Sourire"),
    ]

    /// The name in a language.
    package func text(in language: TextLanguage) -> String {
        let words = Self.words[self]
        return language.pick(words?.english ?? rawValue, words?.french ?? rawValue)
    }
}
