import ArgumentParser
import CommandSupport
import Commands
import TerminalUI

/// The flags of commands that show the hub's screens.
struct ScreenOptions: ParsableArguments {
    @Option(help: Catalog.consoleColor.help)
    var color: String?

    @Option(help: Catalog.consoleTheme.help)
    var theme: String?

    @Flag(help: "Draw with nothing but ASCII.")
    var ascii = false

    @Flag(help: "Leave the mouse to the terminal.")
    var noMouse = false

    /// The flags that were given, by the keys of their settings.
    var flags: [String: String?] { [Catalog.consoleColor.key: color, Catalog.consoleTheme.key: theme] }

    /// What the terminal can show; nil if there is none that screens are for.
    func capabilities(in context: CommandContext) throws -> Capabilities? {
        let isTerminal = TerminalSession.isAvailable()
        let capabilities = Capabilities(
            choice: try context.settings.value(of: Catalog.consoleColor), isASCII: ascii,
            environment: context.environment, isTerminal: isTerminal)
        return isTerminal && !capabilities.needsPlainText ? capabilities : nil
    }

    /// What the screens are drawn with.
    ///
    /// Screens that are part of a demo, beside others, stay bright for as long as it runs.
    func shell(
        _ capabilities: Capabilities, in context: CommandContext, lifeline: String?, quits: QuitEffect
    ) throws -> ScreenStyle {
        ScreenStyle(
            capabilities: capabilities, theme: Theme(try context.settings.value(of: Catalog.consoleTheme)),
            usesMouse: !noMouse, unattendedAfter: lifeline == nil ? .seconds(120) : nil, quits: quits
        ) { context.remember($0.rawValue, as: Catalog.consoleTheme) }
    }
}

/// What the hub's screens are drawn with.
struct ScreenStyle: Sendable {
    var capabilities: Capabilities
    var theme: Theme
    var usesMouse: Bool
    /// After which time without a key they are dimmed; nil for never.
    var unattendedAfter: Duration?
    /// What ends with `q`.
    var quits: QuitEffect
    /// Called when the person has chosen light or dark.
    var rememberTheme: @Sendable (Theme.Appearance) -> Void
}
