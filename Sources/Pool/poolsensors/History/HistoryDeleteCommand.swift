import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Deletes readings.
struct HistoryDeleteCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes readings; it says how many, and asks first.",
        discussion: """
            What shows and the watches follow: they get the newest values that stay.
            Deleted readings can be restored only from a backup.

            Examples:
              poolsensors history delete Lagoon --to 2026-05-31
              poolsensors history delete --all --yes
            """)

    @Argument(help: ArgumentHelp("The device, by name or start of its id; all if left out.", valueName: "device"))
    var device: String?

    @OptionGroup var span: SpanOptions

    @Flag(help: "All readings, of the device or of all devices.")
    var all = false

    @Flag(help: "Only say how many there are.")
    var dryRun = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard all == span.isEmpty else {
            throw ValidationError("say which readings: a span with --from, --to or --last, or --all")
        }
    }

    func run(in context: CommandContext) async throws {
        let bounds = try span.bounds(at: .now)
        let first = bounds.first ?? Timestamp(milliseconds: .min)
        let id = try await context.deviceWithReadings(device)
        let last: Timestamp
        if let given = bounds.last { last = given } else { last = try await newest(of: id, in: context) }
        let count = try await delete(id, first, last, nil, in: context)
        let whose = device.map { "of \($0)" } ?? "of all devices"
        guard count > 0 else { return try write(0, isDone: !dryRun, "there is no such reading \(whose)") }
        if dryRun { return try write(count, isDone: false, "\(count) readings \(whose) would be deleted") }
        let noun = count == 1 ? "reading" : "readings"
        guard try Prompt.confirm("Delete \(count) \(noun) \(whose) permanently?", isAnswered: yes) else {
            return Output.errors.line("nothing was deleted")
        }
        let deleted = try await delete(id, first, last, count, in: context)
        try write(deleted, isDone: true, "deleted \(deleted) \(noun) \(whose)")
    }

    private func write(_ readings: Int, isDone: Bool, _ sentence: String) throws {
        if json.isOn { return try json.write(DeletionRecord(readings: readings, isDeleted: isDone)) }
        Output.standard.line(PlainText.oneLine(sentence))
    }

    /// Counts or deletes the readings.
    private func delete(
        _ device: DeviceID?, _ first: Timestamp, _ last: Timestamp, _ expected: Int?, in context: CommandContext
    ) async throws -> Int {
        try await context.ask(.deleteReadings(of: device, from: first, through: last, expected: expected))
    }

    /// The present time, or that of the newest sample if its device's clock is ahead: readings that come meanwhile are
    /// not deleted.
    private func newest(of device: DeviceID?, in context: CommandContext) async throws -> Timestamp {
        let rows = try await context.ask(.readings(of: device, before: nil, limit: 1))
        return max(.now, rows.first?.sampledAt ?? .now)
    }
}

/// The readings that were deleted or would be, as JSON.
private struct DeletionRecord: Encodable {
    var readings: Int
    /// False for what `--dry-run` only counted.
    var isDeleted: Bool
}
