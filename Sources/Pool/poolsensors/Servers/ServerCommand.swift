import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The MQTT brokers that the hub connects to.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "The MQTT servers: add, edit, list, remove, test.",
        discussion: """
            Works whether the hub runs or not; a running hub applies a change at once. Name
            a server by its name or by the start of its id. A password is never an
            argument: give it with --password-file or --password-stdin, or type it when
            you are asked.

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
        commandName: "add", abstract: "Adds a server, if the connection to it works.",
        discussion: """
            The connection is tested first, by the hub if it runs: a server that refuses it
            or does not answer is not added. --no-test adds a server that cannot be reached
            now.

            Example:
              poolsensors server add --name Home --host broker.local --tls --username pool
              poolsensors server add --name Plant --host mqtt.lan --ca-file ca.pem \\
                --client-cert me.pem --client-key me.key
              poolsensors server add --name House --host 192.168.1.10 --announce

            \(ExitStatus.help(
                .success, .failure, .unreachable, .badCredentials, .tlsFailed, .timeout, .usage))
            """)

    @Option(help: ArgumentHelp(Server.field(\.name)))
    var name: String

    @OptionGroup var options: ServerOptions

    @OptionGroup var trial: ServerTrialOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if options.host == nil { throw ValidationError("Missing expected argument '--host <host>'") }
    }

    func run(in context: CommandContext) async throws {
        var patch = try await options.completePatch(isNew: true)
        patch.name = name
        try await trial.test(nil, patch, in: context)
        try await context.change(.edit(.addServer(patch)), json: json) { state in
            state.servers.first { $0.name == name }.map { ("\($0.id)", $0.name) }
        }
    }
}

/// Changes a server.
struct ServerEditCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes a server; what is not named stays as it is.",
        discussion: """
            A change of the connection is tested first, as by `server add`.

            Example:
              poolsensors server edit Garden --name Home --tls --port 8883

            \(ExitStatus.help(
                .success, .failure, .notFound, .unreachable, .badCredentials, .tlsFailed, .timeout, .usage))
            """)

    @Argument(help: ArgumentHelp("The server.", valueName: "server"))
    var server: String

    @Option(help: ArgumentHelp("Another name.", valueName: "name"))
    var name: String?

    @OptionGroup var options: ServerOptions

    @OptionGroup var trial: ServerTrialOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var patch = try await options.completePatch(isNew: false)
        patch.name = name
        if patch == ServerPatch() { throw ValidationError("say what to change, such as --name or --host") }
        let found = try await context.names().server(named: server)
        if patch.changesConnection { try await trial.test(found.server, patch, in: context) }
        try await context.change(.edit(.editServer(found.id, patch)), json: json)
    }
}

/// Lists the servers.
struct ServerListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the servers.",
        discussion: "The state of the connections is known only while the hub runs. Passwords are never shown.")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        if json.isOn { return try json.write(state.servers) }
        for line in ServerList.lines(state) { Output.standard.line(line) }
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

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let found = try state.server(named: server)
        let devices = state.devices.filter { $0.device.serverID == found.id }.map(\.name)
        let question: String
        switch ServerRemoval(server: found.name, devices: devices, withDevices: withDevices) {
        case .server(let text), .cascade(let text): question = text
        case .blocked(let sentence): throw CommandFailure(sentence)
        }
        guard try Prompt.confirm(question, isAnswered: yes) else { return Output.errors.line("nothing was changed") }
        // It fails if a device was added between the question and the answer.
        try json.write(
            done: try await context.ask(
                .edit(.removeServer(found.id, cascading: withDevices && !devices.isEmpty))))
    }
}
