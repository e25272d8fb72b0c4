import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import WaterChemistry

/// Calibrates the probes.
struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate", abstract: "Calibrates a probe: step by step, or with numbers; lists, removes.",
        discussion: """
            `poolsensors calibrate Lagoon ph` asks step by step, in English or French, and
            shows what the device sends meanwhile. What the device sent is kept as it is:
            a calibration changes what is shown, from a moment on, and can be removed.
            """,
        subcommands: [
            CalibrateWizardCommand.self, CalibrateAddCommand.self, CalibrateListCommand.self,
            CalibrateRemoveCommand.self,
        ], defaultSubcommand: CalibrateWizardCommand.self)
}

/// Quantities as people write them in a command.
enum QuantityWord {
    /// The quantity of a word, in any case: its key, or an alias such as `temp`.
    ///
    /// - Throws: `ValidationError` with the list of quantities.
    static func quantity(_ text: String) throws -> Quantity {
        let word = text.lowercased()
        guard let quantity = Quantity.allCases.first(where: { $0.rawValue == word || $0.facts.aliases.contains(word) })
        else {
            throw ValidationError("\"\(text)\" is not a quantity, expected one of: \(Choice.words(Quantity.self))")
        }
        return quantity
    }

    /// The quantity of a word, in a command that takes what it belongs to by an option.
    ///
    /// - Throws: `ValidationError` with the list of quantities and the options.
    static func beforeOwner(_ text: String) throws -> Quantity {
        do {
            return try quantity(text)
        } catch {
            throw ValidationError("\(error); a device goes after --device, a pool after --pool")
        }
    }
}

/// The flag for the person who calibrates.
struct AuthorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who does it; your user name by default.", valueName: "name"))
    var author: String?

    /// The name.
    var name: String { author ?? NSUserName() }
}

/// Calibrates with step-by-step questions.
struct CalibrateWizardCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "wizard", abstract: "Asks step by step; so does `calibrate` alone.",
        usage: "poolsensors calibrate <device> <quantity> [<options>]",
        discussion: """
            `back` goes a step back, `cancel` changes nothing. Answers may also come
            through a pipe, one in a line.

            Example:
              poolsensors calibrate Lagoon ph
              poolsensors calibrate Lagoon chlorine --language fr
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Argument(
        help: ArgumentHelp("What is calibrated: \(Choice.words(Quantity.self)).", valueName: "quantity"),
        transform: QuantityWord.quantity)
    var quantity: Quantity

    @Option(help: ArgumentHelp("The language, en or fr; that of LANG by default.", valueName: "language"))
    var language: String?

    @OptionGroup var author: AuthorOptions

    @Flag(help: "Let a full series lose its oldest calibration.")
    var dropOldest = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if let language, TextLanguage(code: language) == nil {
            throw ValidationError("--language is \"\(language)\", expected en or fr")
        }
    }

    func run(in context: CommandContext) async throws {
        let found = try await context.state().device(named: device)
        let wizard = CalibrationWizard(
            quantity: quantity,
            language: language.flatMap { TextLanguage(code: $0) } ?? TextLanguage(environment: context.environment),
            author: author.name, current: found.device.calibrations[quantity]?.calibration(at: .now))
        let session = WizardSession(
            wizard, writes: { Output.standard.write($0) }, isTerminal: Prompt.isAvailable && Output.standard.isTerminal)
        let result = try await session.run(answers: TypedLines.standardInput()) {
            // While the hub does not answer, the person can still type the value that the device shows.
            guard let state = try? await context.ask(.state) else { return nil }
            return state.devices.first { $0.id == found.id }?.rawReadings?[quantity]
        }
        guard let result else { return }
        try await context.change(
            .edit(
                .addCalibration(
                    found.id, quantity, result.calibration, isForced: result.needsForce(for: quantity),
                    dropsOldest: dropOldest)))
    }
}

extension CalibrationResult {
    /// Whether it is only possible if a person forces it.
    func needsForce(for quantity: Quantity) -> Bool {
        do throws(CalibrationError) {
            try calibration.check(for: quantity)
            return false
        } catch {
            return error.isForcible
        }
    }
}

extension TextLanguage {
    /// The language of a code such as `fr`, `fr_CA.UTF-8` or `french`; nil for another one.
    init?(code: String) {
        switch code.prefix(2).lowercased() {
        case "en": self = .english
        case "fr": self = .french
        default: return nil
        }
    }

    /// The language of a process; English unless its variables say French.
    init(environment: Environment) {
        let code = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = code.flatMap { TextLanguage(code: $0) } ?? .english
    }
}
