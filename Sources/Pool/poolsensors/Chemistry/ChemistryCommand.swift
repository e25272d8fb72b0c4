import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Computes properties of the water from pH, temperature and a few other numbers.
struct ChemistryCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "chemistry", abstract: "Computes the active chlorine and the saturation index of water.",
        discussion: """
            An estimate, printed with its assumptions; see Docs/guide/chemistry.md. With a
            device, its newest pH, temperature and chlorine are taken where no flag gives
            them, and refused unless they are fresh. The saturation index needs calcium
            hardness and alkalinity. Amounts are in mg/L, hardness and alkalinity as
            calcium carbonate.

            Example:
              poolsensors chemistry --ph 7.5 --temperature 26 --chlorine 1.5
              poolsensors chemistry Lagoon --calcium 250 --alkalinity 100 --cya 30
            """)

    @Argument(help: ArgumentHelp("The device whose newest values are taken.", valueName: "device"))
    var device: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The pH.", valueName: "number"), transform: DecimalText.flag)
    var ph: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The water temperature, such as 26 or 79F.", valueName: "number"),
        transform: TypedValue.flag)
    var temperature: TypedValue?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The free chlorine.", valueName: "number"),
        transform: DecimalText.flag)
    var chlorine: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The calcium hardness.", valueName: "number"),
        transform: DecimalText.flag)
    var calcium: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The total alkalinity.", valueName: "number"),
        transform: DecimalText.flag)
    var alkalinity: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The cyanuric acid.", valueName: "number"),
        transform: DecimalText.flag)
    var cya: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("All that is dissolved.", valueName: "number"),
        transform: DecimalText.flag)
    var tds: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The salt, in the place of --tds.", valueName: "number"),
        transform: DecimalText.flag)
    var salt: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The borates, as boron.", valueName: "number"),
        transform: DecimalText.flag)
    var borates: Double?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if device == nil, ph == nil || temperature == nil {
            throw ValidationError("give --ph and --temperature, or name a device that measures them")
        }
        if tds != nil, salt != nil { throw ValidationError("give --tds or --salt: salt is most of what is dissolved") }
        if (calcium == nil) != (alkalinity == nil) {
            throw ValidationError("the saturation index needs both: --calcium and --alkalinity")
        }
    }

    func run(in context: CommandContext) async throws {
        var water = WaterNumbers(
            ph: ph, celsius: try temperature?.value(of: .temperature), chlorine: chlorine, calcium: calcium,
            alkalinity: alkalinity,
            cyanuricAcid: cya, dissolved: tds ?? salt, borates: borates)
        if let device {
            let found = try await context.state().device(named: device)
            try water.fill(from: found, at: .now)
        }
        let sheet = try ChemistryReport(water)
        if json.isOn { return try json.write(sheet) }
        for line in sheet.lines { Output.standard.line(line) }
    }
}
