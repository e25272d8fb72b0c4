import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolHub
import PoolModel

/// Shows or changes the settings of alerts.
struct AlertsSettingsCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Changes how and where you are notified; without flags, shows the settings.",
        discussion: """
            Examples:
              poolsensors alerts settings --cooldown 10m --quiet 22:00-07:00
              poolsensors alerts settings --mute chlorine --mqtt-topic home/pool/alerts
              poolsensors alerts settings --webhook https://example.com/hook \\
                --webhook-secret-name hook --webhook-secret-file secret.txt
            """)

    @OptionGroup(title: "What Alerts") var what: AlertWhatOptions
    @OptionGroup(title: "When") var when: AlertWhenOptions
    @OptionGroup(title: "Where") var place: AlertWhereOptions

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        _ = try patch()
        if place.webhookSecretStdin, place.webhookSecretFile != nil {
            throw ValidationError("give the secret by --webhook-secret-stdin or by --webhook-secret-file, not both")
        }
    }

    func run(in context: CommandContext) async throws {
        var patch = try patch()
        if place.hasSecret { try await keepSecret(in: context) }
        let server = place.mqttServer
        if patch != AlertSettingsPatch() || server != nil {
            if let server { patch.mqttServerID = try await self.server(server, patch, in: context) }
            return try await context.change(.alerts(.change(patch)), json: json)
        }
        if place.hasSecret { return }
        let report = try await context.alertReport()
        if json.isOn { return try json.write(report.settings) }
        for line in AlertSettingsList.lines(report) { Output.standard.line(line) }
    }

    /// The patch from the flags, without the server.
    private func patch() throws -> AlertSettingsPatch {
        var patch = AlertSettingsPatch()
        what.fill(&patch)
        try when.fill(&patch)
        place.fill(&patch)
        return patch
    }

    /// The server with a name; it is only allowed if alerts are published.
    private func server(
        _ name: String, _ patch: AlertSettingsPatch, in context: CommandContext
    ) async throws -> OptionalPatch<ServerID> {
        guard !name.isEmpty else { return .remove }
        var isPublished = patch.mqttTopic?.isEmpty == false
        if patch.mqttTopic == nil { isPublished = try await context.alertReport().settings.channels.mqtt != nil }
        guard isPublished else { throw CommandFailure("\(AlertPatchError.serverWithoutTopic(name))") }
        return .set(try await context.names().server(named: name).id)
    }

    private func keepSecret(in context: CommandContext) async throws {
        var name = place.webhookSecretName
        if name == nil { name = try await context.alertReport().settings.channels.webhook?.secretName }
        guard let name, !name.isEmpty else {
            throw CommandFailure("the secret needs a name: give --webhook-secret-name, too")
        }
        let source = place.webhookSecretFile.map(PasswordSource.file) ?? .standardInput
        guard let secret = try await Prompt.password(from: source, question: "") else { return }
        try await context.change(.alerts(.setSigningSecret(secret, name: name)), json: json)
    }
}

/// The flags for what raises alerts.
struct AlertWhatOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Whether there are alerts at all.")
    var alerts: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether values outside their limits alert.")
    var values: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether missing values alert.")
    var missing: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether faulty probes alert.")
    var faults: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether lost connections alert.")
    var connections: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether you are notified when an alert ends.")
    var recoveries: Bool?

    @Option(help: ArgumentHelp("The quantities that do not alert, with commas; `none` for all do.", valueName: "list"))
    var mute: String?

    func validate() throws { _ = try muted() }

    func muted() throws -> Set<Quantity>? {
        guard let mute else { return nil }
        if mute.lowercased() == "none" || mute.isEmpty { return [] }
        return Set(try mute.split(separator: ",").map { try AlertFlags.quantity(String($0)) })
    }

    func fill(_ patch: inout AlertSettingsPatch) {
        patch.isEnabled = alerts
        patch.alertsOnValues = values
        patch.alertsOnMissing = missing
        patch.alertsOnFaults = faults
        patch.alertsOnConnections = connections
        patch.tellsRecoveries = recoveries
        // Its text has been checked already.
        if let muted = try? muted() {
            for quantity in Quantity.allCases { patch.mute(quantity, muted.contains(quantity)) }
        }
    }
}

/// The flags for when people are notified.
struct AlertWhenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The pause before a repetition: 1m to 1h.", valueName: "duration"))
    var cooldown: String?

    @Flag(inversion: .prefixedNo, help: "Whether an alert is repeated until it is acknowledged or over.")
    var repeats: Bool?

    @Option(help: ArgumentHelp("The longest pause between repetitions: 1h to 7d.", valueName: "duration"))
    var longestRepeat: String?

    @Option(help: ArgumentHelp("How many samples must agree: 1 to 20.", valueName: "count"))
    var samples: Int?

    @Option(
        help: ArgumentHelp(
            "How long no sample may contradict an alert before it begins: 0 to 1h.", valueName: "duration"))
    var confirmation: String?

    @Option(
        help: ArgumentHelp(
            "How far a value must come back, such as ph=0.1; may be repeated.", valueName: "quantity=value"))
    var hysteresis: [String] = []

    @Option(help: ArgumentHelp("How long a device may be silent: 0 to 1d.", valueName: "duration"))
    var missingDelay: String?

    @Option(help: ArgumentHelp("How long a connection may be lost: 0 to 1h.", valueName: "duration"))
    var connectionDelay: String?

    @Option(
        help: ArgumentHelp("The quiet hours, such as 22:00-07:00; `none` for no quiet hours.", valueName: "hours"))
    var quiet: String?

    @Flag(inversion: .prefixedNo, help: "Whether critical alerts are also notified in quiet hours.")
    var quietPassesCritical: Bool?

    func fill(_ patch: inout AlertSettingsPatch) throws {
        patch.cooldownSeconds = try AlertFlags.seconds(cooldown, "--cooldown")
        patch.repeatsUntilAcknowledged = repeats
        patch.longestRepeatSeconds = try AlertFlags.seconds(longestRepeat, "--longest-repeat")
        patch.confirmationSamples = samples
        patch.confirmationSeconds = try AlertFlags.seconds(confirmation, "--confirmation")
        for text in hysteresis {
            let (quantity, value) = try AlertFlags.assignment(text)
            patch.hysteresis = patch.hysteresis ?? [:]
            patch.hysteresis?[quantity] = value
        }
        patch.missingDelaySeconds = try AlertFlags.seconds(missingDelay, "--missing-delay")
        patch.connectionDelaySeconds = try AlertFlags.seconds(connectionDelay, "--connection-delay")
        guard let quiet else {
            guard quietPassesCritical == nil else { throw ValidationError("give --quiet, too") }
            return
        }
        if quiet.lowercased() == "none" {
            patch.quietHours = .remove
            return
        }
        patch.quietHours = .set(try AlertFlags.quietHours(quiet, letsCriticalPass: quietPassesCritical ?? true))
    }
}

/// The flags for where notices go.
struct AlertWhereOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Whether the hub's own screen shows alerts.")
    var terminal: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether the desktop shows alerts, where there is one.")
    var desktop: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether watches show alerts.")
    var watches: Bool?

    @Option(help: ArgumentHelp("The language of notices on phones: en or fr.", valueName: "code"))
    var language: String?

    @Option(help: ArgumentHelp("The MQTT topic to publish to; empty for none.", valueName: "topic"))
    var mqttTopic: String?

    @Option(help: ArgumentHelp("The server to publish to; empty for all.", valueName: "server"))
    var mqttServer: String?

    @Option(help: ArgumentHelp("The web address to send to; empty for none.", valueName: "url"))
    var webhook: String?

    @Option(help: ArgumentHelp("The name of the secret that signs; empty for unsigned.", valueName: "name"))
    var webhookSecretName: String?

    @Option(help: ArgumentHelp("Read that secret from the first line of a file.", valueName: "file"))
    var webhookSecretFile: String?

    @Flag(help: "Read that secret from standard input.")
    var webhookSecretStdin = false

    func validate() throws {
        guard let language, TextLanguage(code: language) == nil else { return }
        throw ValidationError("--language is \"\(language)\", expected en or fr")
    }

    var hasSecret: Bool { webhookSecretStdin || webhookSecretFile != nil }

    func fill(_ patch: inout AlertSettingsPatch) {
        patch.terminal = terminal
        patch.desktop = desktop
        patch.watches = watches
        patch.language = language.flatMap { TextLanguage(code: $0) }
        patch.mqttTopic = mqttTopic
        patch.webhookURL = webhook
        patch.webhookSecretName = webhookSecretName
    }
}

/// Reads the values of flags.
enum AlertFlags {
    static func quantity(_ text: String) throws -> Quantity {
        guard let quantity = Quantity(rawValue: text.lowercased()) else {
            let known = Quantity.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("the quantity is \"\(text)\", expected one of: \(known)")
        }
        return quantity
    }

    static func seconds(_ text: String?, _ flag: String) throws -> Int? {
        guard let text else { return nil }
        guard let duration = DurationText.duration(text) else {
            throw ValidationError("\(flag) is \"\(text)\", expected \(DurationText.expected)")
        }
        return Int(duration.components.seconds)
    }

    static func assignment(_ text: String) throws -> (Quantity, Double) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let value = DecimalText.number(parts[1]) else {
            throw ValidationError("--hysteresis is \"\(text)\", expected a quantity and a number, such as ph=0.1")
        }
        return (try quantity(parts[0]), value)
    }

    static func quietHours(_ text: String, letsCriticalPass: Bool) throws -> QuietHours {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { minutes(String($0)) }
        guard parts.count == 2 else {
            throw ValidationError("--quiet is \"\(text)\", expected two times of day, such as 22:00-07:00, or none")
        }
        return QuietHours(startMinute: parts[0], endMinute: parts[1], letsCriticalPass: letsCriticalPass)
    }

    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
            (0...59).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}

/// Formats the settings as text.
enum AlertSettingsList {
    static func lines(_ report: AlertReport) -> [String] {
        let settings = report.settings
        var table = TextTable("setting", "value")
        func add(_ name: String, _ isOn: Bool) { table.add(name, isOn ? "yes" : "no") }
        func add(_ name: String, seconds: Int) { table.add(name, DurationText.text(.seconds(seconds))) }
        add("alerts", settings.isEnabled)
        add("values", settings.alertsOnValues)
        add("missing", settings.alertsOnMissing)
        add("faults", settings.alertsOnFaults)
        add("connections", settings.alertsOnConnections)
        add("recoveries", settings.tellsRecoveries)
        table.add("mute", settings.mutedQuantities.map(\.rawValue).sorted().joined(separator: ","))
        add("cooldown", seconds: settings.cooldownSeconds)
        add("repeats", settings.repeatsUntilAcknowledged)
        add("longest-repeat", seconds: settings.longestRepeatSeconds)
        table.add("samples", "\(settings.confirmationSamples)")
        add("confirmation", seconds: settings.confirmationSeconds)
        for quantity in Quantity.allCases {
            let distance = settings.hysteresis[quantity] ?? quantity.facts.hysteresis
            table.add("hysteresis \(quantity.rawValue)", "\(distance) \(quantity.facts.unit.symbol)")
        }
        add("missing-delay", seconds: settings.missingDelaySeconds)
        add("connection-delay", seconds: settings.connectionDelaySeconds)
        table.add("quiet", settings.quietHours.map(words) ?? "none")
        table.add("mqtt-topic", settings.channels.mqtt?.topic ?? "")
        table.add("webhook", settings.channels.webhook?.url ?? "")
        table.add("webhook-secret-name", settings.channels.webhook?.secretName ?? "")
        table.add("language", settings.language.code)
        for channel in report.channels {
            table.add(
                "channel \(channel.channel.rawValue)",
                channel.isEnabled
                    ? "on, \(channel.authorization.rawValue)\(channel.trouble.map { "; \($0)" } ?? "")" : "off")
        }
        let leaving = PhoneService.table.compactMap { service in
            settings.channels.phones[service.channel].map { service.disclosure(of: $0) }
        }
        return table.lines + leaving
    }

    private static func words(_ hours: QuietHours) -> String {
        func time(_ minutes: Int) -> String { String(format: "%02d:%02d", minutes / 60, minutes % 60) }
        return "\(time(hours.startMinute))-\(time(hours.endMinute))"
            + (hours.letsCriticalPass ? ", critical alerts pass" : ", critical alerts wait, too")
    }
}
