import PoolControl
import PoolModel

/// A form, and what it is about.
struct FormDialog: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case server(ServerID?)
        case device(DeviceID?, offered: DeviceMapping?)
        case pool(PoolID?)
        case limits(LimitsOwner, Quantity)
        case alerts
        case secret
        case retention
        case export
        case autoExport
        case invitation
    }

    var kind: Kind
    var form: Form
    /// The order that saves it, as long as it is not answered.
    var number: Int?
}

/// What the answers of a form mean.
struct FormReading {
    /// What is wrong, by field.
    var problems: [String: String] = [:]
    /// What to do, nil as long as something is wrong.
    var command: HubCommand?
}

extension HubConsole {
    mutating func open(_ kind: FormDialog.Kind, _ form: Form) {
        state.dialogs.append(.form(FormDialog(kind: kind, form: form)))
    }

    mutating func press(_ key: Key, in dialog: FormDialog) {
        var dialog = dialog
        // Before the focus moves: an answer may show or hide the fields behind it.
        if !dialog.form.isTyping(key) { adapt(&dialog) }
        let outcome = dialog.form.press(key)
        topDialog = .form(dialog)
        switch outcome {
        case .goesOn: break
        case .cancel: topDialog = nil
        case .submit: submit(dialog)
        }
    }

    /// The form with what is wrong in it, to be drawn.
    ///
    /// All answers are read for it: that is done once for a frame, because keys can come much faster.
    func checked(_ dialog: FormDialog) -> Form {
        var dialog = dialog
        adapt(&dialog)
        dialog.form.show(reading(of: dialog).problems)
        return dialog.form
    }

    mutating func submit(_ dialog: FormDialog) {
        guard !dialog.form.isWaiting else { return }
        var dialog = dialog
        adapt(&dialog)
        let reading = reading(of: dialog)
        dialog.form.show(reading.problems)
        if let command = reading.command, reading.problems.isEmpty {
            dialog.number = order(command)
            dialog.form.isWaiting = true
            dialog.form.problem = nil
            state.pending[state.lastOrder] = .form
        } else {
            dialog.form.complain()
        }
        topDialog = .form(dialog)
    }

    private func reading(of dialog: FormDialog) -> FormReading {
        let form = dialog.form
        return switch dialog.kind {
        case .server(let id): serverReading(form, id)
        case .device(let id, let offered): deviceReading(form, id, offered: offered)
        case .pool(let id): poolReading(form, id)
        case .limits(let target, let quantity): limitsReading(form, target, quantity)
        case .alerts: alertReading(form)
        case .secret: secretReading(form)
        case .retention: retentionReading(form)
        case .export: exportReading(form)
        case .autoExport: autoExportReading(form)
        case .invitation: invitationReading(form)
        }
    }

    /// Shows the fields that matter after what was answered.
    func adapt(_ dialog: inout FormDialog) {
        switch dialog.kind {
        case .server: adaptServer(&dialog.form)
        case .device: adaptDevice(&dialog.form)
        case .alerts: adaptAlerts(&dialog.form)
        case .autoExport:
            let isOn = dialog.form["period"].index > 0
            for id in ["format", "folder"] { dialog.form.update(id) { $0.isShown = isOn } }
        case .pool, .limits, .secret, .retention, .export, .invitation: break
        }
    }

    /// A number with a point or a comma; nil for any other text.
    func number(_ text: String) -> Double? {
        let plain = String(text.map { $0 == "," ? "." : $0 })
        guard !plain.isEmpty, plain.utf8.count <= 32 else { return nil }
        let isPlain = plain.allSatisfy { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        guard isPlain, let value = Double(plain), value.isFinite else { return nil }
        return value
    }

    func whole(_ text: String) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
}

extension ConfigurationError {
    /// The field that it is about, in the form of a server or of a device; the name where it is about none of them.
    var formField: String {
        switch self {
        case .hostInvalid: "host"
        case .portOutOfRange, .portNotANumber: "port"
        case .usernameInvalid: "user"
        case .caFileInvalid, .caFileWithoutTLS: "ca"
        case .clientCertificateInvalid: "cert"
        case .announcementInvalid: "announce"
        case .topicInvalid: "topic"
        case .deviceTypeInvalid: "type"
        case .intervalOutOfRange: "interval"
        case .nameEmpty, .nameTooLong, .nameSteers, .limitsNotOrdered, .mappingInvalid, .calibrationInvalid,
            .alertSettingsInvalid, .volumeOutOfRange, .retentionOutOfRange, .exportFolderInvalid, .identifierTaken,
            .nameTaken, .topicTaken, .missing, .serverHasDevices, .notFound, .ambiguous:
            "name"
        }
    }
}
