import ArgumentParser
import Foundation
import Testing

@testable import poolsensors

/// The help of each command, as it is shown on a terminal of 80 columns; BLESS=1 in the environment rewrites the files.
@Suite struct HelpTests {
    static let commands: [(name: String, command: any ParsableCommand.Type)] = [
        ("poolsensors", PoolSensors.self), ("demo", DemoCommand.self), ("hub", HubRunCommand.self),
        ("hub-backup", HubBackupCommand.self),
        ("watch", WatchRunCommand.self), ("watch-pair", WatchPairCommand.self),
        ("watch-rename", WatchRenameCommand.self), ("watch-limits", WatchLimitsCommand.self),
        ("watch-select", WatchSelectCommand.self), ("watch-pending", WatchPendingCommand.self),
        ("watch-conflicts", WatchConflictsCommand.self), ("watch-restore", WatchRestoreCommand.self),
        ("watch-dismiss", WatchDismissCommand.self), ("conflicts", ConflictsCommand.self),
        ("conflicts-list", ConflictsListCommand.self), ("conflicts-restore", ConflictsRestoreCommand.self),
        ("conflicts-dismiss", ConflictsDismissCommand.self), ("pair", PairCommand.self),
        ("watches", WatchesCommand.self), ("watches-list", WatchesListCommand.self),
        ("watches-unpair", WatchesUnpairCommand.self), ("server", ServerCommand.self),
        ("server-add", ServerAddCommand.self), ("server-edit", ServerEditCommand.self),
        ("server-list", ServerListCommand.self), ("server-remove", ServerRemoveCommand.self),
        ("server-test", ServerTestCommand.self), ("device", DeviceCommand.self),
        ("device-add", DeviceAddCommand.self), ("device-edit", DeviceEditCommand.self),
        ("device-list", DeviceListCommand.self), ("device-remove", DeviceRemoveCommand.self),
        ("device-select", DeviceSelectCommand.self), ("probe", ProbeCommand.self), ("config", ConfigCommand.self),
        ("config-show", ConfigShowCommand.self), ("config-log", ConfigLogCommand.self), ("bench", BenchCommand.self),
        ("bench-sync", BenchSyncCommand.self), ("scenario", ScenarioCommand.self),
        ("scenario-run", RunScenarioCommand.self), ("chaos", ChaosCommand.self), ("simulate", SimulateCommand.self),
        ("replay", ReplayCommand.self), ("shrink", ShrinkCommand.self), ("search", SearchCommand.self),
    ]

    @Test(arguments: commands.map(\.name))
    func `the help is as it was agreed`(name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name }).command
        let help = PoolSensors.helpMessage(for: command, columns: 80) + "\n"
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snapshots/\(name).txt")
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try help.write(to: file, atomically: true, encoding: .utf8)
        }

        #expect(help == (try String(contentsOf: file, encoding: .utf8)))
    }

    @Test func `no file is left of a command that is gone`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snapshots")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)

        #expect(Set(files) == Set(Self.commands.map { "\($0.name).txt" }))
    }
}
