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

    @Argument(help: ArgumentHelp("The quantity.", valueName: "quantity"), transform: QuantityWord.beforeOwner)
    var quantity: Quantity

    // A negative temperature looks like a flag.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Critical low, low, high, critical high.", valueName: "number"),
        transform: TypedValue.flag)
    var numbers: [TypedValue] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Below this it is critical.", valueName: "number"),
        transform: TypedValue.flag)
    var criticalLow: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Below this it warns.", valueName: "number"),
        transform: TypedValue.flag)
    var low: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Above this it warns.", valueName: "number"),
        transform: TypedValue.flag)
    var high: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Above this it is critical.", valueName: "number"),
        transform: TypedValue.flag)
    var criticalHigh: TypedValue?

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
        if numbers.count == 4 { try LimitsText.checkOrder(try limits(over: quantity.facts.limits), of: quantity) }
    }

    func run(in context: CommandContext) async throws {
        let found = try owner.owner(in: try await context.state())
        let limits = try limits(over: found.limits(of: quantity))
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
    func limits(over old: Limits) throws -> Limits {
        if numbers.count == 4 {
            let values = try numbers.map { try $0.value(of: quantity) }
            return Limits(criticalLow: values[0], low: values[1], high: values[2], criticalHigh: values[3])
        }
        return Limits(
            criticalLow: try criticalLow?.value(of: quantity) ?? old.criticalLow,
            low: try low?.value(of: quantity) ?? old.low, high: try high?.value(of: quantity) ?? old.high,
            criticalHigh: try criticalHigh?.value(of: quantity) ?? old.criticalHigh)
    }
}

/// Checks limits as people write them in a command.
enum LimitsText {
    /// Checks that no number lies outside of what the quantity can be, as `76` for `7.6`.
    ///
    /// - Throws: `ValidationError` with the number and the range.
    static func check(_ numbers: [TypedValue], of quantity: Quantity) throws {
        let range = quantity.plausibleRange
        for typed in numbers where !range.contains(try typed.value(of: quantity)) {
            let ends = [range.lowerBound, range.upperBound].map(quantity.shortText)
            let other = quantity.facts.units.first { unit in
                unit.unit.symbol != quantity.unit
                    && quantity.facts.usualRange.contains(unit.standardValue(typed.number))
            }
            let advice = other.map {
                "; for \($0.unit.rawValue) write \(NumberFormat.shortest(typed.number))\($0.unit.rawValue)"
            }
            throw ValidationError(
                "a limit of \(quantity.name) is \(NumberFormat.shortest(typed.number))\(typed.unit), expected "
                    + "\(ends[0]) to \(ends[1])\(typed.unit.isEmpty ? advice ?? "" : "")")
        }
    }

    /// Checks that limits rise.
    ///
    /// - Throws: `ValidationError` with all four.
    static func checkOrder(_ limits: Limits, of quantity: Quantity) throws {
        guard !limits.isOrdered else { return }
        let numbers = [limits.criticalLow, limits.low, limits.high, limits.criticalHigh].map(quantity.shortText)
        throw ValidationError(
            "the limits of \(quantity.name) would be \(numbers.joined(separator: ", ")): they "
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
