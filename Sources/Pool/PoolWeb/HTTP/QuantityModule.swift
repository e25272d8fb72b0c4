import PoolModel
import WebServer

/// The module of the page's script that holds the table of the quantities, and the systems of units.
///
/// The page reads names, units, digits, and how a probe is calibrated, from the rows that everything else reads. The API
/// speaks the units in which values are stored; what a browser shows and takes is converted by these factors.
enum QuantityModule {
    /// Its name.
    static let name = "quantities.js"

    /// Its text: the keys in order, what is true of each quantity by its key, and the systems of units with the one that
    /// a browser shows before anybody has chosen.
    static var text: String {
        var systems: [(key: String, units: DisplayUnits)] = [
            ("metric", .metric), ("us", DisplayUnits("us") ?? .metric),
        ]
        let own = DisplayUnits.current
        // A house with a choice of its own offers it, too.
        if !systems.contains(where: { $0.units == own }) { systems.insert(("house", own), at: 0) }
        let first = systems.first { $0.units == own }?.key ?? "metric"
        let rows = Quantity.allCases.map { quantity in
            let methods = quantity.facts.calibrationMethods.filter { $0 != .manual }
            let row = Row(
                name: quantity.facts.name.both, methods: methods.map(\.rawValue),
                help: methods.first.map { help(with: quantity.facts.calibrationGuide, by: $0) },
                units: Dictionary(
                    uniqueKeysWithValues: systems.map { ($0.key, $0.units.conversion(of: quantity)) }))
            return "\(quantity.rawValue): \(json(row))"
        }
        let volumes = Dictionary(
            uniqueKeysWithValues: systems.map { system in
                (
                    system.key,
                    Volume(symbol: system.units.volume.rawValue, factor: system.units.volume.countInCubicMetre)
                )
            })
        return """
            export const quantities = \(json(Quantity.allCases.map(\.rawValue)))
            export const quantityRows = {
            \(rows.joined(separator: ",\n"))
            }
            export const volumeUnits = \(json(volumes))
            export const unitSystems = \(json(systems.map(\.key)))
            export const unitsOfHouse = \(json(first))

            """
    }

    /// The first comparison of a method.
    private static func help(with guide: CalibrationGuide, by method: Calibration.Method) -> [String] {
        zip(guide.preparation(of: 0, by: method).both, guide.measuring.both).map { "\($0) \($1)" }
    }

    /// A row of the table for the page.
    private struct Row: Encodable {
        /// The name in English and in French.
        var name: [String]
        /// The methods of calibration that the wizard offers, the usual one first.
        var methods: [String]
        /// How a person compares the probe with a reference, in English and in French.
        var help: [String]?
        /// How values are shown, by the system of units.
        var units: [String: DisplayUnits.Conversion]
    }

    private struct Volume: Encodable {
        var symbol: String
        /// How many of it a cubic metre is.
        var factor: Double
    }

    private static func json(_ value: some Encodable) -> String {
        String(decoding: CanonicalJSON.bytes(ofEncodable: value), as: UTF8.self)
    }
}

extension QuantityFacts.Words {
    /// In English and in French.
    fileprivate var both: [String] { [english, french] }
}
