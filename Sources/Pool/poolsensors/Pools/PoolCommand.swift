import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The pools that devices belong to.
struct PoolCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pool", abstract: "The pools: add, edit, list, remove.",
        discussion: """
            A pool groups devices. Its limits apply to those of its devices that have no
            other limits. Works whether the hub runs or not; a running hub applies a change
            at once.

            Example:
              poolsensors pool add --name Garden --volume 48
              poolsensors device edit Lagoon --pool Garden
            """,
        subcommands: [PoolAddCommand.self, PoolEditCommand.self, PoolListCommand.self, PoolRemoveCommand.self])
}

/// Adds a pool.
struct PoolAddCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a pool.",
        discussion: "Example:\n  poolsensors pool add --name Garden --volume 48")

    @Option(help: ArgumentHelp(Pool.field(\.name)))
    var name: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(Pool.field(\.volume)),
        transform: TypedValue.flag)
    var volume: TypedValue?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var patch = PoolPatch()
        patch.name = name
        patch.volume = try volume?.cubicMetres()
        try await context.change(.edit(.addPool(patch)), json: json) { state in
            state.pools.first { $0.name == name }.map { ("\($0.id)", $0.name) }
        }
    }
}

/// Changes a pool.
struct PoolEditCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes a pool; what is not named stays as it is.",
        discussion: "Example:\n  poolsensors pool edit Garden --name \"Big garden\"")

    @Argument(help: ArgumentHelp("The pool, by name or start of its id.", valueName: "pool"))
    var pool: String

    @Option(help: ArgumentHelp("Another name.", valueName: "name"))
    var name: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The volume of its water, such as 48, 48m3 or 12700gal; 0 for unknown.", valueName: "volume"),
        transform: TypedValue.flag)
    var volume: TypedValue?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var patch = PoolPatch()
        patch.name = name
        patch.volume = try volume?.cubicMetres()
        if patch == PoolPatch() { throw ValidationError("say what to change: --name, --volume, or both") }
        let id = try await context.names().pool(named: pool).id
        try await context.change(.edit(.editPool(id, patch)), json: json)
    }
}

/// Lists the pools.
struct PoolListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the pools with their devices and limits.",
        discussion: "Example:\n  poolsensors pool list --json")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        if json.isOn { return try json.write(PoolList.rows(state)) }
        for line in PoolList.lines(state) { Output.standard.line(line) }
    }
}

/// Removes a pool.
struct PoolRemoveCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a pool; it asks first. Its devices stay.",
        discussion: "Example:\n  poolsensors pool remove Garden --yes")

    @Argument(help: ArgumentHelp("The pool, by name or start of its id.", valueName: "pool"))
    var pool: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let found = try state.pool(named: pool)
        let devices = state.devices(of: found.id).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let rest = devices.isEmpty ? "" : " Its limits no longer hold for \(devices)."
        guard try Prompt.confirm("Remove the pool \"\(found.name)\"?\(rest)", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.edit(.removePool(found.id)), json: json)
    }
}
