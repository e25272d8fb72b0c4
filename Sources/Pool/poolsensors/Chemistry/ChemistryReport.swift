import CommandSupport
import PoolModel
import WaterChemistry

/// The results of the computation.
struct ChemistryReport: Encodable {
    /// A saturation index.
    struct Index: Encodable {
        var value: Double
        var verdict: SaturationIndex.Verdict
        var carbonateAlkalinity: Double
        var isWithinStandard: Bool
        var assumptions: [String]

        init(_ index: SaturationIndex) {
            value = index.value
            verdict = index.verdict
            carbonateAlkalinity = index.carbonateAlkalinity
            isWithinStandard = index.isWithinStandard
            assumptions = index.assumptions
        }
    }

    var ph: Double
    var temperature: Double
    var chlorine: Double?
    /// The share of the free chlorine that is hypochlorous acid, 0…1, without stabiliser.
    var hypochlorousShare: Double
    /// The hypochlorous acid in mg/L; nil without a chlorine value, or with stabiliser.
    var hypochlorousAcid: Double?
    var chlorineAssumptions: [String]
    /// The saturation index as used in the industry; nil without hardness and alkalinity.
    var saturationIndex: Index?
    /// The calcite saturation index; nil without hardness and alkalinity.
    var calciteSaturationIndex: Index?
    var remarks: [String]

    init(_ water: WaterNumbers) throws {
        guard let ph = water.ph, let celsius = water.celsius else {
            throw CommandFailure("pH and temperature are missing: give them with --ph and --temperature")
        }
        self.ph = ph
        temperature = celsius
        chlorine = water.chlorine
        remarks = water.remarks
        let active = ActiveChlorine(
            freeChlorine: water.chlorine ?? 0, ph: ph, celsius: celsius, cyanuricAcid: water.cyanuricAcid)
        guard let active else {
            let chlorine = water.chlorine.map { ", chlorine \($0)" } ?? ""
            let acid = water.cyanuricAcid.map { ", cyanuric acid \($0)" } ?? ""
            throw CommandFailure(
                "water cannot have pH \(ph), \(celsius) °C\(chlorine)\(acid): give pH 0…14, -5…60 °C, 0…40 mg/L chlorine, "
                    + "0…1000 mg/L cyanuric acid")
        }
        hypochlorousShare = active.shareWithoutStabiliser
        hypochlorousAcid = water.chlorine == nil ? nil : active.milligramsPerLitre
        chlorineAssumptions = active.assumptions
        guard let calcium = water.calcium, let alkalinity = water.alkalinity else { return }
        let balance = WaterBalance(
            ph: ph, celsius: celsius, calciumHardness: calcium, totalAlkalinity: alkalinity,
            cyanuricAcid: water.cyanuricAcid ?? 0, dissolvedSolids: water.dissolved ?? 0, borates: water.borates ?? 0)
        do {
            saturationIndex = Index(try balance.saturationIndex())
            calciteSaturationIndex = Index(try balance.calciteSaturationIndex())
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The lines for a person.
    var lines: [String] {
        let percent = "\((hypochlorousShare * 1000).rounded() / 10) %"
        var lines = remarks.map(PlainText.oneLine)
        lines.append(
            "Hypochlorous acid: \(percent) of the free chlorine, at pH \(ph) and "
                + Quantity.temperature.textWithUnit(temperature))
        if let chlorine, let hypochlorousAcid {
            let amount = (hypochlorousAcid * 1000).rounded() / 1000
            lines.append("  of \(chlorine) mg/L free chlorine these are \(amount) mg/L")
        }
        lines += chlorineAssumptions.map { "  \($0)" }
        if let saturationIndex { lines += Self.lines("Saturation index", saturationIndex) }
        if let calciteSaturationIndex { lines += Self.lines("Calcite saturation index", calciteSaturationIndex) }
        if saturationIndex == nil {
            lines.append("For the saturation index give --calcium and --alkalinity, too.")
        }
        return lines
    }

    private static func lines(_ title: String, _ index: Index) -> [String] {
        let value = (index.value * 100).rounded() / 100
        let sign = value > 0 ? "+" : ""
        let words =
            switch index.verdict {
            case .corrosive: "the water dissolves plaster, grout and metal"
            case .scaling: "the water leaves scale"
            case .balanced: "balanced"
            }
        return ["\(title): \(sign)\(value), \(words)"] + index.assumptions.map { "  \($0)" }
    }
}
