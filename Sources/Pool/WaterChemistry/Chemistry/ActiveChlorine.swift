import PoolModel

/// The part of the free chlorine that disinfects, as far as it can be computed.
///
/// The free chlorine comes from a test or a chlorine probe; it is never derived from a redox potential.
public struct ActiveChlorine: Hashable, Sendable {
    /// The hypochlorous acid in mg/L as chlorine; nil in stabilised water.
    ///
    /// Cyanuric acid binds most of it, and there is no well-founded simple formula for the amount.
    public var milligramsPerLitre: Double?
    /// Its share of the free chlorine without stabiliser; 0…1.
    public var shareWithoutStabiliser: Double
    /// The assumptions of the numbers, one sentence each.
    public var assumptions: [String]

    /// Computes the values; nil if a number is not finite or not plausible.
    ///
    /// - Parameters:
    ///   - freeChlorine: The free chlorine in mg/L; 0 or more.
    ///   - ph: The pH.
    ///   - celsius: The water temperature; the constant is known for 5…35 °C.
    ///   - cyanuricAcid: The cyanuric acid in mg/L; nil if unknown.
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
