import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolHub
import PoolModel
import PoolWatch
import SyncStore

/// The files that a watch has received.
struct WatchFilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "The files that the hub sent to this watch: list, take, remove.",
        discussion: """
            Works whether the watch runs or not. A watch keeps up to 64 files and 256 MiB.
            It removes and replaces a file only when you say so: it declines a file that
            does not fit, and the hub reports that. Characters that are not safe to print
            or to type are replaced in the names.
            """,
        subcommands: [WatchFilesListCommand.self, WatchFilesTakeCommand.self, WatchFilesRemoveCommand.self],
        defaultSubcommand: WatchFilesListCommand.self)
}

/// Lists the files.
struct WatchFilesListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the files, in the order in which they came.")

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let files = try await context.watchFiles()
        if options.json.isOn { return try options.json.write(files) }
        for line in FileList.lines(files, at: .now) { Output.standard.line(line) }
    }
}

/// Moves or copies a received file to another folder.
struct WatchFilesTakeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Moves a file out of the watch's folder.",
        discussion: """
            The file is removed from the watch only when its copy is complete and on the
            disk. An existing file is replaced only with --replace.

            Examples:
              poolsensors watch files take 3
              poolsensors watch files take pool.csv --out ~/pool/may.csv
            """)

    @Argument(help: ArgumentHelp("The file, by number, name or start of its id.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp("Where to: a name or a folder; here if left out.", valueName: "path"), completion: .file())
    var out: String?

    @Flag(help: "Keep the file on the watch, too.")
    var keep = false

    @Flag(help: "Replace a file of this name.")
    var replace = false

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let found = try await context.watchFile(file)
        let path = Self.path(out ?? ".", name: found.name)
        do {
            try found.copy(to: path, replaces: replace)
        } catch FileStoreError.exists(let path) {
            throw CommandFailure(
                "\(path) exists already: choose another name with --out, or have it replaced with --replace")
        } catch {
            throw CommandFailure(error)
        }
        // Removed by its id: a file that came meanwhile may have the same name, and even the same number.
        if !keep { _ = try await context.askWatch(.removeFile(found.id)) }
        if options.json.isOn { return try options.json.write(["path": path]) }
        Output.standard.line(
            PlainText.oneLine(
                "\(keep ? "copied" : "moved") \(found.name) (\(ByteCountText.of(found.byteCount))) to \(path)"))
    }

    /// The path of the file inside a path that is an existing folder, else the path itself.
    static func path(_ text: String, name: String) -> String {
        let url = URL(filePath: text, relativeTo: .currentDirectory()).standardizedFileURL
        var isFolder: ObjCBool = false
        // The call fills the flag that it is given.
        let exists = unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && isFolder.boolValue ? url.appending(path: name).path : url.path
    }
}

/// Removes a file.
struct WatchFilesRemoveCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a file from the watch.",
        discussion: "Example:\n  poolsensors watch files remove 3")

    @Argument(help: ArgumentHelp("The file, by number, name or start of its id.", valueName: "file"))
    var file: String

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let found = try await context.watchFile(file)
        guard case .removedFile(let removed) = try await context.askWatch(.removeFile(found.id)) else {
            throw FileList.otherAnswer
        }
        if options.json.isOn { return try options.json.write(removed) }
        Output.standard.line(PlainText.oneLine("removed \(removed.name) (\(ByteCountText.of(removed.byteCount)))"))
    }
}

extension CommandContext {
    /// The received files of a watch.
    fileprivate func watchFiles() async throws -> [ReceivedFile] {
        guard case .files(let files) = try await askWatch(.files) else { throw FileList.otherAnswer }
        return files
    }

    /// The received file that a person means by its number, its name, or the start of its id.
    fileprivate func watchFile(_ text: String) async throws -> ReceivedFile {
        let files = try await watchFiles()
        return try meant { try ReceivedFile.matching(text, among: files) }
    }
}

/// Formats received files.
enum FileList {
    static let otherAnswer = CommandFailure("the watch gave another answer than about files; is it of another version?")

    static func lines(_ files: [ReceivedFile], at now: Timestamp) -> [String] {
        guard !files.isEmpty else { return ["No file is kept here."] }
        var table = TextTable("number", "file", "size", "came", "what")
        for file in files {
            table.add(
                "\(file.number)", file.name, ByteCountText.of(file.byteCount), MomentText.near(file.at, to: now),
                file.export?.words ?? "")
        }
        return table.lines + files.map { "\($0.number): \(PlainText.oneLine($0.path))" }
    }
}
