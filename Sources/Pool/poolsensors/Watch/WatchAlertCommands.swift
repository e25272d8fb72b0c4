import ArgumentParser
import CommandSupport
import PoolModel
import PoolWatch

/// The alerts on a watch.
struct WatchAlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "The alerts on this watch: list, acknowledge, snooze.",
        discussion: """
            Works whether the watch runs or not, with and without a connection to the hub:
            an answer is shown here at once, and sent when this watch reaches the hub.
            """,
        subcommands: [
            WatchAlertsListCommand.self, WatchAcknowledgeCommand.self, WatchAlertsSnoozeCommand.self,
        ], defaultSubcommand: WatchAlertsListCommand.self)
}

/// Lists the alerts.
struct WatchAlertsListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the open alerts and the last notices on this watch.")

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let alerts = try await context.watchAlerts()
        if options.json.isOn { return try options.json.write(alerts) }
        for line in AlertList.lines(alerts.state, pending: alerts.pending, command: "poolsensors watch alerts") {
            Output.standard.line(line)
        }
        for notice in alerts.notices { Output.standard.line(AlertList.line(notice)) }
    }
}

/// Acknowledges alerts.
struct WatchAcknowledgeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "ack", abstract: "Acknowledges alerts, here and then at the hub.",
        discussion: """
            Without an argument it is the only open alert.

            Example:
              poolsensors watch ack 1
              poolsensors watch ack all --name Kitchen
            """, aliases: ["acknowledge"])

    @Argument(help: AcknowledgeText.argument)
    var alert: String?

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let state = try await context.watchAlerts().state
        let alerts = try context.meant { try state.alerts(matching: alert) }
        if alerts.isEmpty, !options.json.isOn { return Output.standard.line(AcknowledgeText.nothing) }
        for alert in alerts { try await context.changeOnWatch(.acknowledge(alert.episodeID), json: options.json) }
    }
}

/// Snoozes an alert.
struct WatchAlertsSnoozeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Snoozes an alert for a while, here and then at the hub.",
        discussion: "Example:\n  poolsensors watch alerts snooze 1 --for 2h")

    @Argument(help: ArgumentHelp("The alert: its number, key, or words of it.", valueName: "alert"))
    var alert: String

    @Option(name: .customLong("for"), help: ArgumentHelp("For how long: 1s to 7d.", valueName: "duration"))
    var duration: String

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func validate() throws { _ = try SnoozeText.seconds(duration) }

    func run(in context: CommandContext) async throws {
        let seconds = try SnoozeText.seconds(duration)
        try await context.changeOnWatch(.snooze(context.alertOnWatch(alert), seconds: seconds), json: options.json)
    }
}

extension CommandContext {
    /// The alerts as a watch shows them.
    fileprivate func watchAlerts() async throws -> WatchAlerts {
        guard case .alerts(let alerts) = try await askWatch(.alerts) else {
            throw CommandFailure("the watch gave another answer than its alerts; is it of another version?")
        }
        return alerts
    }

    /// The open alert that a person means by its number, its key, or words of it.
    fileprivate func alertOnWatch(_ text: String) async throws -> AlertEpisodeID {
        let alerts = try await watchAlerts().state
        return try meant { try alerts.alert(matching: text).episodeID }
    }
}
