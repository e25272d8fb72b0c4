import PoolModel

/// How much of the free chlorine disinfects, as far as that can be told.
///
/// Free chlorine comes from a test or a chlorine probe; it is never derived from ORP.
public struct ActiveChlorine: Hashable, Sendable {
    /// The hypochlorous acid in mg/L as chlorine; nil in stabilised water.
    ///
    /// Cyanuric acid binds most of it, and no simple formula for how much is well founded.
    public var milligramsPerLitre: Double?
    /// The share of the free chlorine that it is without stabiliser; 0…1.
    public var shareWithoutStabiliser: Double
    /// What the numbers rest on, one sentence each.
    public var assumptions: [String]

    /// Computes it; nil if a number is not finite or water cannot have it.
    /// - Parameters:
    ///   - freeChlorine: The free chlorine in mg/L; 0 or more.
    ///   - ph: The pH.
    ///   - celsius: The water temperature; the constant is known for 5…35 °C.
    ///   - cyanuricAcid: The cyanuric acid in mg/L; nil if nobody measured it.
    public init?(freeChlorine: Double, ph: Double, celsius: Double, cyanuricAcid: Double?) {
        guard Quantity.chlorine.plausibleRange.contains(freeChlorine), Quantity.ph.plausibleRange.contains(ph),
            Quantity.temperature.plausibleRange.contains(celsius), (0...1000).contains(cyanuricAcid ?? 0)
        else { return nil }
        shareWithoutStabiliser = Chemistry.hypochlorousShare(ph: ph, celsius: celsius)
        assumptions = [
            "The share is that without stabiliser, by the acidity constant of Morris (1966) for 5…35 °C."
        ]
        if !(5...35).contains(celsius) {
            assumptions.append("The water is outside 5…35 °C: the constant is extended beyond its measurements.")
        }
        switch cyanuricAcid {
        case .some(let acid) where acid > 0:
            milligramsPerLitre = nil
            assumptions.append(
                "With cyanuric acid only a few percent of that is active, so no amount is given: keep more free "
                    + "chlorine, and more of it the more stabiliser there is.")
        case .some: milligramsPerLitre = freeChlorine * shareWithoutStabiliser
        case nil:
            milligramsPerLitre = freeChlorine * shareWithoutStabiliser
            assumptions.append("Cyanuric acid was not given and is taken as none; with it far less is active.")
        }
    }
}
