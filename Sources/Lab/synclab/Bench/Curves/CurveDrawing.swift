import Foundation

/// A curve as a picture: SVG, both axes logarithmic, each line beside its own value at the smallest size.
struct CurveDrawing {
    private static let (width, height) = (720.0, 360.0)
    private static let (left, right, top, bottom) = (56.0, 250.0, 24.0, 44.0)
    private static let colors = ["#0b6e8f", "#b3541e", "#3d7a34", "#7a3d8f", "#8f6b0b"]

    private let curve: Curve

    init(_ curve: Curve) { self.curve = curve }

    /// The text of the file.
    var svg: String {
        let lines = curve.lines.map { line in
            let first = line.points.first?.value ?? 1
            return (
                line,
                line.points.map { Curve.Point(size: $0.size, value: $0.value / max(first, .leastNormalMagnitude)) }
            )
        }
        let sizes = lines.flatMap { $0.1.map(\.size) }
        let values = lines.flatMap { $0.1.map(\.value) }
        let xs = Axis(
            Double(sizes.min() ?? 1)...Double(sizes.max() ?? 1), at: Self.left, Self.width - Self.right)
        let ys = Axis(
            min(0.5, values.min() ?? 1)...max(2, values.max() ?? 2), at: Self.height - Self.bottom, Self.top)
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(Self.width))" height="\(Int(Self.height))" \
            viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" font-family="sans-serif" font-size="12" role="img">
            """,
            "<title>What depends on the number of \(curve.size)</title>",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        ]
        for tick in xs.ticks {
            let x = Self.text(xs.place(of: tick))
            parts.append("<path d=\"M\(x) \(Self.top)V\(Self.height - Self.bottom)\" stroke=\"#dddddd\"/>")
            parts.append(label(Self.number(tick), x: x, y: Self.text(Self.height - Self.bottom + 16), "middle"))
        }
        for tick in ys.ticks {
            let y = Self.text(ys.place(of: tick))
            parts.append("<path d=\"M\(Self.left) \(y)H\(Self.width - Self.right)\" stroke=\"#dddddd\"/>")
            parts.append(
                label(
                    "× " + Self.number(tick), x: Self.text(Self.left - 6), y: Self.text(ys.place(of: tick) + 4), "end"))
        }
        parts.append(
            label(
                curve.size, x: Self.text((Self.left + Self.width - Self.right) / 2), y: Self.text(Self.height - 8),
                "middle"))
        for (index, (line, points)) in lines.enumerated() {
            let color = Self.colors[index % Self.colors.count]
            let places = points.map {
                "\(Self.text(xs.place(of: Double($0.size)))),\(Self.text(ys.place(of: $0.value)))"
            }
            parts.append(
                "<polyline points=\"\(places.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>"
            )
            let x = Self.text(Self.width - Self.right + 12)
            let y = Self.top + 14 + Double(index) * 50
            parts.append("<rect x=\"\(x)\" y=\"\(Self.text(y - 9))\" width=\"10\" height=\"10\" fill=\"\(color)\"/>")
            for (row, words) in [line.name, Self.range(line)].enumerated() {
                parts.append(
                    label(
                        words, x: Self.text(Self.width - Self.right + 28), y: Self.text(y + Double(row) * 16), "start"))
            }
        }
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    /// The value at the smallest size, and where the line bends.
    static func range(_ line: Curve.Line) -> String {
        guard let first = line.points.first else { return "" }
        let bend = line.bend.map { "bends at \(number(Double($0)))" } ?? "does not bend"
        return "\(BenchOutput.text(first.value)) \(line.unit), \(bend)"
    }

    private func label(_ words: String, x: String, y: String, _ anchor: String) -> String {
        let escaped = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"#222222\">\(escaped)</text>"
    }

    /// A size such as `10k`.
    private static func number(_ value: Double) -> String {
        switch value {
        case 1_000_000...: BenchOutput.text(value / 1_000_000) + "M"
        case 10_000...: BenchOutput.text(value / 1000) + "k"
        default: BenchOutput.text(value)
        }
    }

    private static func text(_ place: Double) -> String { BenchOutput.text((place * 10).rounded() / 10) }

    /// A logarithmic axis between two places of the picture.
    private struct Axis {
        private let values: ClosedRange<Double>
        private let (first, last): (Double, Double)

        init(_ values: ClosedRange<Double>, at first: Double, _ last: Double) {
            // One value alone stands at the beginning.
            self.values = values.lowerBound...max(values.upperBound, values.lowerBound * 2)
            (self.first, self.last) = (first, last)
        }

        func place(of value: Double) -> Double {
            first + (last - first) * log(value / values.lowerBound) / log(values.upperBound / values.lowerBound)
        }

        /// Powers of ten, or of two where there are few of them.
        var ticks: [Double] {
            for base in [10.0, 2] {
                let powers = (-30...60).map { pow(base, Double($0)) }.filter(values.contains)
                if powers.count > 2 || base == 2 { return powers }
            }
            return []
        }
    }
}
