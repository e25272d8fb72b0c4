/// Text of measurements.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
package struct MetricsText {
    package enum Kind: String {
        case gauge
        case counter
    }

    package private(set) var text = ""
    private var name = ""
    private var seen: Set<String> = []

    /// Begins without measurements.
    package init() {}

    /// Begins the samples of a name.
    package mutating func family(_ name: String, _ help: String, _ kind: Kind) {
        self.name = name
        seen = []
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample; of equal labels the first one counts, because a second one would spoil all.
    package mutating func sample(_ labels: [String: String] = [:], value: Double) {
        let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
        let line = name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}")
        guard seen.insert(line).inserted else { return }
        text += "\(line) \(value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)")\n"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n", "\r", "\r\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}
