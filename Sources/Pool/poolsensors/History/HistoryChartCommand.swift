import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import TerminalUI

/// Draws values over time.
struct HistoryChartCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "chart", abstract: "Draws the course of a device's values.",
        discussion: """
            A line for each quantity, from its least to its greatest value, corrected.
            Where the device was silent, the line has a gap.

            Example:
              poolsensors history chart Lagoon --last 7d
            """)

    @Argument(
        help: ArgumentHelp(
            "The device, by name or start of its id; the selected or the only one.", valueName: "device"))
    var device: String?

    @Option(
        help: ArgumentHelp("Only this quantity: \(Choice.words(Quantity.self)).", valueName: "quantity"),
        transform: { try Choice.read($0) })
    var quantity: Quantity?

    @OptionGroup var span: SpanOptions

    @Option(help: ArgumentHelp("The columns of a line.", valueName: "count"))
    var width = 60

    @Flag(help: "Use characters of ASCII only.")
    var ascii = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard (10...400).contains(width) else { throw ValidationError("--width is \(width), expected 10 to 400") }
    }

    func run(in context: CommandContext) async throws {
        let now = Timestamp.now
        let bounds = try span.bounds(at: now)
        let last = bounds.last ?? now
        let first = bounds.first ?? last.advanced(byMilliseconds: -86_400_000)
        let named = try await context.deviceWithReadings(self.device)
        let device: DeviceID
        if let named { device = named } else { device = try await context.names().soleDevice().id }
        var name = ""
        var all: [TimeSeries] = []
        for quantity in quantity.map({ [$0] }) ?? Quantity.allCases {
            let found = try await context.ask(
                .series(of: device, quantity, from: first, through: last, points: 4 * width))
            name = found.device
            // What the device never measured is not worth a chart, unless somebody asks for it.
            if self.quantity == nil, !quantity.facts.isUsual, found.series.points.isEmpty { continue }
            all.append(found.series)
        }
        if json.isOn { return try json.write(all.map { SeriesRecord(device: name, series: $0) }) }
        let isASCII = ascii || Capabilities(environment: context.environment, isTerminal: true).glyphs == .ascii
        for line in TimeSeriesChart.lines(all, of: name, columns: width, isASCII: isASCII) {
            Output.standard.line(line)
        }
    }
}

/// A time series with the name of its device, in JSON.
struct SeriesRecord: Encodable {
    let device: String
    let series: TimeSeries

    private enum Key: String, CodingKey { case device }

    func encode(to encoder: any Encoder) throws {
        try series.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(device, forKey: .device)
    }
}

/// Draws values over time as lines of text.
enum TimeSeriesChart {
    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let ramp: [Character] = [".", ":", "-", "=", "+", "*", "#", "@"]

    /// The lines: a heading, one for each quantity that has values, the ends of the span.
    static func lines(_ all: [TimeSeries], of device: String, columns: Int, isASCII: Bool) -> [String] {
        guard let any = all.first else { return [] }
        let lines = all.compactMap { line($0, columns: columns, isASCII: isASCII) }
        guard !lines.isEmpty else {
            return [
                "There is no reading of \(PlainText.oneLine(device)) from \(MomentText.of(any.first)) to "
                    + "\(MomentText.of(any.last))."
            ]
        }
        let (start, end) = (MomentText.of(any.first), MomentText.of(any.last))
        let gap = String(repeating: " ", count: max(2, columns - start.count - end.count))
        let isWhole = all.allSatisfy { $0.points.allSatisfy(\.isExact) }
        return [PlainText.oneLine(device)] + lines + [String(repeating: " ", count: margin) + start + gap + end]
            + (isWhole ? [] : ["Some of it is made of summaries: the readings are gone by age."])
    }

    private static let margin = 13

    private static func line(_ series: TimeSeries, columns: Int, isASCII: Bool) -> String? {
        let values = values(series, columns: columns)
        let known = values.compactMap(\.self)
        guard let low = known.min(), let high = known.max(), let newest = known.last else { return nil }
        let glyphs = isASCII ? ramp : blocks
        var text = series.quantity.name
        text += String(repeating: " ", count: max(1, margin - text.count))
        for value in values {
            guard let value else {
                text += " "
                continue
            }
            // Almost constant values are a line in the middle.
            let share = high - low < 1e-9 ? 0.5 : (value - low) / (high - low)
            text.append(glyphs[min(7, Int(share * 8))])
        }
        let quantity = series.quantity
        let least = series.points.map(\.least).min() ?? low
        let greatest = series.points.map(\.greatest).max() ?? high
        let symbol = isASCII ? quantity.asciiUnit : quantity.unit
        let unit = symbol.isEmpty ? "" : " \(symbol)"
        return text + "  \(quantity.text(least)) to \(quantity.text(greatest)), last "
            + "\(quantity.text(newest))\(unit)"
    }

    /// The mean of each column; nil if the device was silent.
    ///
    /// The last column with a sample has the newest value, which a mean would hide.
    static func values(_ series: TimeSeries, columns: Int) -> [Double?] {
        let length = max(1, series.last.milliseconds(since: series.first))
        var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: columns)
        var isAfterGap = [Bool](repeating: false, count: columns)
        for point in series.points where point.mean.isFinite {
            let middle = point.start.advanced(byMilliseconds: (series.bucketMilliseconds ?? 0) / 2)
            let share = Double(middle.milliseconds(since: series.first)) / Double(length)
            let column = min(columns - 1, max(0, Int(share * Double(columns))))
            if sums[column].count == 0 { isAfterGap[column] = point.isAfterGap }
            sums[column].sum += point.mean * Double(point.count)
            sums[column].count += point.count
        }
        var means = sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) }
        // Empty columns between two connected samples are not a gap of the device.
        var known: Int?
        for column in means.indices where means[column] != nil {
            if let known, !isAfterGap[column] {
                for empty in known + 1..<max(known + 1, column) { means[empty] = means[known] }
            }
            known = column
        }
        if let known, let newest = series.newest, newest.isFinite { means[known] = newest }
        return means
    }
}
