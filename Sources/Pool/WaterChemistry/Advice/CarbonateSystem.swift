/// The carbonate system of water that gains or loses no carbon dioxide meanwhile: how much acid changes its pH how far.
///
/// The total alkalinity is the sum of carbonates, cyanurate, borate and hydroxide minus hydrogen ions (W. Stumm and
/// J. J. Morgan, Aquatic Chemistry, chapter 4). While a dose is mixed in, the total carbon stays the same, so each
/// pH has one alkalinity, and the difference of two of them is the acid between them: a closed form. Activities are
/// taken as concentrations, which is good to some percent in fresh water.
struct CarbonateSystem {
    /// The milligrams of calcium carbonate that hold one equivalent of alkalinity.
    static let milligramsPerEquivalent = 50_045.0
    /// The water temperature where it is unknown, in °C.
    static let usualCelsius = 25.0

    private let k1: Double
    private let k2: Double
    private let kw: Double
    private let ph: Double
    private let cyanuricAcid: Double
    private let borates: Double
    /// The total carbon, in mol/L.
    private let carbon: Double

    /// Creates the system of water with these numbers; nil if no alkalinity is left for carbonates.
    ///
    /// - Parameters:
    ///   - ph: The pH; 6…9.5.
    ///   - celsius: The water temperature; 0…53.
    ///   - totalAlkalinity: The total alkalinity in mg/L as calcium carbonate.
    ///   - cyanuricAcid: The cyanuric acid in mg/L.
    ///   - borates: The borates in mg/L as boron.
    init?(ph: Double, celsius: Double, totalAlkalinity: Double, cyanuricAcid: Double, borates: Double) {
        let constants = Self.constants(celsius: celsius)
        (k1, k2, kw) = constants
        self.ph = ph
        self.cyanuricAcid = cyanuricAcid
        self.borates = borates
        let other = Self.otherAlkalinity(ph, cyanuricAcid, borates, kw: constants.kw)
        let carbonate = totalAlkalinity / Self.milligramsPerEquivalent - other
        guard carbonate > 0 else { return nil }
        carbon = carbonate / Self.charge(ph, k1: constants.k1, k2: constants.k2)
    }

    /// The acid that brings the pH to another one, in equivalents a litre; negative for a base.
    func acid(to target: Double) -> Double { alkalinity(at: ph) - alkalinity(at: target) }

    /// The sodium carbonate that brings the pH to a higher one, in mol a litre; nil if no amount of it does.
    ///
    /// A mole of it adds two equivalents of alkalinity, but a mole of carbon, too.
    func sodiumCarbonate(to target: Double) -> Double? {
        let gain = 2 - Self.charge(target, k1: k1, k2: k2)
        let amount = (alkalinity(at: target) - alkalinity(at: ph)) / gain
        return gain > 0 && amount > 0 ? amount : nil
    }

    private func alkalinity(at ph: Double) -> Double {
        carbon * Self.charge(ph, k1: k1, k2: k2) + Self.otherAlkalinity(ph, cyanuricAcid, borates, kw: kw)
    }

    /// The mean negative charge of a carbon: 0 as carbon dioxide, 1 as hydrogen carbonate, 2 as carbonate.
    private static func charge(_ ph: Double, k1: Double, k2: Double) -> Double {
        let hydrogen = Transcendental.exp10(-ph)
        let share = 1 / (1 + hydrogen / k1 + k2 / hydrogen)
        return share * (1 + 2 * k2 / hydrogen)
    }

    private static func otherAlkalinity(
        _ ph: Double, _ cyanuricAcid: Double, _ borates: Double, kw: Double
    ) -> Double {
        let bound = Chemistry.boundAlkalinity(ph: ph, cyanuricAcid: cyanuricAcid, borates: borates)
        let hydrogen = Transcendental.exp10(-ph)
        return (bound.cyanurate + bound.borate) / milligramsPerEquivalent + kw / hydrogen - hydrogen
    }

    /// The acidity constants of carbonic acid, and the ion product of water; 6.35, 10.33 and 14.0 at 25 °C.
    ///
    /// Source: L. N. Plummer and E. Busenberg, Geochim. Cosmochim. Acta 46 (1982), for 0…90 °C; of water: H. S. Harned
    /// and W. J. Hamer, J. Am. Chem. Soc. 55 (1933), for 0…60 °C.
    static func constants(celsius: Double) -> (k1: Double, k2: Double, kw: Double) {
        let kelvin = celsius + 273.15
        let logarithm = Transcendental.log10(kelvin)
        let square = kelvin * kelvin
        let first =
            -356.3094 - 0.06091964 * kelvin + 21_834.37 / kelvin + 126.8339 * logarithm - 1_684_915 / square
        let second =
            -107.8871 - 0.03252849 * kelvin + 5151.79 / kelvin + 38.92561 * logarithm - 563_713.9 / square
        let water = 6.0875 - 0.01706 * kelvin - 4470.99 / kelvin
        return (Transcendental.exp10(first), Transcendental.exp10(second), Transcendental.exp10(water))
    }
}
