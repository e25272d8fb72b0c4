import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Prints a device's status in one line.
struct StatusCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows a device in one line, for status bars and scripts.",
        discussion: """
            The selected device, or the only one, unless one is named. ▲ and ▼ mark a value
            above or below its limits, ! one that is not fresh. It never says OK if a value
            is not fresh, or missing, or if an alert about the device is open.

            Placeholders of --format: {name} {pool} {status} {age} {alerts} {temperature}
            {ph} {chlorine} {orp}; {{ and }} for braces.

            Example:
              poolsensors status
              poolsensors status Lagoon --format '{temperature} pH {ph} {status}'

            Exit status: 0 OK, 2 warning, 3 critical, 4 not fresh, 69 no hub runs, 1 if
            there is no such device.
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("How the line is made.", valueName: "text"))
    var format: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Only ASCII characters.")
    var ascii = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if let format { _ = try StatusFormat(format) }
    }

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let found = try StatusLine.device(device, in: state)
        // Without the alerts, the status cannot be OK.
        let alerts = state.isRunning ? try await context.alertReport().state : nil
        let line = StatusLine(found, in: state, alerts: alerts, at: .now)
        if json {
            Output.standard.line(try JSONText.line(line))
        } else {
            let text = try format.map { try StatusFormat($0).text(line, isASCII: ascii) } ?? line.text(isASCII: ascii)
            Output.standard.line(PlainText.oneLine(text))
        }
        if line.exitStatus != 0 { throw ExitCode(line.exitStatus) }
    }
}
