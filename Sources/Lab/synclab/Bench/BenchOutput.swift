import CommandSupport
import Foundation

/// Prints each result at once.
struct BenchOutput {
    let isJSON: Bool

    func began(_ row: any BenchRow) {
        guard !isJSON else { return }
        Output.standard.line("\(type(of: row).name): \(type(of: row).summary)")
    }

    func print(_ result: BenchResult, of row: String) {
        var result = result
        result.row = row
        guard !isJSON else {
            do {
                Output.standard.line(try JSONText.line(result))
            } catch {
                preconditionFailure("a result has no form in JSON: \(error)")
            }
            return
        }
        var line = "  \(Self.padded(result.name, 30)) \(Self.text(result.engine)) \(result.unit)"
        if let raw = result.raw, let rawName = result.rawName {
            line += "; \(rawName) \(Self.text(raw))"
        }
        if let ratio = result.ratio { line += "; ratio \(Self.text(ratio))" }
        if let goal = result.goal, let isMet = result.isMet {
            line += ", goal \(goal)\(isMet ? "" : ": missed")"
        }
        Output.standard.line(line)
    }

    /// Prints a curve: a line for each measurement, with its value at each size.
    func print(_ curve: Curve) throws {
        guard !isJSON else { return Output.standard.line(try JSONText.line(curve)) }
        Output.standard.line("\(curve.name): what depends on the number of \(curve.size)")
        for line in curve.lines {
            let points = line.points.map { "\($0.size): \(Self.text($0.value))" }.joined(separator: ", ")
            let bend = line.bend.map { "bends at \($0)" } ?? "does not bend"
            Output.standard.line("  \(Self.padded(line.name, 30)) \(line.unit); \(points); \(bend)")
        }
    }

    private static func text(_ spread: Spread) -> String {
        "\(text(spread.median)) (\(text(spread.lowest))…\(text(spread.highest)))"
    }

    /// A number with three significant digits, or with all digits before the decimal point.
    static func text(_ number: Double) -> String {
        guard abs(number) < 100 else { return "\(Int(number.rounded()))" }
        let digits = abs(number) < 1 ? 3 : abs(number) < 10 ? 2 : 1
        let style = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en"))
        return number.formatted(style.precision(.fractionLength(0...digits)).grouping(.never))
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
