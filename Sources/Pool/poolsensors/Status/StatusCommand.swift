import ArgumentParser
import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel
import TerminalUI

/// Prints a device's status in one line.
struct StatusCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Says whether you can swim, and shows a device in one line.",
        discussion: """
            It begins with one sentence, in French if LANG says so: of several pools, about
            the worst one. Then comes the selected device, or the only one, unless one is
            named. ↗, → and ↘ say what rose, stayed or fell in the last hour. ▲ and ▼ mark
            a value above or below its limits, ! one that is not fresh, – one that should
            come and never came. What the device does not measure is left out. It never
            says OK if a value is not fresh, or missing, or if an alert about the device is
            open. WAS CRITICAL is about an old value among fresh ones.

            Fields of --format: \(GlanceFormat.fields)

            In --format, {{ and }} are braces. `poolsensors watch --format` has the same
            fields.

            Example:
              poolsensors status
              poolsensors status Lagoon --format '{temperature} pH {ph} {status}'

            \(ExitStatus.help(.success, .failure, .warning, .critical, .notFresh, .notFound, .noHub))
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("How the line is made.", valueName: "text"))
    var format: String?

    @OptionGroup var json: JSONOptions

    @Flag(help: "Only ASCII characters.")
    var ascii = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if let format { _ = try GlanceFormat.checked(format) }
    }

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        let found = try StatusLine.device(device, in: state, folders: try context.folders)
        let line = StatusLine(
            found, isNamed: device != nil, in: state, alerts: try await context.alertReport().state, at: .now)
        if json.isOn {
            try json.write(line.glance.record(status: line.label))
        } else {
            let text =
                try format.map { try GlanceFormat.checked($0).text(line.glance, status: line.word, isASCII: ascii) }
                ?? line.text(isASCII: ascii, language: TextLanguage(environment: context.environment))
            Output.standard.line(PlainText.oneLine(text))
        }
        if line.exitStatus != .success { throw ExitCode(line.exitStatus) }
    }
}
