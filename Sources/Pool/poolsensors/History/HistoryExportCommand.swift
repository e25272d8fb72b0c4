import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Writes readings to a file, or sends them to a watch.
struct HistoryExportCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes readings to a file, or sends them to a watch.",
        discussion: """
            The file is CSV or lines of JSON. CSV is that of RFC 4180 with times of ISO
            8601 in UTC and points in numbers, whatever the locale. The file gets its name
            when it is complete; one that is there is replaced only with --replace. "-"
            writes to standard output.

            With --watch the running hub sends the file to a paired watch: it is queued on
            the hub's disk when the command ends, and goes when the watch is there. What
            becomes of it: `poolsensors watches files`; on the watch: `poolsensors watch
            files`. With --out as well the file stays at the hub, too.

            Examples:
              poolsensors history export --out pool.csv
              poolsensors history export Lagoon --last 30d --values both --out - | head
              poolsensors history export Lagoon --last 7d --watch Kitchen
            """)

    @Argument(help: ArgumentHelp("The devices, by name or start of the id; all if left out.", valueName: "device"))
    var devices: [String] = []

    @Option(help: ArgumentHelp("The file, or - for standard output.", valueName: "file"))
    var out: String?

    @Option(
        help: ArgumentHelp("Send the file to this watch, by name or start of its key.", valueName: "watch"))
    var watch: String?

    @Option(
        help: ArgumentHelp("The form: csv or jsonl; by default as the file is called.", valueName: "format"),
        transform: { try Choice.read($0) })
    var format: ExportSettings.Format?

    @Option(
        help: ArgumentHelp("Which values: corrected, raw or both.", valueName: "values"),
        transform: { try Choice.read($0) })
    var values = HistoryExport.Values.corrected

    @OptionGroup var span: SpanOptions

    @Flag(help: "Replace a file of this name.")
    var replace = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard out != nil || watch != nil else {
            throw ValidationError("give a file with --out, or a watch with --watch, or both")
        }
        if out == "-", json.isOn {
            throw ValidationError("--json says what was written to a file; there is none with --out -")
        }
        if out == "-", watch != nil {
            throw ValidationError("--out - is standard output, and a watch needs a file: leave --out, or name a file")
        }
        _ = try form()
    }

    /// The chosen format, else that of the file's name, else CSV.
    ///
    /// - Throws: `ValidationError` for a name of another format.
    func form() throws -> ExportSettings.Format {
        if let format { return format }
        guard let out else { return .csv }
        let name = URL(filePath: out).lastPathComponent
        guard out != "-", name.dropFirst().contains(".") else { return .csv }
        let ending = URL(filePath: out).pathExtension.lowercased()
        guard let known = ExportSettings.Format(rawValue: ending) else {
            let words = Choice.words(ExportSettings.Format.self)
            throw ValidationError(
                "--out is \"\(out)\", but \"\(ending)\" is not one of the formats \(words): give the file one of these "
                    + "endings, or say which it is with --format")
        }
        return known
    }

    func run(in context: CommandContext) async throws {
        if out == "-" { return try await stream(in: context) }
        // Checked before anything is written, since an export may take long.
        let watch = try await watchID(in: context)
        guard let out else {
            return try await inFolderOfOurs { folder in
                try await write(
                    to: "\(folder)/\(fileName(at: .now))", isKept: false, sendingTo: watch, in: context)
            }
        }
        // A running hub may have another working folder.
        try await write(
            to: URL(filePath: out, relativeTo: .currentDirectory()).standardizedFileURL.path, isKept: true,
            sendingTo: watch, in: context)
    }

    /// The watch to send the file to; nil if none is named.
    private func watchID(in context: CommandContext) async throws -> WatchID? {
        guard let watch else { return nil }
        return try await context.namesOfRunningHub().watch(namedOrKeyed: watch).id
    }

    /// Lets the hub write the file, and send it if a watch is named.
    private func write(
        to path: String, isKept: Bool, sendingTo watch: WatchID?, in context: CommandContext
    ) async throws {
        let request = try await request(path, in: context)
        guard case .exported(let written, let readings, let byteCount) = try await context.askHistory(.export(request))
        else { throw HistoryFormatter.otherAnswer }
        let length = HistoryFormatter.bytes(byteCount)
        if isKept, !json.isOn {
            Output.standard.line(PlainText.oneLine("wrote \(readings) readings (\(length)) to \(written)"))
        }
        var summary = ExportSummary(path: isKept ? written : nil, readings: readings, byteCount: byteCount)
        if let watch {
            let note = ExportMetadata(
                readings: readings, format: request.format, values: request.values.rawValue, devices: devices,
                first: request.first, last: request.last)
            let shared = try await context.share(FileToShare(watch: watch, path: written, export: note))
            summary.shared = shared
            if !json.isOn {
                Output.standard.line(PlainText.oneLine("\(note.words): \(SharedFileFormatter.queued(shared))"))
            }
        }
        if json.isOn { try json.write(summary) }
    }

    /// A file name with the time of the export, for a person who gave none.
    private func fileName(at now: Timestamp) throws -> String {
        let digits = now.iso8601.prefix { $0 != "." }.filter { $0.isNumber || $0 == "T" }
        return "readings-\(digits)Z.\(try form().rawValue)"
    }

    private func request(_ path: String, in context: CommandContext) async throws -> HistoryExport {
        let bounds = try span.bounds(at: .now)
        var ids: [DeviceID] = []
        if !devices.isEmpty {
            let report = try await context.names()
            ids = try devices.map { try report.deviceWithReadings(named: $0) }
        }
        return HistoryExport(
            path: path, format: try form(), values: values, devices: ids, from: bounds.first, through: bounds.last,
            replaces: replace)
    }

    /// Lets the hub write a file in a folder that only this user can read, and copies it to standard output.
    private func stream(in context: CommandContext) async throws {
        try await inFolderOfOurs { folder in
            let path = "\(folder)/readings"
            guard case .exported = try await context.askHistory(.export(try await request(path, in: context))) else {
                throw HistoryFormatter.otherAnswer
            }
            do {
                let file = try FileHandle(forReadingFrom: URL(filePath: path))
                var rest: [UInt8] = []
                while let chunk = try file.read(upToCount: 1 << 18), !chunk.isEmpty {
                    rest += chunk
                    // Only whole lines, so that no character is divided.
                    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
                    Output.standard.write(String(decoding: rest[...end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
                Output.standard.write(String(decoding: rest, as: UTF8.self))
            } catch {
                throw CommandFailure("cannot read \(path): \(SystemErrorText.of(error))")
            }
        }
    }

    /// Calls a closure with a folder that only this user can read, and removes the folder afterwards.
    private func inFolderOfOurs(_ work: (String) async throws -> Void) async throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "poolsensors-export-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                "cannot create the folder \(folder.path): \(SystemErrorText.of(error)); set TMPDIR to another")
        }
        // The system removes what is left with its other temporary files.
        defer { try? files.removeItem(at: folder) }
        try await work(folder.path)
    }
}

/// The result of an export, for programs.
private struct ExportSummary: Encodable {
    /// The path of the file at the hub; nil if it was only sent to a watch.
    var path: String?
    var readings: Int
    var byteCount: Int
    /// The file that was sent to a watch; nil if none was.
    var shared: SharedFile?
}
