import ArgumentParser
import Foundation
import PoolHub
import PoolModel

/// Writes readings to a file.
struct HistoryExportCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes readings to a file, as CSV or lines of JSON.",
        discussion: """
            CSV is that of RFC 4180 with times of ISO 8601 in UTC and points in numbers,
            whatever the locale. The file gets its name when it is complete; one that
            is there is replaced only with --replace. "-" writes to standard output.

            Examples:
              poolsensors history export --out pool.csv
              poolsensors history export Lagoon --last 30d --values both --out - | head
            """)

    @Argument(help: ArgumentHelp("The devices, by name or start of the id; all if left out.", valueName: "device"))
    var devices: [String] = []

    @Option(help: ArgumentHelp("The file, or - for standard output.", valueName: "file"))
    var out: String

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

    @Flag(help: "Print JSON about what was written.")
    var json = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if out == "-", json {
            throw ValidationError("--json says what was written to a file; there is none with --out -")
        }
        _ = try form()
    }

    /// The form that was chosen, else the one that the file's name says, else CSV.
    ///
    /// - Throws: `ValidationError` for a name of another form.
    func form() throws -> ExportSettings.Format {
        if let format { return format }
        let name = URL(filePath: out).lastPathComponent
        guard out != "-", name.dropFirst().contains(".") else { return .csv }
        let ending = URL(filePath: out).pathExtension.lowercased()
        guard let known = ExportSettings.Format(rawValue: ending) else {
            let words = Choice.words(ExportSettings.Format.self)
            throw ValidationError(
                "--out is \"\(out)\", but \"\(ending)\" is none of the formats \(words): give the file one of these "
                    + "endings, or say which it is with --format")
        }
        return known
    }

    func run(in context: CommandContext) async throws {
        if out == "-" { return try await stream(in: context) }
        // A running hub has a working folder of its own.
        let path = URL(filePath: out, relativeTo: .currentDirectory()).standardizedFileURL.path
        let answer = try await context.askHistory(.export(try request(path)))
        guard case .exported(let written, let readings, let byteCount) = answer else { throw HistoryWords.otherAnswer }
        if json {
            let summary = ExportSummary(path: written, readings: readings, byteCount: byteCount)
            return Output.standard.line(try JSONText.pretty(summary))
        }
        let length = HistoryWords.bytes(byteCount)
        Output.standard.line(PlainText.oneLine("wrote \(readings) readings (\(length)) to \(written)"))
    }

    private func request(_ path: String) throws -> HistoryExport {
        let bounds = try span.bounds(at: .now)
        return HistoryExport(
            path: path, format: try form(), values: values, devices: devices,
            from: bounds.first, through: bounds.last, replaces: replace)
    }

    /// Lets the hub write a file in a folder for this user only, and copies it to standard output.
    private func stream(in context: CommandContext) async throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "poolsensors-export-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                "cannot create the folder \(folder.path): \(SystemWords.of(error)); set TMPDIR to another")
        }
        // What cannot be removed is left to the system's cleaning of temporary files.
        defer { try? files.removeItem(at: folder) }
        let path = folder.appending(path: "readings").path
        guard case .exported = try await context.askHistory(.export(try request(path))) else {
            throw HistoryWords.otherAnswer
        }
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            var rest: [UInt8] = []
            while let chunk = try file.read(upToCount: 1 << 18), !chunk.isEmpty {
                rest += chunk
                // Whole lines, so that no character is cut in two.
                guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
                Output.standard.write(String(decoding: rest[...end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
            Output.standard.write(String(decoding: rest, as: UTF8.self))
        } catch {
            throw CommandFailure("cannot read \(path): \(SystemWords.of(error))")
        }
    }
}

/// What was written, for programs.
private struct ExportSummary: Encodable {
    var path: String
    var readings: Int
    var byteCount: Int
}
