import PoolControl
import PoolModel
import WebServer

/// Readings.
struct HistoryRoutes: Sendable {
    let hub: HubWatcher
    let accounts: AccountStore
    let streams: StreamPlaces
    let clock: @Sendable () -> Timestamp

    private struct Readings: Encodable {
        var readings: [HistoryRow]
        var cursor: String?

        private enum CodingKeys: CodingKey { case readings, cursor }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(readings, forKey: .readings)
            try container.encode(cursor, forKey: .cursor)
        }
    }

    private struct Series: Encodable {
        let device: String
        let series: TimeSeries

        private enum CodingKeys: CodingKey { case device }

        func encode(to encoder: any Encoder) throws {
            try series.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(device, forKey: .device)
        }
    }

    /// The readings of one page of a file.
    private static let exportPage = 1000
    private static let day: Int64 = 86_400_000

    func readings(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let device = try context.device(id, in: try hub.snapshot().state)
        let (from, to, quantity) = (try context.time("from"), try context.time("to"), try context.quantity())
        let limit = try context.number("limit")
        var place = to.map { HistoryPlace(sampledAt: $0, ordinal: UInt64(Int64.max)) }
        if let cursor = context.parameter("cursor") {
            guard let known = Self.place(cursor) else {
                throw context.wrong("cursor", cursor, "the cursor of the page before")
            }
            place = known
        }
        let page = try await hub.ask(.readings(of: device.id, before: place, limit: limit))
        var rows = page.filter { row in from.map { row.sampledAt >= $0 } ?? true }
        let isEnd = page.count < limit || rows.count < page.count
        if let quantity {
            rows = rows.compactMap { row in
                guard let raw = row.raw[quantity] else { return nil }
                var only = row
                only.raw = [quantity: raw]
                only.corrected = [quantity: row.corrected[quantity] ?? raw]
                return only
            }
        }
        let cursor = isEnd ? nil : page.last.map { "\($0.sampledAt.milliseconds).\($0.ordinal)" }
        return try .json(Readings(readings: rows, cursor: cursor))
    }

    func series(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let snapshot = try hub.snapshot()
        let device = try context.device(id, in: snapshot.state)
        guard let quantity = try context.quantity() else { throw context.lacks("quantity") }
        let last = try context.time("to") ?? snapshot.now()
        let first = try context.time("from") ?? last.advanced(byMilliseconds: -Self.day)
        guard first <= last else { throw context.wrong("from", first.iso8601, "a time before \(last.iso8601)") }
        let points = try context.number("points")
        let (name, series) = try await hub.ask(
            .series(of: device.id, quantity, from: first, through: last, points: points))
        return try .json(Series(device: name, series: series))
    }

    func export(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let device = try context.device(id, in: try hub.snapshot().state)
        let (from, to) = (try context.time("from"), try context.time("to"))
        let start = to.map { HistoryPlace(sampledAt: $0, ordinal: UInt64(Int64.max)) }
        let held = try streams.take(context.account)
        return WebResponse.streaming("text/csv; charset=utf-8") { [self] stream in
            defer { withExtendedLifetime(held) {} }
            var place = start
            let columns = ["Timestamp", "Device"] + device.listedQuantities.map(\.name)
            try await stream.write(Array((columns.joined(separator: ",") + "\r\n").utf8))
            while true {
                // A long file ends when its account loses its rights.
                guard let account = try await accounts.account(of: context, at: clock()),
                    account.level(of: device.device.poolID) != nil
                else { throw CancellationError() }
                let rows = try await hub.ask(.readings(of: device.id, before: place, limit: Self.exportPage))
                let wanted = rows.prefix { row in from.map { row.sampledAt >= $0 } ?? true }
                if !wanted.isEmpty {
                    try await stream.write(
                        Array(wanted).joined().flatMap { Self.line($0, of: device.listedQuantities) })
                }
                guard wanted.count == Self.exportPage, let last = rows.last else { return }
                place = last.place
            }
        }.with("content-disposition", "attachment; filename=\"readings.csv\"")
    }

    private static func place(_ cursor: String) -> HistoryPlace? {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let ordinal = UInt64(parts[1]),
            ordinal <= UInt64(Int64.max)
        else { return nil }
        return HistoryPlace(sampledAt: Timestamp(milliseconds: milliseconds), ordinal: ordinal)
    }

    private static func line(_ row: HistoryRow, of quantities: [Quantity]) -> [UInt8] {
        let values = quantities.map { quantity in
            row.corrected[quantity].flatMap { $0.isFinite ? "\($0)" : nil } ?? ""
        }
        return Array(([row.sampledAt.iso8601, field(row.device)] + values).joined(separator: ",").utf8) + [13, 10]
    }

    /// A field by RFC 4180; a text that a spreadsheet would compute begins with an apostrophe.
    static func field(_ text: String) -> String {
        let plain = "=+-@\t\r".contains(text.first ?? " ") ? "'" + text : text
        guard plain.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return plain }
        return "\"" + plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
