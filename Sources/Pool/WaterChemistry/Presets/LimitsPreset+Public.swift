import PoolModel

extension LimitsPreset {
    /// The guidelines of the World Health Organization.
    static let who = LimitsPreset(
        key: "who", title: "WHO guidelines, chlorinated pool",
        source: "WHO, Guidelines for safe recreational water environments, volume 2 (2006): pH 7.2–7.8, free chlorine "
            + "at most 3 mg/L, ORP above 720 mV (Ag/AgCl).",
        note: "pH: the outer limits are 0.2 beyond. Chlorine: the low limits are those of private pools, critical "
            + "above "
            + "5, the limit of hot tubs. ORP: critical below 680, above as in private pools.",
        limits: [
            .ph: limits(7.0, 7.2, 7.8, 8.0), .chlorine: limits(0.3, 0.5, 3, 5), .orp: limits(680, 720, 800, 900),
        ])

    /// The German standard for public pools.
    static let din = LimitsPreset(
        key: "din-19643", title: "DIN 19643, public pool",
        source: "DIN 19643-1:2023: pH 6.5–7.5 (iron flocculant; 7.2 with aluminium), free chlorine 0.3–0.6 mg/L, ORP "
            + "at "
            + "least 750 mV up to pH 7.3 and 770 above.",
        note: "Only permitted ranges are given. pH: the outer limits are 0.2 beyond; chlorine: 0.2 and 1.2 mg/L, the "
            + "latter an Austrian maximum; ORP: 50 mV below the minimum, above as in private pools.",
        limits: [
            .ph: limits(6.3, 6.5, 7.5, 7.7), .chlorine: limits(0.2, 0.3, 0.6, 1.2), .orp: limits(700, 750, 850, 900),
        ])

    /// The Austrian ordinance.
    static let austria = LimitsPreset(
        key: "austria", title: "Austria, BHygV, public pool",
        source: "Austrian bathing hygiene ordinance: pH 6.5–7.8, free chlorine at least 0.3 mg/L (0.5 above pH 7.4), "
            + "at "
            + "most 1.2 indoors and 2.0 outdoors, ORP at least 700 mV.",
        note: "Chlorine: below 0.3 is critical, below 0.5 warns at any pH; above 1.2 warns, above 2.0 is critical. pH: "
            + "the outer limits are 0.2 beyond; ORP: 50 mV below, above as in private pools.",
        limits: [
            .ph: limits(6.3, 6.5, 7.8, 8.0), .chlorine: limits(0.3, 0.5, 1.2, 2), .orp: limits(650, 700, 850, 900),
        ])

    /// The Swiss standard.
    static let switzerland = LimitsPreset(
        key: "switzerland", title: "Switzerland, SIA 385/9, public pool",
        source: "SIA 385/9: pH 6.8–7.6, free chlorine 0.2–0.8 mg/L (whirlpools 0.7–1.5), ORP at least 750 mV, 770 "
            + "above "
            + "pH 7.3.",
        note: "Only permitted ranges are given. pH: the outer limits are 0.2 beyond; chlorine: 0.1 and the 1.5 mg/L of "
            + "whirlpools; ORP: 50 mV below the minimum, above as in private pools.",
        limits: [
            .ph: limits(6.6, 6.8, 7.6, 7.8), .chlorine: limits(0.1, 0.2, 0.8, 1.5), .orp: limits(700, 750, 850, 900),
        ])

    /// The rules of the French health agencies.
    static let france = LimitsPreset(
        key: "france-ars", title: "France, ARS, public pool with stabiliser",
        source: "French regional health agencies: pH 6.9–7.7, free chlorine at least 2 mg/L with stabiliser; active "
            + "chlorine 0.4–1.4 mg/L without.",
        note: "The chlorine limits are for stabilised water, because 0.4–1.4 is active and not free chlorine: critical "
            + "below 1, normal up to 4, critical above 5. pH: the outer limits are 0.2 beyond. ORP is not regulated.",
        limits: [.ph: limits(6.7, 6.9, 7.7, 7.9), .chlorine: limits(1, 2, 4, 5)])

    /// Québec, for water above 35 °C.
    static let quebec = LimitsPreset(
        key: "quebec-hot", title: "Québec, water above 35 °C",
        source: "Québec regulation for water above 35 °C: free chlorine 2.0–3.0 mg/L, ORP above 750 mV.",
        note: "Chlorine: critical below 1 and above 5. ORP: 50 mV below, above as in private pools. Temperature: "
            + "normal from 35 °C to the 40 °C of hot tubs, beyond which it is critical.",
        limits: [
            .temperature: limits(1, 35, 40, 40), .chlorine: limits(1, 2, 3, 5), .orp: limits(700, 750, 850, 900),
        ])

    /// The rules of Montana.
    static let montana = LimitsPreset(
        key: "montana", title: "Montana, public pool",
        source: "Montana rule 37.115.1308: pH 7.2–7.8, ideal 7.4–7.6; free chlorine 2–8, ideal 3–5 mg/L; ORP at least "
            + "650, ideal up to 750 mV; pool at most 37.8 °C.",
        note: "The ideal range is normal, leaving the permitted one is critical. ORP: critical above 900, as in "
            + "private "
            + "pools. Temperature: below as in private pools.",
        limits: [
            .temperature: limits(1, 18, 30, 37.8), .ph: limits(7.2, 7.4, 7.6, 7.8), .chlorine: limits(2, 3, 5, 8),
            .orp: limits(650, 650, 750, 900),
        ])
}
