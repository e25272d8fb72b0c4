import PoolControl
import PoolModel

/// The form of an invitation of a watch.
struct InvitationForm: HubForm {
    private static let validities: [(title: String, seconds: Int)] = [
        ("10 minutes", 600), ("1 hour", 3600), ("1 day", 86_400),
    ]

    private init() {}

    /// Opens the form, if the hub listens for watches.
    static func open(in context: ScreenContext) -> ConsoleOutcome {
        guard context.hub.endpoint != nil else {
            return .toast(
                .refused, "invite: the hub does not listen for watches; restart it with a --listen address")
        }
        return .open(FormDialog(InvitationForm(), in: context))
    }

    func form(in context: ScreenContext) -> Form {
        Form(
            title: "Pair a watch", purpose: "Makes a code for one watch, which it needs once.", action: "invite",
            fields: [
                FormField("name", "Name", .text(TextField()), hint: "Empty: the watch chooses"),
                FormField("valid", "Valid for", .choice(Self.validities.map(\.title), index: 0)),
            ])
    }

    func outcomesAfterSaving(in context: ScreenContext) -> [ConsoleOutcome] { [.open(PairingDialog())] }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        let name = form.text("name")
        if name.utf8.count > 64 { return FormReading(problems: ["name": "At most 64 bytes are possible."]) }
        if let scalar = HiddenCharacter.find(in: name) {
            return FormReading(problems: ["name": "\(ConfigurationError.nameSteers(.watch, scalar))"])
        }
        if context.hub.watches.contains(where: { HiddenCharacter.looksAlike($0.name, name) }) {
            return FormReading(problems: ["name": "Another watch has this name."])
        }
        let index = form["valid"].index
        let seconds = Self.validities.indices.contains(index) ? Self.validities[index].seconds : 600
        return FormReading(command: .invite(name: name.isEmpty ? nil : name, validForSeconds: Int64(seconds)))
    }
}
