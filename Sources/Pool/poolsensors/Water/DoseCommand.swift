import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// The log of doses.
struct DoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dose", abstract: "The log of what was added to the water: add, list, remove.",
        discussion: """
            Advice waits after a dose, and forecasts begin anew at it. The hub keeps the
            newest 10000 doses, in the file of the readings and so in each backup. Works on
            a running hub and at rest; on a watch, see `poolsensors watch dose --help`.

            Example:
              poolsensors dose add Garden sodium-hypochlorite 400mL
              poolsensors dose list Garden
            """,
        subcommands: [DoseAddCommand.self, DoseListCommand.self, DoseRemoveCommand.self])
}

/// What describes a dose on a command line.
struct DoseOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The pool, by name or start of its id.", valueName: "pool"))
    var pool: String

    @Argument(
        help: ArgumentHelp(
            "The product: \(Choice.words(DoseProduct.self)); or its name, such as \"pH minus\".", valueName: "product"))
    var product: String

    @Argument(
        help: ArgumentHelp("How much, such as 150g, 1.5kg, 400mL or 1L.", valueName: "amount"),
        transform: DoseAmount.init(flag:))
    var amount: DoseAmount

    @Option(
        help: ArgumentHelp("The strength on its label; the usual one if left out.", valueName: "percent"),
        transform: DecimalText.flag)
    var strength: Double?

    @Option(
        help: ArgumentHelp(
            "When it was added, such as 2026-06-01T12:00 in local time; now if left out.", valueName: "moment"))
    var at: String?

    @Option(help: ArgumentHelp("A note, such as what another product is.", valueName: "text"))
    var note: String?

    func validate() throws {
        _ = try meantProduct()
        if let at, MomentText.moment(at) == nil {
            throw ValidationError("--at is \(at), expected \(MomentText.expected)")
        }
    }

    /// The product that the person means; its amount tells a dry one from a liquid.
    private func meantProduct() throws -> DoseProduct { try ProductWord.product(product, in: amount.unit) }

    /// The dose, with an identifier of its own.
    ///
    /// - Throws: `ValidationError` if it is not clear which product is meant.
    func dose(in pool: PoolID, by author: String, at now: Timestamp) throws -> Dose {
        var generator = SystemRandomNumberGenerator()
        return Dose(
            id: DoseID(using: &generator), poolID: pool, product: try meantProduct(), amount: amount.amount,
            unit: amount.unit,
            strengthPercent: strength, at: at.flatMap { MomentText.moment($0) } ?? now, author: author, note: note)
    }
}

/// An amount as people type it.
struct DoseAmount: Equatable, Sendable {
    var amount: Double
    var unit: Dose.Unit

    /// Reads the value of an argument: a number with `g`, `kg`, `mL` or `L`.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(flag text: String) throws {
        let units: [String: (factor: Double, unit: Dose.Unit)] = [
            "g": (1, .grams), "kg": (1000, .grams), "ml": (1, .millilitres), "l": (1000, .millilitres),
        ]
        let letters = text.reversed().prefix { $0.isLetter }.reversed()
        let digits = text.dropLast(letters.count).filter { $0 != " " }
        guard let (factor, unit) = units[String(letters).lowercased()], let number = DecimalText.number(digits),
            number > 0
        else { throw ValidationError("\(text) is not an amount such as 150g, 1.5kg, 400mL or 1L") }
        amount = number * factor
        self.unit = unit
    }
}

/// Logs a dose.
struct DoseAddCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Logs what was added to a pool.",
        discussion: """
            Granules are given in g or kg, liquids in mL or L.

            Examples:
              poolsensors dose add Garden calcium-hypochlorite 150g
              poolsensors dose add Garden other 200mL --note "algaecide"
            """)

    @OptionGroup var dose: DoseOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let pool = try await context.names().pool(named: dose.pool)
        let logged = try dose.dose(in: pool.id, by: "hub", at: .now)
        let dose = try await context.ask(.addDose(logged)).dose
        if json.isOn { return try json.write(DoseRecord(dose, pool: pool.name)) }
        Output.standard.line(
            PlainText.oneLine(
                "logged \(dose.amountText) \(dose.product.name) in \(pool.name) (\(DoseRecord.short(dose.id)))"))
    }
}

/// Lists doses.
struct DoseListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the logged doses, newest first.",
        discussion: "Times are local; in JSON they are UTC.\n\nExample:\n  poolsensors dose list Garden --limit 5")

    @Argument(help: ArgumentHelp("The pool, by name or start of its id; all if left out.", valueName: "pool"))
    var pool: String?

    @Option(help: ArgumentHelp("How many doses to list.", valueName: "count"))
    var limit = 20

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard (1...DoseRequest.listMax).contains(limit) else {
            throw ValidationError("--limit is \(limit), expected 1 to \(DoseRequest.listMax)")
        }
    }

    func run(in context: CommandContext) async throws {
        let names = try await context.names()
        let pool = try pool.map { try names.pool(named: $0).id }
        let doses = try await context.doses(of: pool, limit: limit)
        let records = doses.map { DoseRecord($0, pool: names.pool($0.poolID)?.name ?? "\($0.poolID)") }
        if json.isOn { return try json.write(records) }
        for line in DoseRecord.lines(records, at: .now) { Output.standard.line(line) }
    }
}

/// Removes a dose.
struct DoseRemoveCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a dose from the log; it asks first.",
        discussion: "Example:\n  poolsensors dose remove 3f2a --yes")

    @Argument(help: ArgumentHelp("The start of the dose's id, as `dose list` shows it.", valueName: "id"))
    var id: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let start = id.lowercased()
        let found = try await context.doses(of: nil, limit: DoseRequest.listMax)
            .filter { "\($0.id)".hasPrefix(start) }
        guard let dose = found.first, !start.isEmpty else {
            throw CommandFailure(
                "there is no dose whose id begins with \(PlainText.oneLine(id)); see: poolsensors dose list",
                exitStatus: .notFound)
        }
        guard found.count == 1 else {
            throw CommandFailure("\(found.count) doses have an id that begins with \(start): give more of it")
        }
        let question = "Remove the dose of \(dose.amountText) \(dose.product.name) at \(MomentText.of(dose.at))?"
        guard try Prompt.confirm(question, isAnswered: yes) else { return Output.errors.line("nothing was changed") }
        try await context.change(.removeDose(dose.id), json: json)
    }
}

extension CommandContext {
    /// The logged doses, newest first.
    func doses(of pool: PoolID?, limit: Int) async throws -> [Dose] {
        try await ask(.doses(of: pool, limit: limit))
    }
}

extension DoseRecord {
    /// The start of an identifier, by which people tell doses apart.
    static func short(_ id: DoseID) -> String { String("\(id)".prefix(8)) }

    /// The table of doses.
    static func lines(_ records: [DoseRecord], at now: Timestamp) -> [String] {
        guard !records.isEmpty else { return ["No dose is logged."] }
        var table = TextTable("id", "when", "", "pool", "amount", "product", "by", "note")
        for record in records {
            let dose = record.dose
            let strength = dose.strengthPercent.map { " \(AdviceText.percent($0))" } ?? ""
            table.add(
                short(dose.id), MomentText.of(dose.at), HistoryTime.ago(dose.at, at: now), record.pool,
                dose.amountText, dose.product.name + strength, dose.author, dose.note ?? "")
        }
        return table.lines
    }
}
