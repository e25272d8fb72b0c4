import ArgumentParser
import CommandSupport
import Commands
import PoolModel
import PoolWatch

/// The flags of commands for a watch.
struct WatchOptions: ParsableArguments {
    @Option(help: Catalog.watchName.help)
    var name: String?

    @OptionGroup var json: JSONOptions
}

/// Renames a device.
struct WatchRenameCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Gives a device or a pool another name, here and then at the hub and on all watches.",
        discussion: """
            Works whether the watch runs or not, with and without a connection to the hub:
            the change is shown here at once. If the hub answers within 5 s, the command
            sends the change; otherwise it says what it waits for, and the watch sends the
            change later, while it runs. If someone else has changed the same thing, one of
            the two values is shown, and `poolsensors watch conflicts` lists the other one.

            Examples:
              poolsensors watch rename Lagoon "Big pool"
              poolsensors watch rename --pool Garden Backyard
            """)

    @Argument(help: ArgumentHelp("The device, or the pool.", valueName: "name"))
    var match: String

    @Argument(help: ArgumentHelp("Its new name.", valueName: "new-name"))
    var newName: String

    @Flag(help: "Rename a pool.")
    var pool = false

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        try await context.changeOnWatch(json: options.json) { configuration in
            pool
                ? .renamePool(try configuration.pool(matching: match).id, to: newName)
                : .renameDevice(try configuration.device(matching: match).id, to: newName)
        }
    }
}

/// Changes limits.
struct WatchLimitsCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "limits", abstract: "Gives a device other limits of a quantity, here and then everywhere.",
        discussion: """
            What is not named stays. Values outside of low and high are warned of, values
            outside of the critical limits are critical. Works as `poolsensors watch
            rename` does.

            Examples:
              poolsensors watch limits Lagoon ph --low 7.0 --high 7.4
              poolsensors watch limits Lagoon ph --standard
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Argument(
        help: ArgumentHelp("The quantity: \(Choice.words(Quantity.self)).", valueName: "quantity"),
        transform: QuantityWord.quantity)
    var quantity: Quantity

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The lowest value that is normal.", valueName: "value"),
        transform: TypedValue.flag)
    var low: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The highest value that is normal.", valueName: "value"),
        transform: TypedValue.flag)
    var high: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The lowest value that is not critical.", valueName: "value"),
        transform: TypedValue.flag)
    var criticalLow: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The highest value that is not critical.", valueName: "value"),
        transform: TypedValue.flag)
    var criticalHigh: TypedValue?

    @Flag(help: "Go back to the standard limits.")
    var standard = false

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func validate() throws {
        let given = [low, high, criticalLow, criticalHigh].compactMap(\.self)
        if standard, !given.isEmpty { throw ValidationError("give limits or --standard, not both") }
        if !standard, given.isEmpty { throw ValidationError("give at least one limit, or --standard") }
        try LimitsText.check(given, of: quantity)
    }

    func run(in context: CommandContext) async throws {
        try await context.changeOnWatch(json: options.json) { configuration in
            let device = try configuration.device(matching: device)
            if standard { return .setLimits(device.id, quantity, nil) }
            var limits = device.limits(for: quantity)
            if let low { limits.low = try low.value(of: quantity) }
            if let high { limits.high = try high.value(of: quantity) }
            if let criticalLow { limits.criticalLow = try criticalLow.value(of: quantity) }
            if let criticalHigh { limits.criticalHigh = try criticalHigh.value(of: quantity) }
            return .setLimits(device.id, quantity, limits)
        }
    }
}

/// Selects a device.
struct WatchSelectCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Selects the device that is shown, here and then at the hub and on all watches.",
        discussion: """
            To look at another device on this watch only, start it with --device. Works as
            `poolsensors watch rename` does.

            Example:
              poolsensors watch select Spa
            """)

    @Argument(help: ArgumentHelp("The device; without one none is selected.", valueName: "device"))
    var device: String?

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        try await context.changeOnWatch(json: options.json) { configuration in
            .select(try device.map { try configuration.device(matching: $0).id })
        }
    }
}
