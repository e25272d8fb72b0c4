import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Sets limits.
struct LimitsSetCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets the limits of a quantity.",
        discussion: """
            Either all four, from critical low to critical high, or single ones; the others
            stay as they are.

            Example:
              poolsensors limits set ph 6.8 7.0 7.6 7.8 --device Lagoon
              poolsensors limits set temperature --low 24 --pool Garden
            """)

    @Argument(help: ArgumentHelp("The quantity.", valueName: "quantity"), transform: QuantityWord.quantity)
    var quantity: Quantity

    // A negative temperature looks like a flag.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Critical low, low, high, critical high.", valueName: "number"),
        transform: DecimalText.flag)
    var numbers: [Double] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Below this it is critical.", valueName: "number"),
        transform: DecimalText.flag)
    var criticalLow: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Below this it warns.", valueName: "number"),
        transform: DecimalText.flag)
    var low: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Above this it warns.", valueName: "number"),
        transform: DecimalText.flag)
    var high: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Above this it is critical.", valueName: "number"),
        transform: DecimalText.flag)
    var criticalHigh: Double?

    @OptionGroup var owner: LimitsOwnerOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        try owner.checkOne()
        let single = [criticalLow, low, high, criticalHigh].compactMap(\.self)
        guard numbers.isEmpty ? !single.isEmpty : numbers.count == 4 && single.isEmpty else {
            throw ValidationError(
                numbers.isEmpty
                    ? "give four numbers, from critical low to critical high, or single ones such as --low 7.0"
                    : "there are \(numbers.count) numbers: give four, from critical low to critical high, and no --low "
                        + "or --high beside them")
        }
        try LimitsText.check(numbers + single, of: quantity)
        if numbers.count == 4 { try LimitsText.checkOrder(limits(over: quantity.facts.limits), of: quantity) }
    }

    func run(in context: CommandContext) async throws {
        let found = try owner.owner(in: try await context.state())
        let limits = limits(over: found.limits(of: quantity))
        do {
            try LimitsText.checkOrder(limits, of: quantity)
        } catch {
            // The others are those that it has.
            throw CommandFailure("\(error)")
        }
        if !json.isOn {
            for line in LimitsList.changes(of: found, to: [quantity: limits]) { Output.standard.line(line) }
        }
        try await context.change(.edit(.setLimits(found.owner, quantity, limits)), json: json)
    }

    /// The new limits.
    func limits(over old: Limits) -> Limits {
        if numbers.count == 4 {
            return Limits(criticalLow: numbers[0], low: numbers[1], high: numbers[2], criticalHigh: numbers[3])
        }
        return Limits(
            criticalLow: criticalLow ?? old.criticalLow, low: low ?? old.low, high: high ?? old.high,
            criticalHigh: criticalHigh ?? old.criticalHigh)
    }
}

/// Checks limits as people write them in a command.
enum LimitsText {
    /// Checks that no number lies outside of what the quantity can be, as `76` for `7.6`.
    ///
    /// - Throws: `ValidationError` with the number and the range.
    static func check(_ numbers: [Double], of quantity: Quantity) throws {
        let range = quantity.plausibleRange
        guard let wrong = numbers.first(where: { !range.contains($0) }) else { return }
        throw ValidationError(
            "a limit of \(quantity.name) is \(NumberFormat.shortest(wrong)), expected "
                + "\(NumberFormat.shortest(range.lowerBound)) to \(NumberFormat.shortest(range.upperBound))")
    }

    /// Checks that limits rise.
    ///
    /// - Throws: `ValidationError` with all four.
    static func checkOrder(_ limits: Limits, of quantity: Quantity) throws {
        guard !limits.isOrdered else { return }
        let numbers = [limits.criticalLow, limits.low, limits.high, limits.criticalHigh]
        throw ValidationError(
            "the limits of \(quantity.name) would be \(numbers.map(NumberFormat.shortest).joined(separator: ", ")): they "
                + "must rise, critical low ≤ low < high ≤ critical high")
    }
}

/// Removes limits.
struct LimitsClearCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Takes own limits away, so that the pool's or the standard ones hold; it asks.",
        discussion: "Example:\n  poolsensors limits clear ph --device Lagoon")

    @Argument(
        help: ArgumentHelp("The quantity; all by default.", valueName: "quantity"), transform: QuantityWord.quantity)
    var quantity: Quantity?

    @OptionGroup var owner: LimitsOwnerOptions

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws { try owner.checkOne() }

    func run(in context: CommandContext) async throws {
        let found = try owner.owner(in: try await context.state())
        let owned = (quantity.map { [$0] } ?? Quantity.allCases).filter(found.isOwn)
        guard !owned.isEmpty else {
            let what = quantity.map { " of \($0.name)" } ?? ""
            return try json.write(done: "\(found.words) has no other limits\(what)")
        }
        let names = owned.map(\.name).joined(separator: ", ")
        guard try Prompt.confirm("Take the limits of \(names) from \(found.words)?", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.edit(.clearLimits(found.owner, owned)), json: json)
    }
}
