import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Shows all data about a device.
struct DeviceShowCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a device with its mapping, values, limits, calibrations and counts.",
        discussion: "Example:\n  poolsensors device show Lagoon")

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let found = try state.device(named: device)
        let sheet = DeviceDescription(found, in: state, alerts: try await context.alertReport().state, at: .now)
        if json.isOn { return try json.write(sheet) }
        for line in sheet.lines { Output.standard.line(line) }
    }
}
