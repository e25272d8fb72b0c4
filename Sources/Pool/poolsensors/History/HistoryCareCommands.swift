import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Shows the size of the history.
struct HistorySizeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "size", abstract: "Shows how much is stored in the history, and for how long.",
        discussion: "Example:\n  poolsensors history size --json")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let extent = try await context.ask(.historySize)
        if json.isOn { return try json.write(extent) }
        for line in Self.lines(extent) { Output.standard.line(PlainText.oneLine(line)) }
    }

    private static func lines(_ extent: HistoryExtent) -> [String] {
        let free = extent.freeByteCount
        return ["\(extent.readings) readings"] + extent.devices.map { "  \($0.device): \($0.readings)" } + [
            "\(HistoryFormatter.bytes(extent.fileByteCount + extent.journalByteCount)) on the disk"
                + (free > extent.fileByteCount / 4
                    ? ", \(HistoryFormatter.bytes(free)) of it free: see `history compact`" : ""),
            "readings are kept \(extent.kept.rawDays) days, summaries for charts \(extent.kept.summaryDays) days",
        ] + (extent.mirror.map { ["mirror: \($0.words(at: .now))"] } ?? [])
    }
}

/// Returns unused space to the file system.
struct HistoryCompactCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Rewrites the history's file without unused space.",
        discussion: """
            New readings wait until the command is done, some seconds for each million. The
            disk needs the same space once more meanwhile. The hub returns free space in
            small steps anyway; use this after a large deletion.

            Example:
              poolsensors history compact
            """)

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let (before, after) = try await context.ask(.compactHistory)
        if json.isOn { return try json.write(CompactionRecord(byteCountBefore: before, byteCount: after)) }
        Output.standard.line("\(HistoryFormatter.bytes(before)) before, \(HistoryFormatter.bytes(after)) now")
    }
}

/// The sizes of the history's file, as JSON.
private struct CompactionRecord: Encodable {
    var byteCountBefore: Int
    var byteCount: Int
}

/// Sets the retention of readings.
struct HistoryKeepCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Sets how long readings, and their summaries for charts, are kept.",
        discussion: """
            The hub deletes what is too old in small steps while it runs. If you make the
            time shorter, the command shows the present one, and asks.

            Example:
              poolsensors history keep --days 60
            """)

    @Option(help: ArgumentHelp("The days that each reading is kept; 7 to 3650.", valueName: "count"))
    var days: Int?

    @Option(help: ArgumentHelp("The days that summaries by minute and hour are kept.", valueName: "count"))
    var summaries: Int?

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard days != nil || summaries != nil else { throw ValidationError("say --days, --summaries, or both") }
    }

    func run(in context: CommandContext) async throws {
        let old = try await context.state().history
        let new = HistorySettings(rawDays: days ?? old.rawDays, summaryDays: summaries ?? old.summaryDays)
        do {
            try new.validate()
        } catch {
            throw CommandFailure(error)
        }
        if new.rawDays < old.rawDays || new.summaryDays < old.summaryDays {
            let question =
                "So far readings are kept \(old.rawDays) days, summaries \(old.summaryDays): remove those older than "
                + "\(new.rawDays) and \(new.summaryDays) days?"
            guard try Prompt.confirm(question, isAnswered: yes) else {
                return Output.errors.line("nothing was changed")
            }
        }
        try await context.change(.edit(.setHistory(new)), json: json)
    }
}

/// Sets automatic exports of the history.
struct HistoryAutoCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "auto", abstract: "Makes the hub export the history automatically, one file for each period.",
        discussion: """
            The hub writes a file at the end of each period in UTC, while it runs. If it
            did not run at the end of a period, the next file contains the missed periods.
            Without options, the command shows the setting.

            Examples:
              poolsensors history auto --every daily --to /srv/pool
              poolsensors history auto --off
            """)

    @Option(
        help: ArgumentHelp("How often: hourly, daily, weekly or monthly.", valueName: "period"),
        transform: { try Choice.read($0) })
    var every: ExportSettings.Period?

    @Option(help: ArgumentHelp("The folder of the files, at the hub.", valueName: "folder"))
    var to: String?

    @Option(
        help: ArgumentHelp("The form of the files: csv or jsonl.", valueName: "format"),
        transform: { try Choice.read($0) })
    var format = ExportSettings.Format.csv

    @Flag(help: "Do not export any more.")
    var off = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard (every == nil) == (to == nil), !off || every == nil else {
            throw ValidationError("say --every and --to together, or --off alone")
        }
    }

    func run(in context: CommandContext) async throws {
        if off { return try await context.change(.edit(.setExport(nil)), json: json) }
        guard let every, let to else {
            let export = try await context.state().export
            if json.isOn { return try json.write(AutomaticExportRecord(export: export)) }
            let sentence = export.map { "\($0.period.rawValue) \($0.format.rawValue) files go to \($0.folder)" }
            return Output.standard.line(PlainText.oneLine(sentence ?? "no automatic exports"))
        }
        let folder = URL(filePath: to, relativeTo: .currentDirectory()).standardizedFileURL.path
        var isFolder: ObjCBool = false
        // The hub is on this machine, so a missing folder is reported at once.
        guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(folder) is not a folder: create it first, or name another with --to")
        }
        try await context.change(
            .edit(.setExport(ExportSettings(period: every, format: format, folder: folder))), json: json)
        if let note = try context.folders.serviceNote(about: folder) {
            Output.errors.line(PlainText.oneLine("Note: \(note)."))
        }
    }
}

/// The settings of automatic exports, as JSON.
private struct AutomaticExportRecord: Encodable {
    /// The settings; nil if nothing is exported automatically.
    var export: ExportSettings?

    private enum CodingKeys: CodingKey { case export }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(export, forKey: .export)
    }
}
