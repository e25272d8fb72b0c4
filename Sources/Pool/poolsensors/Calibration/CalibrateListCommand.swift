import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel
import WaterChemistry

/// Lists calibrations.
struct CalibrateListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the calibrations with their age and what they say of the probe.",
        discussion: "Example:\n  poolsensors calibrate list Lagoon")

    @Argument(help: ArgumentHelp("The device; all by default.", valueName: "device"))
    var device: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let devices = try device.map { [try state.device(named: $0)] } ?? state.devices
        let now = Timestamp.now
        let reports = devices.map { CalibrationReport($0.device, at: now) }
        if json.isOn { return try json.write(reports) }
        for line in CalibrationList.lines(reports) { Output.standard.line(line) }
    }
}

/// Removes a calibration.
struct CalibrateRemoveCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a calibration; it asks first. The one before it applies again.",
        discussion: """
            Example:
              poolsensors calibrate remove Lagoon ph
              poolsensors calibrate remove Lagoon ph --valid-from 2026-06-01T12:00:00Z --yes
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @Argument(help: ArgumentHelp("What was calibrated.", valueName: "quantity"), transform: QuantityWord.quantity)
    var quantity: Quantity

    @Option(help: ArgumentHelp("The one that begins then; the last one by default.", valueName: "time"))
    var validFrom: String?

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws { _ = try CalibrationTime.moment(validFrom) }

    func run(in context: CommandContext) async throws {
        let found = try await context.state().device(named: device)
        let versions = found.device.calibrations[quantity]?.versions ?? []
        guard let last = versions.last else {
            throw CommandFailure("\(quantity.name) of \(found.name) is not calibrated, so there is nothing to remove")
        }
        // Lists have whole seconds.
        let typed = try CalibrationTime.moment(validFrom)
        let start =
            typed.map { typed in
                versions.last { (0..<1000).contains($0.validFrom.milliseconds(since: typed)) }?.validFrom ?? typed
            } ?? last.validFrom
        // Otherwise the hub's error lists the existing ones.
        if let calibration = versions.first(where: { $0.validFrom == start }) {
            let question =
                "Remove the calibration of \(quantity.name) of \"\(found.name)\" that begins at "
                + "\(MomentText.of(calibration.validFrom)) (\(CalibrationChange.formula(calibration)))?"
            guard try Prompt.confirm(question, isAnswered: yes) else {
                return Output.errors.line("nothing was changed")
            }
        }
        try await context.change(.edit(.removeCalibration(found.id, quantity, validFrom: start)), json: json)
    }
}
