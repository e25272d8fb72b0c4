public import PoolModel

/// The messages of a simulated probe, in the two formats that `PayloadDecoder` reads.
public enum ProbePayload {
    /// A flat JSON object; the key of the pH is `ph`, and `timestamp` is ISO 8601 in UTC with milliseconds.
    ///
    /// Values that are not finite are left out.
    public static func json(_ values: QuantityMap<Double>, at moment: Timestamp) -> [UInt8] {
        let members = finite(values).map { "\"\($0.quantity.rawValue)\":\(number($0.value))" }
        return Array("{\((members + ["\"timestamp\":\"\(moment.iso8601)\""]).joined(separator: ","))}".utf8)
    }

    /// The text format `temp:24.5,ph:7.2,chlorine:1.8`, which has no time.
    ///
    /// Values that are not finite are left out.
    public static func text(_ values: QuantityMap<Double>) -> [UInt8] {
        let pieces = finite(values).map { quantity, value in
            "\(quantity == .temperature ? "temp" : quantity.rawValue):\(number(value))"
        }
        return Array(pieces.joined(separator: ",").utf8)
    }

    private static func finite(_ values: QuantityMap<Double>) -> [(quantity: Quantity, value: Double)] {
        values.pairs.filter(\.value.isFinite)
    }

    /// The shortest digits that represent exactly this number, without an unnecessary `.0`.
    private static func number(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
