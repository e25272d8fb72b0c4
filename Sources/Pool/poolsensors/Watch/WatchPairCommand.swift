import ArgumentParser
import CommandSupport
import Foundation
import PoolWatch
import SyncStore
import SyncTransport
import Text
import ZeroMQ

/// Pairs a watch with a hub.
struct WatchPairCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Pairs a watch with the hub that an invitation names.",
        discussion: """
            Examples:
              poolsensors watch pair psw2-… --name Kitchen
              poolsensors watch pair --file code.txt
              poolsensors pair | poolsensors watch pair --file -
              poolsensors watch pair 482913 --hub 192.168.1.20:41877

            A watch that is paired already is paired again. The hub may give it another
            name than it asks for. If a first pairing fails, nothing of it stays.
            """)

    @Argument(
        help: ArgumentHelp(
            "The invitation that `poolsensors pair` printed, or the six digits of `pair --code`.", valueName: "code"))
    var code: String?

    @Option(help: ArgumentHelp("Where `pair --code` shows six digits.", valueName: "address"))
    var hub: String?

    @Option(help: ArgumentHelp("Read the invitation from a file, - for standard input.", valueName: "file"))
    var file: String?

    @Option(help: Catalog.watchName.help)
    var name: String?

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: name] }

    func validate() throws {
        if (code == nil) == (file == nil) { throw ValidationError("give the invitation, or its file with --file") }
        let isShort = code.map { $0.utf8.count == 6 && $0.utf8.allSatisfy(NumberGrammar.isDigit) } ?? false
        if isShort != (hub != nil) {
            throw ValidationError(
                isShort
                    ? "six digits need the address beside them: give --hub"
                    : "--hub belongs to six digits: leave it out")
        }
    }

    func run(in context: CommandContext) async throws {
        let invitation: InvitationCode
        do {
            invitation = try InvitationCode(PairingText.written(try await text()))
        } catch let error as LinkError {
            throw CommandFailure(error)
        }
        let folders = try context.folders
        try folders.prepare()
        let name = try context.settings.value(of: Catalog.watchName)
        let path = folders.watch(name)
        let reason = try await untilStopped(lifeline: lifeline) {
            try await pair(invitation, name: name, path: path)
        }
        if reason != .finished { throw CommandFailure("stopped; the watch may be paired or not: try again") }
    }

    private func pair(_ invitation: InvitationCode, name: String, path: String) async throws {
        let isNew = !FileManager.default.fileExists(atPath: path)
        var folder: WatchFolder
        do {
            // A running unpaired watch opens the folder once a second, for a moment.
            folder = try await WatchFolder.waiting(path: path)
        } catch FolderError.inUse(_, let processID) where WatchClient.isRunning(path: path) {
            throw CommandFailure(PairingAdvice.inUse(name: name, processID: processID))
        } catch {
            throw CommandFailure(error)
        }
        Output.errors.line("asking the hub at \(invitation.endpoint.text) …")
        do {
            let paired = try await folder.pair(invitation, name: name)
            if json.isOn {
                try json.write(PairingRecord(name: paired.name, endpoint: paired.endpoint.text))
            } else {
                Output.standard.line(
                    PlainText.oneLine("paired with the hub at \(paired.endpoint.text) as \"\(paired.name)\""))
            }
        } catch {
            // While the folder is locked, no other process opens it. The next attempt uses what cannot be removed now.
            if isNew, !Self.mayBeKnown(after: error) { try? FileManager.default.removeItem(atPath: path) }
            throw CommandFailure(error)
        }
    }

    /// Whether the hub may know the watch although the pairing failed: then the same key must try again.
    private static func mayBeKnown(after error: any Error) -> Bool {
        if case LinkError.pairingTimedOut(.noAnswer) = error { true } else { false }
    }

    private func text() async throws -> String {
        if let code, let hub { return try await CodeHandover.invitation(code, at: hub) }
        if let code { return code }
        guard let file, file != "-" else { return readLine() ?? "" }
        do {
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw CommandFailure.unreadable("the invitation file", file, error)
        }
    }
}

/// A paired watch, as JSON.
private struct PairingRecord: Encodable {
    /// The name that the hub gave it.
    var name: String
    /// Where it reaches the hub.
    var endpoint: String
}

/// Reads the written forms of an invitation.
enum PairingText {
    /// The invitation as the hub wrote it; its QR code has it in capitals, which need less space there.
    static func written(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace).prefix(5)
        return start == "PSW2-" || start == "PSW1-" ? text.lowercased() : text
    }
}
