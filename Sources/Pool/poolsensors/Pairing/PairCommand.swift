import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import SyncTransport
import Text
import ZeroMQ

/// Invites a watch.
struct PairCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Invites a watch: prints a code that pairs one watch with the running hub.",
        discussion: """
            Standard output has only the code, so that another command can read it:
              poolsensors watch pair "$(poolsensors pair)" --name Kitchen
              poolsensors pair --output code.txt      (then copy the file to the watch)
              poolsensors pair --code                 (then type six digits on the watch)

            The code is a secret until it is used or has expired. The hub must be running.
            If it listens on this machine only, the command says how to let watches on
            other machines connect.
            """)

    @Option(help: ArgumentHelp("The name of the watch; by default it chooses one itself.", valueName: "name"))
    var name: String?

    @Option(help: Catalog.pairValid.help)
    var valid: String?

    @Option(
        help: ArgumentHelp(
            "Where the watch reaches the hub, if that is not where the hub listens.", valueName: "address"))
    var reach: String?

    @Flag(help: "Write the code so that watches of older versions can read it.")
    var olderWatch = false

    @Option(help: ArgumentHelp("Write the code to a file that only you can read.", valueName: "file"))
    var output: String?

    @Flag(name: .customLong("code"), help: "Show six digits to type on the watch, and wait until it has.")
    var isShort = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.pairValid.key: valid] }

    func validate() throws {
        if isShort, output != nil || json.isOn { throw ValidationError("give --code alone, or --output or --json") }
    }

    func run(in context: CommandContext) async throws {
        let seconds = Int64(try context.settings.value(of: Catalog.pairValid).components.seconds)
        let text = try await context.ask(.invite(name: name, validForSeconds: seconds)).code
        let reached = try reach.map { text in
            guard let endpoint = EndpointText.read(text), !endpoint.isWildcard,
                !InvitationSummary.isAllAddresses(endpoint)
            else {
                throw ValidationError(
                    "--reach is \"\(text)\", expected the address of this machine: \(HostAndPort.expected), such as 192.168.1.20:7654"
                )
            }
            return endpoint
        }
        let (complete, summary) = try InvitationSummary.complete(
            text, reach: reached, valid: .seconds(seconds), file: output, isService: try context.folders.isOfService)
        var code = complete
        if olderWatch { code.app = nil }
        if isShort { return try await CodeHandover.offer(code, validFor: .seconds(seconds)) }
        if let output { try PrivateFile.write(code.text + "\n", to: output) }
        if json.isOn {
            return try json.write(
                InvitationRecord(
                    code: output == nil ? code.text : nil, path: output, endpoint: code.endpoint.text,
                    validUntil: Timestamp.now.advanced(byMilliseconds: 1000 * seconds), isLocal: summary.isLocal))
        }
        if output == nil { Output.standard.line(code.text) }
        for line in summary.lines { Output.errors.line(line) }
    }
}

/// An invitation, as JSON.
private struct InvitationRecord: Encodable {
    /// The code; nil if it was written to a file.
    var code: String?
    /// The file with the code.
    var path: String?
    /// Where the watch connects.
    var endpoint: String
    /// Until when the code can be used.
    var validUntil: Timestamp
    /// Whether only a watch on this machine can use it.
    var isLocal: Bool
}

/// The hints for a person beside an invitation.
struct InvitationSummary {
    /// How long the code can be used, and what to type on the watch.
    let head: String
    /// Where it can be used, and how to change that.
    let notes: [String]
    /// Whether only a watch on this machine can use the code.
    let isLocal: Bool
    /// The endpoint for the code of a hub that listens on all addresses; nil to leave that of the hub.
    let reached: Endpoint?

    /// Creates the hints.
    ///
    /// - Parameters:
    ///   - endpoint: Where the hub listens, or where the watch was told to connect.
    ///   - valid: How long the code can be used.
    ///   - file: The file with the code; nil if it was printed.
    ///   - addresses: The addresses of this machine.
    ///   - isService: Whether the hub is the service of the package.
    init(endpoint: Endpoint, valid: Duration, file: String?, addresses: [String], isService: Bool = false) {
        head =
            "Valid for \(DurationText.text(valid)), for one watch. On the watch: poolsensors watch pair "
            + (file.map { "--file \($0)" } ?? "CODE")
        var lines: [String] = []
        var isLocal = false
        var reached: Endpoint?
        switch endpoint.transport {
        case .tcp(_, let port) where Self.isAllAddresses(endpoint):
            let endpoints = addresses.map { "\($0):\(port)" }
            // An address of this machine makes an endpoint.
            reached = endpoints.first.flatMap { try? Endpoint("tcp://\($0)") }
            if let reached {
                lines.append("The watch connects to \(reached.text).")
                lines += Self.choices("For another address of this machine:", "pair --reach", endpoints.dropFirst())
            } else {
                lines.append("No address of this machine was found: name one with --reach ADDRESS:PORT")
            }
        case .tcp(let host, let port) where LocalAddresses.isLoopback(host):
            isLocal = true
            lines.append("Only a watch on this machine can use it: the hub listens at \(endpoint.text).")
            lines += Self.restart(port: port, addresses, isService: isService)
        case .ipc:
            isLocal = true
            lines.append("Only a watch on this machine can use it: the hub listens at \(endpoint.text).")
            lines += Self.restart(port: 7654, addresses, isService: isService)
        case .tcp, .inproc: break
        }
        (notes, self.isLocal, self.reached) = (lines, isLocal, reached)
    }

    /// All hints.
    var lines: [String] { [head] + notes }

    /// Reads the code of a hub, and gives it an endpoint that a watch can connect to.
    ///
    /// - Parameters:
    ///   - text: The code.
    ///   - reach: Where the watch reaches the hub; nil to find that out.
    ///   - valid: How long the code can be used.
    ///   - file: The file with the code; nil if it was printed.
    ///   - isService: Whether the hub is the service of the package.
    /// - Returns: The code and the hints.
    /// - Throws: `LinkError` if the text is no code.
    static func complete(
        _ text: String, reach: Endpoint? = nil, valid: Duration, file: String? = nil, isService: Bool = false
    ) throws -> (code: InvitationCode, summary: InvitationSummary) {
        var code = try InvitationCode(text)
        if let reach { code.endpoint = reach }
        let summary = InvitationSummary(
            endpoint: code.endpoint, valid: valid, file: file, addresses: LocalAddresses.all, isService: isService)
        if let endpoint = summary.reached { code.endpoint = endpoint }
        return (code, summary)
    }

    /// Whether an endpoint stands for all addresses of a machine, so that nobody can connect to it.
    static func isAllAddresses(_ endpoint: Endpoint) -> Bool {
        guard case .tcp(let host, _) = endpoint.transport else { return false }
        return ["0.0.0.0", "*", "[::]"].contains(host)
    }

    /// How to let watches on other machines connect.
    private static func restart(port: UInt16, _ addresses: [String], isService: Bool) -> [String] {
        let endpoints = addresses.map { "\($0):\(port)" }
        guard !endpoints.isEmpty else { return ["For one on another machine this machine needs a network address."] }
        if isService {
            return [
                "For one on another machine, add such a line to /etc/default/poolsensors, run "
                    + "`sudo systemctl restart poolsensors-hub`, and make another code:"
            ] + endpoints.prefix(4).map { "  \(Catalog.hubListen.entry.variable)=\($0)" }
        }
        return choices(
            "For one on another machine, stop the hub, start it like this, and make another code:", "hub --listen",
            endpoints[...])
    }

    private static func choices(_ sentence: String, _ command: String, _ endpoints: ArraySlice<String>) -> [String] {
        endpoints.isEmpty ? [] : [sentence] + endpoints.prefix(4).map { "  poolsensors \(command) \($0)" }
    }
}
