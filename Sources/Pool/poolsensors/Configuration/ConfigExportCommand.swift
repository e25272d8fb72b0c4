import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolHub

/// Writes the hub's configuration into a file for another hub.
struct ConfigExportCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the hub's configuration into a sealed file for a second hub.",
        discussion: """
            The file contains the servers with their passwords, the devices with mappings
            and calibrations, pools, limits, the selection, and the settings of alerts
            (with the secrets that sign webhooks), of the history and of its exports. It
            has the paths of certificates, not the certificates. It does not contain
            readings, alerts, the hub's keys and its paired watches, which belong to one
            hub; `poolsensors hub backup` copies those.

            The file is encrypted with a passphrase of at least 12 characters, which you
            type twice, or give in a file or on standard input. Without it the file cannot
            be read. Each guess takes 128 MiB and about half a second. Works whether the
            hub runs or not. `poolsensors config import` reads the file.

            Example:
              poolsensors config export pool.export
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file"))
    var file: String

    @OptionGroup var passphrase: PassphraseOptions

    @Flag(help: "Replace a file of this name.")
    var replace = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        // A running hub may have another working folder.
        let path = URL(filePath: file, relativeTo: .currentDirectory()).standardizedFileURL.path
        if !replace, FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("\(path) is there already: choose another name, or replace it with --replace")
        }
        let key: PassphraseKey
        do {
            key = try PassphraseKey(try await passphrase.read(isNew: true))
        } catch let error as PassphraseError {
            throw CommandFailure(error)
        }
        let export = ConfigurationExport(path: path, key: key, replaces: replace)
        let report = try await context.ask(.exportConfiguration(export))
        if json.isOn { return try json.write(report) }
        for problem in report.problems { Output.errors.line(PlainText.oneLine("Problem: \(problem)")) }
        let parts = [
            Self.count(report.servers, "server"), Self.count(report.devices, "device"),
            Self.count(report.pools, "pool"), Self.count(report.secrets, "password or secret", "passwords and secrets"),
        ]
        Output.standard.line(
            PlainText.oneLine(
                "wrote revision \(report.revision) with \(parts.joined(separator: ", ")) to \(report.path), sealed"))
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
}
