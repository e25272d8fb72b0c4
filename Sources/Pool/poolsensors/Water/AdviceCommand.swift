import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Computes what to add to a pool.
struct AdviceCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "advice", abstract: "Suggests what to add to a pool, and how long to filter it.",
        discussion: """
            From the newest values of the pool's devices, its volume and what you give
            here: half of the computed amount of one product, pH before chlorine. It
            refuses old, doubtful and too few values, values on which two devices of the
            pool disagree, and steps above 10 mg/L of chlorine or 1.0 of pH; it waits for
            12 hours, or one turnover, after a logged dose for the same quantity. Nothing
            is dosed by it. See Docs/guide/chemistry.md.

            Log what you add: `poolsensors dose add`.

            Examples:
              poolsensors advice Garden --alkalinity 100 --cya 30
              poolsensors advice --product sodium-hypochlorite=9.6 --turnover 5
            """)

    @Argument(help: ArgumentHelp("The pool, by name or start of its id; the only one if left out.", valueName: "pool"))
    var pool: String?

    @Option(
        help: ArgumentHelp("The total alkalinity in mg/L as calcium carbonate.", valueName: "number"),
        transform: DecimalText.flag)
    var alkalinity: Double?

    @Option(help: ArgumentHelp("The cyanuric acid in mg/L.", valueName: "number"), transform: DecimalText.flag)
    var cya: Double?

    @Option(help: ArgumentHelp("The borates in mg/L, as boron.", valueName: "number"), transform: DecimalText.flag)
    var borates: Double?

    @Option(
        help: ArgumentHelp("The hours in which the pump moves all water once.", valueName: "hours"),
        transform: DecimalText.flag)
    var turnover: Double?

    @Option(
        help: ArgumentHelp(
            "A product at hand, with its strength in percent if it is another than the usual one.",
            valueName: "name[=percent]"), transform: AdviceNumbers.Product.init(flag:))
    var product: [AdviceNumbers.Product] = []

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    private var numbers: AdviceNumbers {
        AdviceNumbers(
            totalAlkalinity: alkalinity, cyanuricAcid: cya, borates: borates, turnoverHours: turnover,
            products: product)
    }

    func validate() throws {
        do {
            try numbers.validate()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run(in context: CommandContext) async throws {
        let names = try await context.names()
        let pool: Pool
        if let text = self.pool { pool = try names.pool(named: text) } else { pool = try names.solePool() }
        let advice = try await context.ask(.advice(pool.id, numbers))
        if json.isOn { return try json.write(AdviceReport(advice)) }
        for line in AdviceText.lines(advice) { Output.standard.line(PlainText.oneLine(line)) }
    }
}

extension AdviceNumbers.Product {
    /// Reads the value of a flag: the name of a product, and its strength behind `=`.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(flag text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let product = try ProductWord.product(String(parts[0]))
        self.init(product, strengthPercent: parts.count == 2 ? try DecimalText.flag(String(parts[1])) : nil)
    }
}

extension HubState {
    /// The only pool.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or if several could be meant.
    func solePool() throws(CommandFailure) -> Pool {
        guard pools.count == 1 else {
            throw CommandFailure(
                pools.isEmpty
                    ? "there is no pool yet; add one with: poolsensors pool add"
                    : "name a pool: \(pools.map(\.name).joined(separator: ", "))")
        }
        return pools[0]
    }
}

/// Advice as text for people.
enum AdviceText {
    static func lines(_ advice: Advice) -> [String] {
        let volume = advice.volume.map { DisplayUnits.current.text(volume: $0, decimals: 1) } ?? "volume unknown"
        var lines = ["\(advice.pool), \(volume)"]
        lines += advice.inputs.map { "  \(input($0, at: advice.at))" }
        for step in advice.steps { lines += self.lines(step) }
        switch advice.filtration {
        case .hours(let hours): lines.append("Filtration: \(NumberFormat.fixed(hours, decimals: 1)) h a day")
        case .refused(let reason): lines.append("Filtration: no advice: \(reason)")
        }
        lines += advice.assumptions.map { "  \($0)" }
        return lines
    }

    private static func input(_ input: Advice.Input, at now: Timestamp) -> String {
        let quantity = input.quantity
        let age = input.ageSeconds.map { "\(DurationText.text(.seconds($0))) old" } ?? "of unknown age"
        let calibration = input.calibratedAt.map { "calibrated \(HistoryTime.ago($0, at: now))" } ?? "not calibrated"
        let trend = input.trend.map { ", \($0.direction.word())" } ?? ""
        return "\(quantity.name) \(quantity.textWithUnit(input.value)) of \(input.device), \(age)\(trend), range "
            + "\(quantity.text(input.low)) to \(quantity.text(input.high)), \(calibration)"
    }

    private static func lines(_ step: Advice.Step) -> [String] {
        let name = step.quantity.name + (step.device.map { ", by \($0)" } ?? "")
        switch step.outcome {
        case .dose(let portions):
            let target = step.quantity.text(portions.target)
            let change = (portions.change > 0 ? "+" : "") + NumberFormat.fixed(portions.change, decimals: 2)
            return ["\(name): add one of these (\(change), half of the way to \(target)), then measure again:"]
                + portions.choices.map { "  \(amount($0)) \($0.product.name) \(percent($0.strengthPercent))" }
        case .nothing(let reason): return ["\(name): \(reason)"]
        case .wait(let reason, let moment):
            let until = moment.map { " until \(MomentText.of($0))" } ?? ""
            return ["\(name): wait\(until): \(reason)"]
        case .refused(let reason): return ["\(name): no advice: \(reason)"]
        }
    }

    private static func amount(_ portion: Advice.Portion) -> String {
        let least = Dose.text(portion.least, portion.unit)
        let greatest = Dose.text(portion.greatest, portion.unit)
        return least == greatest ? least : "\(least) to \(greatest)"
    }

    /// A strength, such as `31.45 %`.
    static func percent(_ value: Double) -> String { "\(NumberFormat.shortest(value, decimals: 2)) %" }
}
