public import PoolModel

/// The recommended limits for one kind of pool, by one authority.
///
/// There are no limits for a quantity if the authority gives none and no general value is right; applying the preset
/// then keeps the device's own limits.
public struct LimitsPreset: Hashable, Sendable {
    /// The stable identifier for programs; lower case with hyphens.
    public var key: String
    /// The purpose, for people.
    public var title: String
    /// The source of the numbers, in one sentence.
    public var source: String
    /// How the limits that are not in the source were chosen, in one sentence or more.
    public var note: String
    /// The limits of the quantities that have some; always ordered.
    public var limits: QuantityMap<Limits>

    /// How far a value must return inside a limit before its alert ends.
    ///
    /// It is less than half of each normal range, so an alert can always end.
    public var hysteresis: QuantityMap<Double> {
        limits.compactMapValues { $0 }.pairs.reduce(into: [:]) { $0[$1.quantity] = $1.quantity.facts.hysteresis }
    }

    /// The preset with this key; case is ignored.
    ///
    /// - Throws: ``LimitsPresetError/unknown(_:keys:)``, which contains the keys.
    public static func named(_ key: String) throws(LimitsPresetError) -> LimitsPreset {
        guard let preset = all.first(where: { $0.key == key.lowercased() }) else {
            throw .unknown(key, keys: all.map(\.key))
        }
        return preset
    }
}

/// Why there is no preset.
@nonexhaustive
public enum LimitsPresetError: Error, Hashable, Sendable {
    /// No preset has this key; `keys` are the existing ones.
    case unknown(String, keys: [String])
}

extension LimitsPresetError: CustomStringConvertible {
    /// One sentence for a person: the subject, the value and what to do.
    public var description: String {
        switch self {
        case .unknown(let key, let keys):
            "No preset of limits is called \(Excerpt(key)): there are \(keys.joined(separator: ", "))."
        }
    }
}
