import PoolModel

extension LimitsPreset {
    /// The presets; those for private pools come first.
    public static let all: [LimitsPreset] = [
        privateEU, privateUS, stabilised, spa, salt, bromine, who, din, austria, switzerland, france, quebec, montana,
    ]

    /// A chlorinated private pool in Europe.
    static let privateEU = LimitsPreset(
        key: "private-eu", title: "Private chlorinated pool, Europe",
        source: "Usual bands of private chlorinated pools; 5 mg/L chlorine and pH 7.8 as most national advice has "
            + "them.",
        note: "The low chlorine limits are those of water without stabiliser. Temperature warns below 18 °C, and is "
            + "critical where water may freeze or a person overheats.",
        limits: [.temperature: poolTemperature, .ph: poolPH, .chlorine: limits(0.3, 0.5, 3, 5), .orp: poolORP])

    /// A chlorinated private pool in the United States.
    static let privateUS = LimitsPreset(
        key: "private-us", title: "Private chlorinated pool, United States",
        source: "ANSI/APSP-11 (pH 7.2–7.8; free chlorine at least 1, ideally 2–4 mg/L) and the CDC (at most 10 mg/L).",
        note: "Chlorine: the minimum of 1 and the closure at 10 are critical, the ideal range is normal. pH: the outer "
            + "limits are 0.2 beyond. ORP is for information there: the usual bands of private pools.",
        limits: [
            .temperature: poolTemperature, .ph: limits(7.0, 7.2, 7.8, 8.0), .chlorine: limits(1, 2, 4, 10),
            .orp: poolORP,
        ])

    /// A pool with cyanuric acid.
    static let stabilised = LimitsPreset(
        key: "stabilised", title: "Outdoor pool with stabiliser (cyanuric acid)",
        source: "CDC: free chlorine at least 2 mg/L with cyanuric acid, at most 10; cyanuric acid at most 90 mg/L.",
        note: "Chlorine: critical below 1, half the minimum; a warning above 5. pH, ORP and temperature as in a "
            + "private "
            + "pool; ORP may read lower with much stabiliser.",
        limits: [.temperature: poolTemperature, .ph: poolPH, .chlorine: limits(1, 2, 5, 10), .orp: poolORP])

    /// A hot tub.
    static let spa = LimitsPreset(
        key: "spa", title: "Spa or hot tub, chlorinated",
        source: "CDC and WHO 2006: free chlorine 3–5 mg/L, pH 7.2–7.8, water at most 40 °C, closure at 10 mg/L.",
        note: "Chlorine: critical below 2. pH: the outer limits are 0.2 beyond. More than 40 °C is critical at once; "
            + "below 34 °C only warns, down to freezing. ORP as in a private pool.",
        limits: [
            .temperature: limits(1, 34, 40, 40), .ph: limits(7.0, 7.2, 7.8, 8.0), .chlorine: limits(2, 3, 5, 10),
            .orp: poolORP,
        ])

    /// A private pool with a salt electrolysis cell.
    static let salt = LimitsPreset(
        key: "salt", title: "Private pool with salt electrolysis",
        source: "A salt cell makes the same free chlorine, so the bands of private chlorinated pools hold.",
        note: "Normal chlorine begins at 1 mg/L, because such pools are mostly stabilised. pH rises by itself there "
            + "and "
            + "its limits stay. In brine of more than 5 g/L chloride ORP must be found by experiment.",
        limits: [.temperature: poolTemperature, .ph: poolPH, .chlorine: limits(0.5, 1, 3, 5), .orp: poolORP])

    /// A pool or spa with bromine.
    static let bromine = LimitsPreset(
        key: "bromine", title: "Pool or spa with bromine",
        source: "WHO 2006: pH 7.2–8.0 with bromine; a hot tub at most 40 °C.",
        note: "No chlorine limits: there is no free chlorine, and bromine is not measured here. pH: the outer limits "
            + "are "
            + "0.2 beyond. ORP: the usual bands of private pools. Temperature serves pool and spa alike.",
        limits: [
            .temperature: limits(1, 18, 40, 40), .ph: limits(7.0, 7.2, 8.0, 8.2), .orp: poolORP,
        ])

    /// Freezing and overheating are critical; 18…30 °C is normal.
    static let poolTemperature = limits(1, 18, 30, 40)
    static let poolPH = limits(6.8, 7.0, 7.6, 7.8)
    static let poolORP = limits(600, 650, 800, 900)

    static func limits(_ criticalLow: Double, _ low: Double, _ high: Double, _ criticalHigh: Double) -> Limits {
        Limits(criticalLow: criticalLow, low: low, high: high, criticalHigh: criticalHigh)
    }
}
