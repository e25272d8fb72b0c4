import PoolControl
import PoolModel
import WaterChemistry
import WebServer

/// How long the history is kept, its periodic export, and the presets of limits.
struct KeepingRoutes: Sendable {
    let hub: HubWatcher

    func keeping() async throws -> WebResponse {
        let extent = try await hub.ask(.historySize)
        let state = try hub.snapshot().state
        return try WebResponse.json(KeepingView(state, extent)).with("etag", Self.tag(state))
    }

    /// How many readings a shorter time would remove.
    func removal(_ context: RequestContext) async throws -> WebResponse {
        let days = try context.number("rawDays")
        let end = try hub.snapshot().now().advanced(byMilliseconds: -Int64(days) * 86_400_000)
        let count = try await hub.ask(
            .deleteReadings(of: nil, from: Timestamp(milliseconds: 0), through: end, expected: nil))
        return try .json(["readings": count])
    }

    func edit(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["rawDays", "summaryDays"])
        let days = try members.optionalInteger("rawDays", HistorySettings.rawRange)
        let summaries = try members.optionalInteger("summaryDays", 1...HistorySettings.summaryDaysMax)
        return try await change(context) { old in
            let new = HistorySettings(
                rawDays: days ?? old.history.rawDays, summaryDays: summaries ?? old.history.summaryDays)
            guard new.summaryDays >= new.rawDays else {
                throw Problem(
                    .wrongMember,
                    "the summaries are kept \(new.summaryDays) days, the readings \(new.rawDays): give the summaries at "
                        + "least as many",
                    french: "gardez les résumés au moins aussi longtemps que les mesures", member: "summaryDays")
            }
            return .setHistory(new)
        }
    }

    func editExport(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["period", "format"])
        let period = try members.optionalChoice("period", ExportSettings.Period.self)
        let format = try members.optionalChoice("format", ExportSettings.Format.self)
        return try await change(context) { old in
            .changeExport(period ?? old.export?.period ?? .daily, format ?? old.export?.format ?? .csv)
        }
    }

    func endExport(_ context: RequestContext) async throws -> WebResponse {
        try await change(context) { _ in .setExport(nil) }
    }

    func presets() throws -> WebResponse { try .json(LimitsPreset.all.map(PresetView.init)) }

    private func change(
        _ context: RequestContext, to edit: (HubState) throws -> HubEdit
    ) async throws -> WebResponse {
        _ = try await hub.change(context) {
            Self.tag($0.state)
        } to: {
            .edit(try edit($0.state))
        } present: {
            try .json(KeepingView($0.state, nil))
        }
        return try await keeping()
    }

    private static func tag(_ state: HubState) -> String { EntityTag.of(KeepingView(state, nil)) }
}

/// How long the history is kept, as owners see it; of the export not its folder.
struct KeepingView: Encodable {
    struct Export: Encodable {
        var period: ExportSettings.Period
        var format: ExportSettings.Format
    }

    var rawDays: Int
    var summaryDays: Int
    var export: Export?
    /// The number of stored readings; nil where nobody asked for it.
    var readings: Int?
    /// The size of the history in bytes.
    var byteCount: Int?

    init(_ state: HubState, _ extent: HistoryExtent?) {
        rawDays = state.history.rawDays
        summaryDays = state.history.summaryDays
        export = state.export.map { Export(period: $0.period, format: $0.format) }
        readings = extent?.readings
        byteCount = extent.map { $0.fileByteCount + $0.journalByteCount }
    }
}

/// A preset of limits as the page offers it.
struct PresetView: Encodable {
    var key: String
    var title: String
    var source: String
    var note: String
    var limits: QuantityMap<Limits>

    init(_ preset: LimitsPreset) {
        key = preset.key
        title = preset.title
        source = preset.source
        note = preset.note
        limits = preset.limits
    }
}
