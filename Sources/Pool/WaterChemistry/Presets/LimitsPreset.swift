public import PoolModel

/// Limits for one kind of pool, by one authority.
///
/// A quantity about which an authority says nothing, and for which nothing is right in general, has no limits here:
/// anybody who applies the preset leaves those of the device alone.
public struct LimitsPreset: Hashable, Sendable {
    /// The stable name for programs; lower case with hyphens.
    public var key: String
    /// What it is for, for people.
    public var title: String
    /// Where the numbers come from, one sentence.
    public var source: String
    /// How the limits that the source does not give were chosen, one sentence or more.
    public var note: String
    /// The limits of each quantity that has some; always ordered.
    public var limits: QuantityMap<Limits>

    /// How far a value must come back inside a limit before its alert ends: pH 0.05, chlorine 0.1, ORP 15, °C 0.5.
    ///
    /// It is less than half of each normal range, so that an alert can always end.
    public var hysteresis: QuantityMap<Double> {
        limits.compactMapValues { $0 }.pairs.reduce(into: [:]) { $0[$1.quantity] = Self.hysteresis(of: $1.quantity) }
    }

    /// The usual hysteresis of a quantity, in its unit.
    public static func hysteresis(of quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 0.5
        case .ph: 0.05
        case .chlorine: 0.1
        case .orp: 15
        }
    }

    /// The preset with this key; case does not matter.
    /// - Throws: ``LimitsPresetError/unknown(_:keys:)``, which lists the keys.
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
    /// No preset has this key; `keys` are those that exist.
    case unknown(String, keys: [String])
}

extension LimitsPresetError: CustomStringConvertible {
    /// One sentence for a person: the thing, the value and the way out.
    public var description: String {
        switch self {
        case .unknown(let key, let keys):
            "No preset of limits is called \(Excerpt(key)): there are \(keys.joined(separator: ", "))."
        }
    }
}
