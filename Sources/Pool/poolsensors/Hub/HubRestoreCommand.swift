import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolHub
import PoolModel
import SyncStore

/// Restores a backup of the hub.
struct HubRestoreCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restores a backup of the hub while the hub is stopped; asks first.",
        discussion: """
            The whole backup is checked first. The present state is kept under a name with
            the date, beside the hub's folder. The hub begins a new epoch: `poolsensors
            conflicts` then lists what the watches have and the backup does not. Notices
            that were not delivered yet when the backup was made are sent again, with the
            same ids.

            Example:
              poolsensors hub restore ~/poolsensors-backup
            """)

    @Argument(help: ArgumentHelp("The folder that `hub backup` filled.", valueName: "folder"))
    var source: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let folders = try context.folders
        try folders.prepare()
        let backup = URL(filePath: source, relativeTo: .currentDirectory()).standardizedFileURL.path
        let restore: HubRestore
        do {
            restore = try await HubRestore.waiting(backup, to: folders.hub)
        } catch let error as FolderError {
            guard case .inUse = error, HubClient.isRunning(path: folders.hub) else { throw CommandFailure(error) }
            throw CommandFailure("the hub of \(folders.hub) runs: stop it first, then restore")
        } catch {
            throw CommandFailure(error)
        }
        if !json.isOn { for line in Self.lines(restore.contents) { Output.errors.line(PlainText.oneLine(line)) } }
        guard try Prompt.confirm("Replace the hub's state with this backup?", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        do {
            let aside = try restore.finish(now: .now)
            if json.isOn { return try json.write(RestoreRecord(restore.contents, pathBefore: aside)) }
            let kept = aside.map { "; the state before is kept in \($0)" } ?? ""
            Output.standard.line(PlainText.oneLine("restored the backup; a new epoch began\(kept)"))
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func lines(_ contents: HubRestore.Contents) -> [String] {
        let names = contents.devices.isEmpty ? "no device" : contents.devices.joined(separator: ", ")
        var lines = ["The backup is complete: revision \(contents.revision) of the configuration with \(names)."]
        if let readings = contents.readings {
            let newest = contents.newestSample.map { ", the newest of \(MomentText.of($0))" } ?? ""
            lines.append("It has \(readings) readings\(newest).")
        } else {
            lines.append("It has no readings; those of the hub stay.")
        }
        if contents.isSameHub == false {
            lines.append("It is of another hub: watches of this one must be paired again.")
        }
        if contents.opensPasswords == false {
            lines.append(
                "Its passwords are sealed with a key that is not on this machine: enter them again afterwards.")
        }
        return lines
    }
}

/// A restored backup, as JSON.
private struct RestoreRecord: Encodable {
    /// The revision of the configuration.
    var revision: UInt64
    /// The names of the devices.
    var devices: [String]
    /// How many readings it had; nil if those of the hub stayed.
    var readings: Int?
    /// Whether the watches of this hub stay paired; nil if there was no hub.
    var isSameHub: Bool?
    /// Whether the passwords can be used; nil if there are none.
    var opensPasswords: Bool?
    /// Where the state before is kept; nil if there was none.
    var pathBefore: String?

    init(_ contents: HubRestore.Contents, pathBefore: String?) {
        revision = contents.revision
        devices = contents.devices
        readings = contents.readings
        isSameHub = contents.isSameHub
        opensPasswords = contents.opensPasswords
        self.pathBefore = pathBefore
    }
}
