/// The chemistry of free chlorine in water without stabiliser.
public enum Chemistry {
    /// The acidity constant of hypochlorous acid as pKa.
    ///
    /// Source: J. C. Morris, "The acid ionization constant of HOCl from 5 to 35 °C", J. Phys. Chem. 70 (1966).
    /// - Parameter celsius: The water temperature; the fit holds for 5…35 °C.
    /// - Returns: The pKa; about 7.54 at 25 °C.
    public static func acidityConstant(celsius: Double) -> Double {
        let kelvin = celsius + 273.15
        return 3000 / kelvin - 10.0686 + 0.0253 * kelvin
    }

    /// The share of the free chlorine that is hypochlorous acid, the part that disinfects; 0…1.
    ///
    /// It falls as pH and temperature rise. Cyanuric acid binds most of the chlorine; the true share is then far
    /// smaller.
    /// - Parameters:
    ///   - ph: The pH of the water.
    ///   - celsius: The water temperature.
    /// - Returns: The share.
    public static func hypochlorousShare(ph: Double, celsius: Double) -> Double {
        1 / (1 + Transcendental.exp10(ph - acidityConstant(celsius: celsius)))
    }

    /// The oxidation-reduction potential of a probe in equilibrium, in millivolts; only indicative.
    ///
    /// It follows the logarithm of the hypochlorous acid: about 70 mV for twice the chlorine, and about 11 mV less
    /// for each 0.1 of pH more near 7.5. Do not use it as a measure of chlorine.
    /// - Parameters:
    ///   - chlorine: The free chlorine in mg/L; 0.001 and less count as 0.001.
    ///   - ph: The pH of the water.
    ///   - celsius: The water temperature.
    /// - Returns: The potential.
    public static func redoxPotential(chlorine: Double, ph: Double, celsius: Double) -> Double {
        let acid = max(0.001, chlorine) * hypochlorousShare(ph: ph, celsius: celsius)
        return 690 + 230 * Transcendental.log10(acid / 0.9)
    }

    /// The part of the total alkalinity that cyanuric acid and borates hold at a pH, in mg/L as calcium carbonate.
    ///
    /// Source: the form that open pool controllers use, with the acidity constants 6.83 and 9.11.
    /// - Parameters:
    ///   - ph: The pH of the water.
    ///   - cyanuricAcid: The cyanuric acid in mg/L.
    ///   - borates: The borates in mg/L as boron.
    /// - Returns: The two parts.
    static func boundAlkalinity(
        ph: Double, cyanuricAcid: Double, borates: Double
    ) -> (cyanurate: Double, borate: Double) {
        (
            0.38772 * cyanuricAcid / (1 + Transcendental.exp10(6.83 - ph)),
            4.63 * borates / (1 + Transcendental.exp10(9.11 - ph))
        )
    }
}
