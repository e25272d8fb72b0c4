import ArgumentParser
import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import Service

/// The alerts.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "The alerts: list, acknowledge, snooze, test, settings, phones.",
        discussion: """
            An alert is open from the moment at which a problem is detected until it has
            passed. It is repeated until you acknowledge it. Name an alert by its number in
            the list, by its key, or by a part of its words. Works whether the hub runs or
            not; on a watch see `poolsensors watch alerts --help`.
            """,
        subcommands: [
            AlertsListCommand.self, AcknowledgeCommand.self, AlertsSnoozeCommand.self, AlertsTestCommand.self,
            AlertsSettingsCommand.self, AlertsChannelCommand.self,
        ],
        defaultSubcommand: AlertsListCommand.self)
}

/// Lists the alerts.
struct AlertsListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the open alerts; with --log the last notices, too.",
        discussion: "Example:\n  poolsensors alerts --log 20 --json")

    @Option(help: ArgumentHelp("Also list so many of the last notices.", valueName: "count"))
    var log: Int = 0

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard (0...10_000).contains(log) else { throw ValidationError("the log has 0 to 10000 notices, not \(log)") }
    }

    func run(in context: CommandContext) async throws {
        let report = try await context.alertReport(notices: log)
        if json.isOn { return try json.write(report) }
        for line in AlertList.lines(report.state, command: "poolsensors alerts") { Output.standard.line(line) }
        for line in AlertList.problems(report) { Output.standard.line(line) }
        for notice in report.notices { Output.standard.line(AlertList.line(notice)) }
    }
}

/// Acknowledges alerts.
struct AcknowledgeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "ack", abstract: "Acknowledges alerts: they are not repeated unless they get worse.",
        discussion: """
            Without an argument it is the only open alert. On a watch see `poolsensors
            watch ack --help`.

            Example:
              poolsensors ack
              poolsensors ack 1
              poolsensors ack Lagoon
              poolsensors ack all
            """, aliases: ["acknowledge"])

    @Argument(help: AcknowledgeText.argument)
    var alert: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.alertReport().state
        let alerts = try context.meant { try state.alerts(matching: alert) }
        if alerts.isEmpty, !json.isOn { return Output.standard.line(AcknowledgeText.nothing) }
        for alert in alerts { try await context.change(.alerts(.acknowledge(alert.episodeID)), json: json) }
    }
}

/// The texts of the commands that acknowledge alerts.
enum AcknowledgeText {
    static let argument = ArgumentHelp(
        "The alert, by number, key or words of it; a device; or all.", valueName: "alert|device|all")
    static let nothing = "No alert is open."
}

/// Snoozes an alert.
struct AlertsSnoozeCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Snoozes an alert: it is not repeated for a while unless it gets worse.",
        discussion: "Example:\n  poolsensors alerts snooze 1 --for 2h")

    @Argument(help: ArgumentHelp("The alert: its number, key, or words of it.", valueName: "alert"))
    var alert: String

    @Option(name: .customLong("for"), help: ArgumentHelp("For how long: 1s to 7d.", valueName: "duration"))
    var duration: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws { _ = try SnoozeText.seconds(duration) }

    func run(in context: CommandContext) async throws {
        let seconds = try SnoozeText.seconds(duration)
        let episode = try await context.openAlert(alert)
        try await context.change(.alerts(.snooze(episode, seconds: seconds)), json: json)
    }
}

/// Sends a test alert.
struct AlertsTestCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a test alert over every channel that is switched on, or over one.",
        discussion: """
            With the name of a channel it sends at once, and prints whether the channel
            accepted it. Services for phones are tested without a running hub, too; all
            else needs one. See `poolsensors alerts settings` for the channels.

            Example:
              poolsensors alerts test
              poolsensors alerts test ntfy
            """)

    @Argument(
        help: ArgumentHelp("The channel, such as mqtt, webhook, ntfy; without it, all.", valueName: "channel"))
    var channel: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws { _ = try found() }

    func run(in context: CommandContext) async throws {
        if let channel = try found() { return try await context.change(.alerts(.testChannel(channel)), json: json) }
        guard try await context.state().isRunning else {
            throw CommandFailure(ServiceFailure.notRunning(HubFolder.service(path: try context.folders.hub)))
        }
        try await context.change(.alerts(.test), json: json)
    }

    private func found() throws -> AlertChannel? {
        guard let channel else { return nil }
        guard let found = AlertChannel.allCases.first(where: { $0.rawValue.lowercased() == channel.lowercased() })
        else {
            let known = AlertChannel.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("the channel is \"\(channel)\", expected one of: \(known)")
        }
        return found
    }
}

extension CommandContext {
    /// The alerts of the hub.
    func alertReport(notices: Int = 0) async throws -> AlertReport {
        try await ask(.alertReport(notices: notices))
    }

    /// Finds an open alert by a person's text.
    ///
    /// - Throws: ``CommandFailure`` if none or several are meant.
    func openAlert(_ text: String) async throws -> AlertEpisodeID {
        let state = try await alertReport().state
        do {
            return try state.alert(matching: text).episodeID
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// Reads the duration of a snooze as people write it.
enum SnoozeText {
    static func seconds(_ text: String) throws -> Int {
        guard let duration = DurationText.duration(text), (1...604_800).contains(duration.components.seconds) else {
            throw ValidationError("--for is \"\(text)\", expected 1s to 7d, such as 30m or 2h")
        }
        return Int(duration.components.seconds)
    }
}

/// Formats alerts as text.
enum AlertList {
    static func lines(
        _ state: AlertState, pending: Set<AlertKey> = [], command: String, now: Timestamp = .now
    ) -> [String] {
        guard !state.alerts.isEmpty else { return ["No alert is open."] }
        var table = TextTable("#", "alert", "severity", "since", "answer", "key")
        for (index, alert) in state.alerts.enumerated() {
            let answer =
                alert.isAcknowledged
                ? "acknowledged" : alert.snoozedUntil.map { "quiet until \(MomentText.near($0, to: now))" } ?? ""
            table.add(
                "\(index + 1)", alert.summary, alert.severity.rawValue, MomentText.of(alert.since),
                pending.contains(alert.key) ? "\(answer), not yet at the hub" : answer, alert.key.text)
        }
        let more = state.moreCount > 0 ? ["and \(state.moreCount) more"] : []
        return table.lines + more + ["Answer with: \(command) ack NUMBER, or \(command) snooze NUMBER --for 2h"]
    }

    /// The problems that keep notices from being delivered.
    static func problems(_ report: AlertReport) -> [String] {
        var lines = report.channels.compactMap { channel in
            channel.trouble.map { PlainText.oneLine("\(channel.channel.rawValue) fails: \($0)") }
        }
        if report.droppedCount > 0 {
            lines.append("\(report.droppedCount) events were not judged, because too many came at once")
        }
        return lines
    }

    /// A notice in one line.
    static func line(_ notice: AlertNotice) -> String {
        PlainText.oneLine("\(MomentText.of(notice.at))  \(notice.kind.rawValue)  \(notice.text)")
    }
}
