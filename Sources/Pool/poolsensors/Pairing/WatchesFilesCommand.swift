import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import Service

/// The files that are shared with watches.
struct WatchesFilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "The files that are shared with watches: list, send, cancel.",
        discussion: """
            When the command ends, a copy of the file is queued on the hub's disk. The
            files of a watch are sent one after the other while the watch is connected; an
            interrupted transfer continues where it stopped. Up to 256 files can wait for a
            watch. The watch keeps up to 64 files and 256 MiB, and declines what does not
            fit.
            """,
        subcommands: [WatchesFilesListCommand.self, WatchesFilesSendCommand.self, WatchesFilesCancelCommand.self],
        defaultSubcommand: WatchesFilesListCommand.self)
}

/// Lists the files.
struct WatchesFilesListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the files that wait or are being sent, and the last ones that ended.",
        discussion: "Works whether the hub runs or not. Only a running hub knows the progress of a file.")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let files = try await context.ask(.files)
        if json.isOn { return try json.write(files) }
        for line in SharedFileFormatter.lines(files, at: .now) { Output.standard.line(line) }
    }
}

/// Sends a file.
struct WatchesFilesSendCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Sends a file of this machine to a watch.",
        discussion: """
            The hub must be running. To send readings, use `poolsensors history export
            --watch`.

            Example:
              poolsensors watches files send Kitchen manual.pdf
            """)

    @Argument(help: ArgumentHelp("The watch, by name or start of its key.", valueName: "watch"))
    var watch: String

    @Argument(help: ArgumentHelp("The file; at most 1 GiB.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let known = try await context.namesOfRunningHub().watch(namedOrKeyed: watch)
        // A running hub may have another working folder.
        let path = URL(filePath: file, relativeTo: .currentDirectory()).standardizedFileURL.path
        let shared = try await context.share(FileToShare(watch: known.id, path: path))
        json.isOn ? try json.write(shared) : Output.standard.line(PlainText.oneLine(SharedFileFormatter.queued(shared)))
    }
}

/// Cancels the transfer of a file.
struct WatchesFilesCancelCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancels a file that waits or is being sent.",
        discussion: "Example:\n  poolsensors watches files cancel 3f9a")

    @Argument(help: ArgumentHelp("The file, by the start of its id.", valueName: "id"))
    var id: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        _ = try await context.namesOfRunningHub()
        let files = try await context.ask(.files)
        let start = id.lowercased()
        let found = files.filter { $0.outcome == nil && !start.isEmpty && $0.id.digits.hasPrefix(start) }
        guard found.count < 2 else {
            throw CommandFailure("\(found.count) files have an id that begins with \(id): give more of it")
        }
        guard let file = found.first else {
            throw CommandFailure("no file with the id \(id) waits: list them with `poolsensors watches files`")
        }
        try await context.change(.cancelFile(file.id), json: json)
    }
}

extension CommandContext {
    /// The names of a running hub's objects, for commands that need one.
    ///
    /// - Throws: ``CommandFailure`` if no hub runs.
    func namesOfRunningHub() async throws -> HubState {
        let names = try await names()
        guard names.isRunning else {
            throw CommandFailure(ServiceFailure.notRunning(HubFolder.service(path: try folders.hub)))
        }
        return names
    }

    /// Asks the running hub to send a file.
    func share(_ file: FileToShare) async throws -> SharedFile { try await ask(.sendFile(file)) }
}

/// Formats shared files as text.
enum SharedFileFormatter {
    /// The text for a file that was queued.
    static func queued(_ file: SharedFile) -> String {
        "\(file.name) (\(ByteCountText.of(file.byteCount))) is queued for watch \(file.watch) as \(file.id.short)"
    }

    /// The table.
    static func lines(_ files: [SharedFile], at now: Timestamp) -> [String] {
        guard !files.isEmpty else { return ["No file is shared with a watch."] }
        var table = TextTable("id", "watch", "file", "size", "shared", "state")
        for file in files {
            let isDated = file.sharedAt.milliseconds > 0
            table.add(
                file.id.short, file.watch, file.name, ByteCountText.of(file.byteCount),
                isDated ? MomentText.near(file.sharedAt, to: now) : "", file.progress)
        }
        return table.lines
    }
}
