/// A pH buffer solution, whose value depends on its temperature.
///
/// The standard ones are only suggestions: the value on the bottle counts, and a caller may use its own table.
public struct CalibrationBuffer: Hashable, Sendable {
    /// The value of a buffer at one temperature.
    public struct Row: Hashable, Sendable {
        /// The temperature in °C.
        public var celsius: Double
        /// The pH there.
        public var ph: Double

        /// Creates a row.
        public init(celsius: Double, ph: Double) {
            self.celsius = celsius
            self.ph = ph
        }
    }

    /// The value at 25 °C, as on the label.
    public var nominal: Double
    /// The table, in the order of rising temperature.
    public let rows: [Row]

    /// Creates a buffer; the rows are sorted by temperature.
    public init(nominal: Double, rows: [Row]) {
        self.nominal = nominal
        self.rows = rows.sorted { $0.celsius < $1.celsius }
    }

    /// The pH at a temperature, linear between the rows; nil outside the table.
    public func ph(atCelsius celsius: Double) -> Double? {
        guard let first = rows.first, celsius >= first.celsius else { return nil }
        guard let above = rows.firstIndex(where: { $0.celsius >= celsius }) else { return nil }
        guard above > 0 else { return rows[0].ph }
        let (low, high) = (rows[above - 1], rows[above])
        return low.ph + (high.ph - low.ph) * (celsius - low.celsius) / (high.celsius - low.celsius)
    }

    /// The buffer of pH 4.01, 20…30 °C.
    public static let acid = CalibrationBuffer(nominal: 4.01, rows: table([(20, 4.00), (25, 4.01), (30, 4.02)]))

    /// The buffer of pH 7.00, 5…40 °C.
    ///
    /// Source: the table of American technical buffers that meters contain; the values up to 30 °C agree with the
    /// bottles.
    public static let neutral = CalibrationBuffer(
        nominal: 7.00,
        rows: table([
            (5, 7.09), (10, 7.06), (15, 7.04), (20, 7.02), (25, 7.00), (30, 6.99), (35, 6.99), (40, 6.98),
        ]))

    /// The buffer of pH 10.01, 5…40 °C; from the same table.
    public static let alkaline = CalibrationBuffer(
        nominal: 10.01,
        rows: table([
            (5, 10.25), (10, 10.18), (15, 10.12), (20, 10.06), (25, 10.01), (30, 9.97), (35, 9.93), (40, 9.89),
        ]))

    private static func table(_ pairs: [(Double, Double)]) -> [Row] {
        pairs.map { Row(celsius: $0.0, ph: $0.1) }
    }
}
