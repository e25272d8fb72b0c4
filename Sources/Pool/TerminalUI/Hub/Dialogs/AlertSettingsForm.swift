import PoolControl
import PoolModel

/// The form of the settings of alerts.
struct AlertSettingsForm: HubForm {
    func form(in context: ScreenContext) -> Form {
        let hub = context.hub
        let settings = hub.alerts.settings
        let channels = settings.channels
        let servers = ["all servers"] + hub.servers.map(\.server.name)
        let serverIndex =
            channels.mqtt?.serverID.flatMap { id in hub.servers.firstIndex { $0.server.id == id } }.map { $0 + 1 }
            ?? 0
        let quiet = settings.quietHours
        let fields = [
            FormField("on", "Alerts", .toggle(settings.isEnabled), hint: "A test is sent even if they are off"),
            FormField("values", "Out of limits", .toggle(settings.alertsOnValues)),
            FormField("missing", "Silent devices", .toggle(settings.alertsOnMissing)),
            FormField("faults", "Faulty probes", .toggle(settings.alertsOnFaults)),
            FormField("connections", "Lost connections", .toggle(settings.alertsOnConnections)),
            FormField("recoveries", "When it is over", .toggle(settings.tellsRecoveries)),
            FormField(
                "cooldown", "Cooldown", .text(TextField("\(settings.cooldownSeconds)")),
                hint: "Seconds before the same alert is sent again, 60 to 3600"),
            FormField(
                "samples", "Confirmed by", .text(TextField("\(settings.confirmationSamples)")),
                hint: "Samples in a row, 1 to 20"),
            FormField("repeats", "Repeat until acked", .toggle(settings.repeatsUntilAcknowledged)),
            FormField("quiet", "Quiet hours", .toggle(quiet != nil), hint: "Alerts in this time are sent at its end"),
            FormField(
                "from", "  from", .text(TextField(DayMinute.text(quiet?.startMinute ?? 1320))),
                hint: "Local time, such as 22:00"),
            FormField(
                "to", "  to", .text(TextField(DayMinute.text(quiet?.endMinute ?? 420))),
                hint: "Local time, such as 07:00"),
            FormField("pass", "  critical ones pass", .toggle(quiet?.letsCriticalPass ?? true)),
            FormField("terminal", "On this screen", .toggle(channels.terminal)),
            FormField("desktop", "On the desktop", .toggle(channels.desktop)),
            FormField("watches", "On watches", .toggle(channels.watches)),
            FormField(
                "mqtt", "MQTT topic", .text(TextField(channels.mqtt?.topic ?? "")), hint: "Empty not to publish alerts"),
            FormField("server", "  at", .choice(servers, index: serverIndex)),
            FormField(
                "webhook", "Webhook", .text(TextField(channels.webhook?.url ?? "")),
                hint: "An address to send them to; empty for none"),
            FormField(
                "secret", "  signed with", .text(TextField(channels.webhook?.secretName ?? "")),
                hint: "The name of a secret; empty for unsigned"),
        ]
        return Form(title: "Alerts", purpose: "When, how often and where you are notified.", fields: fields)
    }

    func adapt(_ form: inout Form) {
        let isQuiet = form["quiet"].isOn
        for id in ["from", "to", "pass"] { form.update(id) { $0.isShown = isQuiet } }
        let (hasTopic, hasWebhook) = (!form.text("mqtt").isEmpty, !form.text("webhook").isEmpty)
        form.update("server") { $0.isShown = hasTopic }
        form.update("secret") { $0.isShown = hasWebhook }
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        let hub = context.hub
        var reading = FormReading()
        var settings = hub.alerts.settings
        settings.isEnabled = form["on"].isOn
        settings.alertsOnValues = form["values"].isOn
        settings.alertsOnMissing = form["missing"].isOn
        settings.alertsOnFaults = form["faults"].isOn
        settings.alertsOnConnections = form["connections"].isOn
        settings.tellsRecoveries = form["recoveries"].isOn
        settings.repeatsUntilAcknowledged = form["repeats"].isOn
        settings.cooldownSeconds = reading.count(form, "cooldown", in: 60...3600)
        settings.confirmationSamples = reading.count(form, "samples", in: 1...20)
        settings.quietHours = form["quiet"].isOn ? quietHours(form, &reading) : nil
        settings.channels.terminal = form["terminal"].isOn
        settings.channels.desktop = form["desktop"].isOn
        settings.channels.watches = form["watches"].isOn
        let topic = form.text("mqtt")
        let serverIndex = form["server"].index - 1
        let serverID = hub.servers.indices.contains(serverIndex) ? hub.servers[serverIndex].server.id : nil
        settings.channels.mqtt = topic.isEmpty ? nil : .init(serverID: serverID, topic: topic)
        let (url, secret) = (form.text("webhook"), form.text("secret"))
        settings.channels.webhook = url.isEmpty ? nil : .init(url: url, secretName: secret.isEmpty ? nil : secret)
        if reading.problems.isEmpty {
            do throws(AlertSettingsError) {
                try settings.validate()
            } catch {
                reading.problems[Self.field(of: error)] = "\(error)"
            }
        }
        if reading.problems.isEmpty { reading.command = .alerts(.change(AlertSettingsPatch(of: settings))) }
        return reading
    }

    private func quietHours(_ form: Form, _ reading: inout FormReading) -> QuietHours? {
        let (from, to) = (DayMinute.read(form.text("from")), DayMinute.read(form.text("to")))
        if from == nil { reading.problems["from"] = "Give a time such as 22:00." }
        if to == nil { reading.problems["to"] = "Give a time such as 07:00." }
        guard let from, let to else { return nil }
        return QuietHours(startMinute: from, endMinute: to, letsCriticalPass: form["pass"].isOn)
    }

    private static func field(of error: AlertSettingsError) -> String {
        switch error {
        case .quietHoursEmpty: "to"
        case .topicInvalid: "mqtt"
        case .textTooLong(let field, _, _): field.hasPrefix("mqtt") ? "mqtt" : "webhook"
        case .webhookInvalid: "webhook"
        case .secretNameInvalid: "secret"
        case .outOfRange, .hysteresisOutOfRange, .phoneFieldMissing, .phoneFieldInvalid: "on"
        }
    }
}
