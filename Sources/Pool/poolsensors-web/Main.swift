import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolModel
import PoolWeb
import WebCommands
import WebServer

/// The entry point of the page's program.
@main
enum Main {
    static func main() async {
        do {
            if let text = ProcessInfo.processInfo.environment["POOLSENSORS_UNITS"], !text.isEmpty {
                guard let units = DisplayUnits(text) else {
                    throw CommandFailure(
                        "POOLSENSORS_UNITS is \"\(text)\", expected words of \(DisplayUnits.words.joined(separator: ", "))",
                        exitStatus: .usage)
                }
                DisplayUnits.choose(units)
            }
            try await CommandRunner.run(PoolSensorsWeb.self, Array(CommandLine.arguments.dropFirst()))
        } catch {
            exit(Report(error, of: PoolSensorsWeb.self).deliver())
        }
    }
}

/// The root of the page's commands.
struct PoolSensorsWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poolsensors-web",
        abstract: "The page for browsers: pools on every phone of the house, with accounts and a REST API.",
        discussion: """
            It runs beside a hub, and asks it through the socket in its folder; the hub
            itself speaks no HTTP. `poolsensors web` starts it, with the same options.
            Without TLS only browsers on this machine reach it.

            Example:
              poolsensors-web
              poolsensors-web certificate --host pool.local --host 192.168.1.20
              poolsensors-web --listen 0.0.0.0:8443 --tls
            """,
        version: Release.version,
        subcommands: [
            ServeCommand<StateOptions>.self, CertificateCommand<StateOptions>.self, AccountCommand<StateOptions>.self,
        ], defaultSubcommand: ServeCommand<StateOptions>.self)
}

/// The state folder.
struct StateOptions: WebProgram, WebAccounts {
    static let product = WebProduct.poolsensors

    @Option(
        help: ArgumentHelp(
            "The state folder. [$POOLSENSORS_STATE; default: ~/.local/state/poolsensors]", valueName: "folder"))
    var state: String?

    /// The folder itself, which is made if it does not exist; accounts and certificates are in it.
    var path: String {
        get throws {
            let environment = ProcessInfo.processInfo.environment
            let chosen = state ?? environment["POOLSENSORS_STATE"].flatMap { $0.isEmpty ? nil : $0 }
            let path = StateHome.folder(of: "poolsensors", chosen: chosen, environment: environment)
            try StateHome.make(path)
            try Self.moveEarlierFiles(to: path)
            return path
        }
    }

    /// Moves the files of the page out of the hub's folder, where an earlier build kept them; the accounts last, so that a
    /// move that was interrupted continues.
    private static func moveEarlierFiles(to path: String) throws {
        for name in ["web.keys", "web.sqlite-shm", "web.sqlite-wal", "web.sqlite"] {
            let (old, new) = ("\(path)/hub/\(name)", "\(path)/\(name)")
            guard FileManager.default.fileExists(atPath: old), !FileManager.default.fileExists(atPath: new) else {
                continue
            }
            do {
                try FileManager.default.moveItem(atPath: old, toPath: new)
            } catch {
                throw CommandFailure("cannot move \(old) to \(new): \(SystemErrorText.of(error)); move it yourself")
            }
        }
    }

    func scope(named name: String) async throws -> String {
        let state = try await RunningHub(path: try hubFolder).ask(.names)
        guard let pool = state.pools.first(where: { $0.name == name || "\($0.id)" == name }) else {
            throw CommandFailure(
                "\(AccountError.noScope(name, noun: "pool", listCommand: "poolsensors pool list"))",
                exitStatus: .notFound)
        }
        return "\(pool.id)"
    }

    func page(_ settings: WebSettings, accounts: AccountStore, code: SetupCode) throws -> ServedPage {
        let watcher = HubWatcher(RunningHub(path: try hubFolder))
        let api = WebAPI(settings: settings, hub: watcher, accounts: accounts, setupCode: code)
        return ServedPage(api) { await watcher.run() }
    }

    /// The hub's folder; nothing of the page is in it, because a restored backup takes its place.
    var hubFolder: String { get throws { try path + "/hub" } }
}
