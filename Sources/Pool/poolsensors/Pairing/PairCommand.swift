import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolHub
import SyncTransport
import ZeroMQ

/// Invites a watch.
struct PairCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Invites a watch: prints a code that pairs one watch with the running hub.",
        discussion: """
            The code is alone on standard output, so that it can be passed on:
              poolsensors watch pair "$(poolsensors pair)" --name Kitchen
              poolsensors pair --output code.txt        (then carry the file to the watch)

            It is a secret until it is used or its time is over. The hub must be
            running.
            """)

    @Option(help: ArgumentHelp("The name of the watch; by default it chooses one itself.", valueName: "name"))
    var name: String?

    @Option(help: Catalog.pairValid.help)
    var valid: String?

    @Option(
        help: ArgumentHelp(
            "Where the watch reaches the hub, if that is not where the hub listens.", valueName: "endpoint"))
    var reach: String?

    @Flag(help: "Write the code so that watches of older versions can read it.")
    var olderWatch = false

    @Option(help: ArgumentHelp("Write the code to a file that only you can read.", valueName: "file"))
    var output: String?

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.pairValid.key: valid] }

    func run(in context: CommandContext) async throws {
        let seconds = Int64(try context.settings.value(of: Catalog.pairValid).components.seconds)
        guard case .invitation(let text, _) = try await context.ask(.invite(name: name, validForSeconds: seconds))
        else {
            throw CommandFailure("the hub gave another answer than an invitation; is it of another version?")
        }
        var code = try InvitationCode(text)
        if olderWatch { code.app = nil }
        if let reach {
            guard let endpoint = EndpointText.read(reach), !endpoint.isWildcard else {
                throw ValidationError("--reach is \"\(reach)\", expected \(EndpointText.expected)")
            }
            code.endpoint = endpoint
        }
        let note = InvitationSummary(endpoint: code.endpoint, valid: .seconds(seconds), file: output)
        if let output {
            try PrivateFile.write(code.text + "\n", to: output)
        } else {
            Output.standard.line(code.text)
        }
        for line in note.lines { Output.errors.line(line) }
    }
}

/// The hints for a person beside an invitation.
struct InvitationSummary {
    /// The hints.
    let lines: [String]

    init(endpoint: Endpoint, valid: Duration, file: String?) {
        let argument = file.map { "--file \($0)" } ?? "CODE"
        var lines = [
            "Holds for \(DurationText.text(valid)) and for one watch. On the watch: poolsensors watch pair \(argument)"
        ]
        if case .tcp(let host, _) = endpoint.transport, ["0.0.0.0", "*", "[::]"].contains(host) {
            lines.append(
                "The hub listens on every address, and \(host) is not one that a watch can connect to: "
                    + "name one with --reach tcp://ADDRESS:PORT")
        }
        self.lines = lines
    }
}
