import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Lists readings.
struct HistoryListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists readings, newest first, corrected and raw.",
        discussion: """
            Where a calibration changed a value, the one that the device sent stands
            behind it in parentheses. Times are local, with the offset from UTC; with
            --json they are in UTC. With --last, --from or --to it lists all readings of
            that time, 10000 at most unless --limit says otherwise, else the newest 20.

            Example:
              poolsensors history list Lagoon --limit 100
              poolsensors history list Lagoon --last 24h
            """)

    @Argument(help: ArgumentHelp("The device, by name or start of its id; all if left out.", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("How many readings to list.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("The same as --to.", valueName: "moment"))
    var before: String?

    @OptionGroup var span: SpanOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if let limit, !(1...1_000_000).contains(limit) {
            throw ValidationError("--limit is \(limit), expected 1 to 1000000")
        }
        if before != nil, span.to != nil || span.last != nil {
            throw ValidationError("--before goes without --to and --last")
        }
        if let before, MomentText.moment(before) == nil {
            throw ValidationError("--before is \"\(before)\", expected \(MomentText.expected)")
        }
    }

    func run(in context: CommandContext) async throws {
        let bounds = try span.bounds(at: .now)
        let first = bounds.first
        var place = (before.flatMap { MomentText.moment($0) } ?? bounds.last)
            .map { HistoryPlace(sampledAt: $0, ordinal: UInt64(Int64.max)) }
        let device = try await context.deviceWithReadings(device)
        let countMax = limit ?? (span.isEmpty ? 20 : 10_000)
        var left = countMax
        var shown: [HistoryRow] = []
        while left > 0 {
            // Several readings may be one line, and the last line may lack some.
            let count = min(json.isOn ? left : (left + 1) * Quantity.allCases.count, HistoryRequest.pageMax)
            let found: Int
            if json.json, first == nil {
                let lines = try await context.ask(.readingLines(of: device, before: place, limit: count))
                Output.standard.write(lines.text)
                (found, place) = (lines.count, lines.last)
            } else {
                let page = try await context.ask(.readings(of: device, before: place, limit: count))
                let rows = page.prefix { row in first.map { row.sampledAt >= $0 } ?? true }
                if json.isOn { for row in rows { try json.write(row) } } else { shown += rows }
                (found, place) = (rows.count, rows.last?.place)
            }
            guard found == count else { break }
            left = json.isOn ? left - count : countMax + 1 - shown.joined().count
        }
        let isCut = json.isOn ? left == 0 : shown.joined().count > countMax
        if isCut, limit == nil, !span.isEmpty {
            Output.errors.line("poolsensors: these are the newest 10000 of that time: --limit lists more")
        }
        if json.isOn { return }
        let lines = Array(shown.joined().prefix(countMax))
        for line in HistoryFormatter.lines(lines, at: .now) { Output.standard.line(line) }
    }
}

/// Formats the history as text.
enum HistoryFormatter {
    static func lines(_ rows: [HistoryRow], at now: Timestamp) -> [String] {
        guard !rows.isEmpty else { return ["There is no reading yet."] }
        let quantities = Quantity.listed { quantity in rows.contains { $0.raw[quantity] != nil } }
        var table = TextTable(
            headings: ["when", "", "device"] + quantities.map { $0.unit.isEmpty ? $0.name : $0.unit })
        for row in rows {
            table.add(
                cells: [
                    MomentText.of(row.sampledAt) + (row.timeQuality == .device ? "" : "~"),
                    HistoryTime.ago(row.sampledAt, at: now), row.device,
                ] + quantities.map { value(of: $0, row) })
        }
        let isEstimated = rows.contains { $0.timeQuality != .device }
        return table.lines + (isEstimated ? ["~ The device did not say when: the time of arrival."] : [])
    }

    /// The corrected value, and the raw one if it looks different.
    static func value(of quantity: Quantity, _ row: HistoryRow) -> String {
        guard let raw = row.raw[quantity] else { return "" }
        let corrected = quantity.text(row.corrected[quantity] ?? raw)
        return corrected == quantity.text(raw) ? corrected : "\(corrected) (\(quantity.text(raw)))"
    }

    /// A number of bytes as text for people.
    static func bytes(_ count: Int) -> String {
        ByteCountText.of(UInt64(max(0, count)))
    }
}
