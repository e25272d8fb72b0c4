/// The factor tables of the industry's saturation index.
enum SaturationFactor {
    /// The temperature factor for 0…53.3 °C; outside, the factor at the nearest end.
    static func temperature(celsius: Double) -> Double {
        interpolated(celsius * 1.8 + 32, temperatures)
    }

    /// The calcium factor for a hardness of 25…1000 mg/L; outside, the factor at the nearest end.
    static func calcium(_ hardness: Double) -> Double {
        interpolated(Transcendental.log10(hardness), calciums.map { (Transcendental.log10($0.0), $0.1) })
    }

    /// The alkalinity factor for a carbonate alkalinity of 25…1000 mg/L; outside, the factor at the nearest end.
    static func alkalinity(_ alkalinity: Double) -> Double {
        interpolated(Transcendental.log10(alkalinity), alkalinities.map { (Transcendental.log10($0.0), $0.1) })
    }

    /// In °F, like the table of the pool trade.
    private static let temperatures: [(Double, Double)] = [
        (32, 0), (37, 0.1), (46, 0.2), (53, 0.3), (60, 0.4), (66, 0.5), (76, 0.6), (84, 0.7), (94, 0.8), (105, 0.9),
        (128, 1.0),
    ]
    private static let calciums: [(Double, Double)] = [
        (25, 1.0), (50, 1.3), (75, 1.5), (100, 1.6), (150, 1.8), (200, 1.9), (300, 2.1), (400, 2.2), (800, 2.5),
        (1000, 2.6),
    ]
    private static let alkalinities: [(Double, Double)] = [
        (25, 1.4), (50, 1.7), (75, 1.9), (100, 2.0), (150, 2.2), (200, 2.3), (300, 2.5), (400, 2.6), (800, 2.9),
        (1000, 3.0),
    ]

    private static func interpolated(_ x: Double, _ rows: [(Double, Double)]) -> Double {
        guard let above = rows.firstIndex(where: { $0.0 >= x }) else { return rows[rows.count - 1].1 }
        guard above > 0 else { return rows[0].1 }
        let (low, high) = (rows[above - 1], rows[above])
        return low.1 + (high.1 - low.1) * (x - low.0) / (high.0 - low.0)
    }
}
