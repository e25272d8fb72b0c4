import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Sets up the services that show alerts on phones.
struct AlertsChannelCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Sends alerts to phones: by ntfy, Pushover or Telegram.",
        discussion: """
            Without a service it lists them; with a service it shows its settings. Give
            fields as name=value; an empty value removes a field. Before a service is
            switched on, or gets another server, the command says what leaves the house,
            and asks.

            Secrets are read from files, from standard input or at the terminal, never
            from arguments: others on this machine can see those. A secret belongs to the
            server for which it was given.

            \(help)

            Example:
              poolsensors alerts channel ntfy topic=pool-8f3kq2
              poolsensors alerts channel ntfy server=https://ntfy.example.org topic=pool \\
                --secret-file token=token.txt
              poolsensors alerts channel pushover --secret-file token=app.txt \\
                --secret-file user=user.txt
              poolsensors alerts channel telegram chat=123456789 --secret-stdin token
              poolsensors alerts test telegram
              poolsensors alerts channel telegram --off
            """)

    private static let help =
        PhoneService.table.map { service in
            let names = service.allFields.map { $0.name + ($0.isSecret ? "*" : "") }.joined(separator: ", ")
            return "\(service.channel.rawValue): \(names)"
        }.joined(separator: "\n") + "\n(* is a secret)"

    @Argument(help: ArgumentHelp("The service.", valueName: "service"))
    var service: String?

    @Argument(help: ArgumentHelp("Fields of the service.", valueName: "field=value"))
    var fields: [String] = []

    @Option(help: ArgumentHelp("Read a secret from the first line of a file.", valueName: "field=file"))
    var secretFile: [String] = []

    @Option(help: ArgumentHelp("Read a secret from standard input.", valueName: "field"))
    var secretStdin: String?

    @Option(help: ArgumentHelp("Forget a secret.", valueName: "field"))
    var forgetSecret: [String] = []

    @Flag(help: "Switch the service off; its secrets stay.")
    var off = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard let service = try found() else {
            guard !off, secretFile.isEmpty, secretStdin == nil, forgetSecret.isEmpty else {
                throw ValidationError("give the service first, such as ntfy")
            }
            return
        }
        if off, !(fields.isEmpty && secretFile.isEmpty && secretStdin == nil) {
            throw ValidationError("--off goes without fields and secrets")
        }
        for text in fields { _ = try assignment(text, of: service, isSecret: false) }
        for text in secretFile { _ = try assignment(text, of: service, isSecret: true) }
        for name in forgetSecret + [secretStdin].compactMap(\.self) { _ = try field(name, of: service, isSecret: true) }
    }

    func run(in context: CommandContext) async throws {
        let report = try await context.alertReport()
        guard let service = try found() else {
            let items = PhoneService.table.map { PhoneChannelItem($0, report) }
            if json.isOn { return try json.write(items) }
            var table = TextTable("service", "state", "server", "settings", "secrets")
            for item in items {
                table.add(
                    item.service, item.state, item.server,
                    item.settings.sorted { $0.key < $1.key }.filter { $0.key != PhoneService.serverField.name }
                        .map { "\($0.key)=\($0.value)" }.joined(separator: " "),
                    item.secrets.joined(separator: ", "))
            }
            for line in table.lines { Output.standard.line(line) }
            return
        }
        let channel = service.channel
        let old = report.settings.channels.phones[channel]
        if off { return try await perform([.change(patch(channel, .remove))], in: context) }
        let secrets = try await givenSecrets(of: service)
        var new = old ?? PhoneSettings()
        for text in fields {
            let (field, value) = try assignment(text, of: service, isSecret: false)
            new.fields[field.name] = value.isEmpty ? nil : value
        }
        if fields.isEmpty, secrets.isEmpty { return try show(service, report) }
        do throws(AlertSettingsError) {
            try service.check(new)
        } catch {
            throw CommandFailure("\(error)")
        }
        let address = service.address(in: new)
        if old.map({ service.address(in: $0) }) != address {
            Output.errors.line(PlainText.oneLine(service.disclosure(of: new)))
            guard try Prompt.confirm("Send alerts there?", isAnswered: yes) else {
                return Output.errors.line("nothing was changed")
            }
        }
        // The secrets first, so that no notice leaves without them; they belong to the address, not to the settings.
        var requests = secrets.map { AlertRequest.setPhoneSecret($1, channel, field: $0, server: address) }
        if new != old { requests.append(.change(patch(channel, .set(new)))) }
        try await perform(requests, in: context)
        let stored = Set(try await context.alertReport().channels.first { $0.channel == channel }?.secrets ?? [])
        for field in service.secretFields where field.isRequired && !stored.contains(field.name) {
            Output.errors.line(
                "\(service.name) needs \(field.meaning): give it with `poolsensors alerts channel "
                    + "\(channel.rawValue) --secret-file \(field.name)=FILE`")
        }
    }

    private func patch(_ channel: AlertChannel, _ settings: OptionalPatch<PhoneSettings>) -> AlertSettingsPatch {
        var patch = AlertSettingsPatch()
        patch.phones = [channel: settings]
        return patch
    }

    /// Carries out requests, and prints what they did together.
    private func perform(_ requests: [AlertRequest], in context: CommandContext) async throws {
        var sentences: [String] = []
        for request in requests { sentences.append(try await context.ask(.alerts(request))) }
        try json.write(done: sentences.joined(separator: "; "))
    }

    private func show(_ service: PhoneService, _ report: AlertReport) throws {
        let item = PhoneChannelItem(service, report)
        if json.isOn { return try json.write([item]) }
        var table = TextTable("field", "value", "what it is")
        table.add("state", item.state, "")
        for field in service.allFields {
            let value =
                field.isSecret
                ? item.secrets.contains(field.name) ? "stored" : ""
                : field.name == PhoneService.serverField.name ? item.server : item.settings[field.name] ?? ""
            table.add(field.name, value, field.meaning + (field.isRequired ? ", needed" : ""))
        }
        for line in table.lines { Output.standard.line(line) }
        Output.standard.line(item.leaves)
    }

    /// The secrets that are given, or typed at the terminal, by their fields; empty to forget one.
    private func givenSecrets(of service: PhoneService) async throws -> [(String, String)] {
        var secrets: [(String, String)] = forgetSecret.map { ($0, "") }
        for text in secretFile {
            let (field, path) = try assignment(text, of: service, isSecret: true)
            secrets.append((field.name, try SecretFile.firstLine(of: path, holding: field.name)))
        }
        if let name = secretStdin {
            guard let line = readLine(strippingNewline: true), !line.isEmpty else {
                throw CommandFailure("there is no \(name) on standard input")
            }
            secrets.append((name, line))
        }
        for (name, secret) in secrets where !secret.isEmpty {
            let field = try field(name, of: service, isSecret: true)
            guard field.isValid(secret) else {
                throw CommandFailure("the \(name) of \(service.name) is not valid: give \(field.expected)")
            }
        }
        return secrets
    }

    private func found() throws -> PhoneService? {
        guard let service else { return nil }
        guard let found = PhoneService.table.first(where: { $0.channel.rawValue == service.lowercased() }) else {
            let known = PhoneService.table.map(\.channel.rawValue).joined(separator: ", ")
            throw ValidationError("the service is \"\(service)\", expected one of: \(known)")
        }
        return found
    }

    private func assignment(
        _ text: String, of service: PhoneService, isSecret: Bool
    ) throws -> (PhoneService.Field, String) {
        guard let sign = text.firstIndex(of: "=") else {
            // The text is not repeated: it may be a secret.
            throw ValidationError(
                isSecret ? "--secret-file expects FIELD=FILE" : "a field is written as name=value, without blanks")
        }
        return (
            try field(String(text[..<sign]), of: service, isSecret: isSecret),
            String(text[text.index(after: sign)...])
        )
    }

    private func field(_ name: String, of service: PhoneService, isSecret: Bool) throws -> PhoneService.Field {
        guard let field = service.allFields.first(where: { $0.name == name.lowercased() }) else {
            let known = service.allFields.filter { $0.isSecret == isSecret }.map(\.name).joined(separator: ", ")
            throw ValidationError("\(service.name) has no field \(Excerpt(name)), expected one of: \(known)")
        }
        guard field.isSecret == isSecret else {
            throw ValidationError(
                isSecret
                    ? "\(field.name) is no secret: give \(field.name)=VALUE"
                    : "\(field.name) is a secret, and arguments are visible to others: "
                        + "give --secret-file \(field.name)=FILE or --secret-stdin \(field.name)")
        }
        return field
    }
}

/// A service for phones, as lists and `--json` show it.
struct PhoneChannelItem: Encodable {
    var service: String
    var isEnabled: Bool
    var server: String
    var settings: [String: String]
    var secrets: [String]
    var trouble: String?
    var leaves: String

    init(_ service: PhoneService, _ report: AlertReport) {
        let channel = report.channels.first { $0.channel == service.channel }
        let settings = report.settings.channels.phones[service.channel] ?? PhoneSettings()
        self.service = service.channel.rawValue
        isEnabled = channel?.isEnabled ?? false
        server = service.address(in: settings)
        self.settings = settings.fields
        secrets = channel?.secrets ?? []
        trouble = channel?.trouble
        leaves = service.disclosure(of: settings)
    }

    /// Whether it is on, and why it fails.
    var state: String { isEnabled ? "on\(trouble.map { "; \($0)" } ?? "")" : "off" }
}
