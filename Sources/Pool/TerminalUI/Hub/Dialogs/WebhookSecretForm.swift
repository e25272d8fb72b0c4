import PoolControl
import PoolModel

/// The form of the secret that signs the requests of the webhook.
struct WebhookSecretForm: HubForm {
    func form(in context: ScreenContext) -> Form {
        let name = context.hub.alerts.settings.channels.webhook?.secretName ?? ""
        return Form(
            title: "Webhook secret", purpose: "What signs the requests; sealed at the hub, and never shown.",
            fields: [
                FormField("name", "Name", .text(TextField(name)), hint: "The name that the settings use"),
                FormField("secret", "Secret", .secret(TextField(), isKept: false), hint: "Empty to forget it"),
            ])
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        let name = form.text("name")
        let isName = name.utf8.allSatisfy { (0x21...0x7E).contains($0) } && (1...128).contains(name.utf8.count)
        guard isName else { return FormReading(problems: ["name": "\(AlertSettingsError.secretNameInvalid)"]) }
        return FormReading(command: .alerts(.setSigningSecret(form["secret"].text, name: name)))
    }
}
