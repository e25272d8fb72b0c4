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
            The file is CSV or JSON Lines. CSV follows RFC 4180, with ISO 8601 times in UTC
            and decimal points, whatever the locale. The file gets its name when it is
            complete. An existing file is replaced only with --replace. "-" writes to
            standard output.

            With --watch the running hub sends the file to a paired watch: when the command
            ends, the file is queued on the hub's disk; it is sent while the watch is
            connected. `poolsensors watches files` shows the progress, and `poolsensors
            watch files` lists the files on the watch. With --out, the hub's machine keeps
            the file, too.

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
        help: ArgumentHelp("The format: csv or jsonl; by default that of the file name.", valueName: "format"),
        transform: { try Choice.read($0) })
    var format: ExportSettings.Format?

    @Option(
        help: ArgumentHelp("Which values: corrected, raw or both.", valueName: "values"),
        transform: { try Choice.read($0) })
    var values = ExportedValues.corrected

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
            return try await inScratchFolder(in: context) { folder in
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
        if isKept, !replace, FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("\(path) is there already: choose another name, or replace it with --replace")
        }
        let (written, readings, byteCount) = try await context.ask(.exportReadings(request))
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
        try await inScratchFolder(in: context) { folder in
            let path = "\(folder)/readings"
            _ = try await context.ask(.exportReadings(try await request(path, in: context)))
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
    ///
    /// The folder is in the state folder: a hub that is a service cannot use the command's temporary files.
    private func inScratchFolder(in context: CommandContext, _ work: (String) async throws -> Void) async throws {
        let folder = "\(try context.folders.root)/export-\(getpid())"
        let files = FileManager.default
        do {
            // What an earlier command with this number left when it was killed.
            if files.fileExists(atPath: folder) { try files.removeItem(atPath: folder) }
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure("cannot create the folder \(folder): \(SystemErrorText.of(error))")
        }
        // An error here would hide the one of the export.
        defer { try? files.removeItem(atPath: folder) }
        try await work(folder)
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
