import ArgumentParser
import PoolHub
import PoolModel

/// The MQTT brokers that the hub connects to.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "The MQTT servers: add, edit, list, remove, test.",
        discussion: """
            Works on a running hub, which follows at once, and at rest. A server is
            named by its name or by the start of its id. Passwords are never arguments:
            they come from --password-file, from --password-stdin, or are asked for at
            the terminal.

            Example:
              poolsensors server add --name Garden --host 192.168.1.10
              poolsensors server test Garden
            """,
        subcommands: [
            ServerAddCommand.self, ServerEditCommand.self, ServerListCommand.self, ServerRemoveCommand.self,
            ServerTestCommand.self,
        ])
}

/// Adds a server.
struct ServerAddCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a server.",
        discussion: """
            Example:
              poolsensors server add --name Home --host broker.local --tls --username pool
              poolsensors server add --name Plant --host mqtt.lan --ca-file ca.pem --client-cert me.pem --client-key me.key
              poolsensors server add --name House --host 192.168.1.10 --announce
            """)

    @Option(help: ArgumentHelp("A name for the server.", valueName: "name"))
    var name: String

    @OptionGroup var options: ServerOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if options.host == nil { throw ValidationError("Missing expected argument '--host <host>'") }
    }

    func run(in context: CommandContext) async throws {
        var draft = try await options.completeDraft(isNew: true)
        draft.name = name
        try await context.change(.addServer(draft))
    }
}

/// Changes a server.
struct ServerEditCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes a server; what is not named stays as it is.",
        discussion: """
            Example:
              poolsensors server edit Garden --name Home --tls --port 8883
            """)

    @Argument(help: ArgumentHelp("The server.", valueName: "server"))
    var server: String

    @Option(help: ArgumentHelp("Another name.", valueName: "name"))
    var name: String?

    @OptionGroup var options: ServerOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var draft = try await options.completeDraft(isNew: false)
        draft.name = name
        try await context.change(.editServer(server, draft))
    }
}

/// Lists the servers.
struct ServerListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the servers.",
        discussion: "The state of the connections is known only while the hub runs. Passwords are never shown.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let report = try await context.report()
        if json { return Output.standard.line(try JSONText.pretty(report.servers)) }
        for line in ServerList.lines(report) { Output.standard.line(line) }
    }
}

/// Removes a server.
struct ServerRemoveCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a server; it asks first.",
        discussion: """
            A server that has devices stays, unless --with-devices is given. Their
            readings stay in the hub's history.

            Example:
              poolsensors server remove Garden --with-devices --yes
            """)

    @Argument(help: ArgumentHelp("The server.", valueName: "server"))
    var server: String

    @Flag(help: "Remove its devices too.")
    var withDevices = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let report = try await context.report()
        let found = try ServerList.server(server, in: report)
        let devices = report.devices.filter { $0.serverID == found.id }.map(\.name)
        let question: String
        switch ServerRemoval(server: found.name, devices: devices, withDevices: withDevices) {
        case .server(let text), .cascade(let text): question = text
        case .blocked(let sentence): throw CommandFailure(sentence)
        }
        guard try Prompt.confirm(question, isAnswered: yes) else { return Output.errors.line("nothing was changed") }
        let answer = try await context.ask(.removeServer("\(found.id)", cascading: withDevices && !devices.isEmpty))
        switch answer {
        case .done(let sentence): Output.standard.line(PlainText.oneLine(sentence))
        case .serverHasDevices(let name, let devices):
            // Somebody added a device between the question and the answer.
            if case .blocked(let sentence) = ServerRemoval(server: name, devices: devices, withDevices: false) {
                throw CommandFailure(sentence)
            }
        default: throw CommandFailure("the hub gave another answer than to a removal; is it of another version?")
        }
    }
}

/// The servers in words.
enum ServerList {
    static func lines(_ report: HubReport) -> [String] {
        guard !report.servers.isEmpty else {
            return ["There is no server yet; add one with: poolsensors server add --name NAME --host HOST"]
        }
        var table = TextTable(
            "server", "address", "tls", "user", "password", "mqtt", "announced", "devices", "state", "id")
        var sentences: [String] = []
        for server in report.servers {
            let deviceCount = report.devices.count { $0.serverID == server.id }
            // A hub connects only to servers from which something can come.
            let isIdle = report.isRunning && deviceCount == 0
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            table.add(
                server.name, "\(host):\(server.port)", tls(server), server.username ?? "",
                server.hasPassword ? "kept" : "", server.protocolVersion.rawValue,
                server.announcementPrefix ?? "", "\(deviceCount)",
                server.stateWord ?? (isIdle ? "not needed" : ""), String("\(server.id)".prefix(8)))
            // A table holds words; what takes a sentence stands below it.
            if let state = server.state, state != server.stateWord { sentences.append("\(server.name): \(state)") }
            if isIdle { sentences.append("\(server.name): no device needs a connection yet") }
        }
        return table.lines + sentences.map(PlainText.oneLine)
            + report.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }

    private static func tls(_ server: HubReport.ServerReport) -> String {
        guard server.usesTLS else { return "" }
        let files = [server.caFile, server.clientCertificate.map { "as \($0.certificateFile)" }].compactMap(\.self)
        return (["yes"] + files).joined(separator: ", ")
    }

    /// The server that a person means.
    static func server(_ text: String, in report: HubReport) throws -> HubReport.ServerReport {
        do {
            // The model knows what a person means by a text; it needs no more than names and identities for that.
            let configuration = try report.servers.reduce(PoolConfiguration()) { known, server in
                try known.adding(Server(id: server.id, name: server.name, host: server.host))
            }
            let id = try configuration.server(matching: text).id
            guard let found = report.servers.first(where: { $0.id == id }) else {
                preconditionFailure("the server \(id) was found in a list that does not have it")
            }
            return found
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
