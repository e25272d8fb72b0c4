import PoolControl
import PoolModel

/// What is special about one kind of form: its fields, and what the answers mean.
protocol HubForm: Sendable {
    /// The form with the present values.
    func form(in context: ScreenContext) -> Form

    /// Shows the fields that matter after what was answered.
    func adapt(_ form: inout Form)

    /// What the answers mean, by what was shown when the form was opened; the hub checks the rest.
    func reading(of form: Form, in context: ScreenContext) -> FormReading

    /// What follows after the hub has carried the command out.
    func outcomesAfterSaving(in context: ScreenContext) -> [ConsoleOutcome]
}

extension HubForm {
    func adapt(_ form: inout Form) {}

    func outcomesAfterSaving(in context: ScreenContext) -> [ConsoleOutcome] { [] }
}

/// What the answers of a form mean.
struct FormReading {
    /// What is wrong, by field.
    var problems: [String: String] = [:]
    /// What to do, nil as long as something is wrong.
    var command: HubCommand?

    /// Reads a whole number of a range; a problem and the lower end for any other text.
    mutating func count(_ form: Form, _ id: String, in range: ClosedRange<Int>) -> Int {
        if let value = form.wholeNumber(id), range.contains(value) { return value }
        problems[id] = "Give a whole number from \(range.lowerBound) to \(range.upperBound)."
        return range.lowerBound
    }
}

/// A form that waits for the hub's answer, and stays open until the hub has carried its command out.
struct FormDialog: HubDialog {
    private let content: any HubForm
    private var form: Form
    /// The form before the person entered anything.
    private let empty: Form
    /// What the form was made of, and is read by: its lists and their order may have changed since.
    private let opened: ScreenContext

    init(_ content: some HubForm, in context: ScreenContext) {
        self.content = content
        opened = context
        empty = content.form(in: context)
        form = empty
    }

    var holdsInput: Bool { true }

    func title(in context: ScreenContext) -> String { form.title }

    func lines(columns: Int, in context: ScreenContext) -> FormDrawing {
        // All answers are checked here: once for a frame, because keys can come much faster.
        var checked = form
        content.adapt(&checked)
        checked.show(content.reading(of: checked, in: opened).problems)
        return checked.lines(columns: columns, look: context.look)
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        // Before the focus moves: an answer may show or hide the fields behind it.
        if !form.isTyping(key) { content.adapt(&form) }
        switch form.press(key) {
        case .goesOn: return []
        case .cancel: return [form.hasSameAnswers(as: empty) ? .close : ConfirmationDialog.leaving(form.title)]
        case .submit: return submit(in: context)
        }
    }

    mutating func paste(_ text: String) -> Bool {
        form.paste(text)
        return true
    }

    mutating func click(_ field: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        content.adapt(&form)
        return form.click(field) == .submit ? submit(in: context) : []
    }

    mutating func receive(_ reply: HubReply, in context: ScreenContext) -> [ConsoleOutcome] {
        guard let refusal = reply.refusal else {
            return [.close, reply.toast] + content.outcomesAfterSaving(in: context)
        }
        form.isWaiting = false
        form.problem = refusal
        return []
    }

    private mutating func submit(in context: ScreenContext) -> [ConsoleOutcome] {
        guard !form.isWaiting else { return [] }
        content.adapt(&form)
        let reading = content.reading(of: form, in: opened)
        form.show(reading.problems)
        guard let command = reading.command, reading.problems.isEmpty else {
            form.complain()
            return []
        }
        form.isWaiting = true
        form.problem = nil
        return [.submit(command.changes(from: content.reading(of: empty, in: opened).command))]
    }
}

extension Form {
    /// The number of a field, with a point or a comma; nil for any other text.
    func number(_ id: String) -> Double? {
        let plain = String(text(id).map { $0 == "," ? "." : $0 })
        guard !plain.isEmpty, plain.utf8.count <= 32 else { return nil }
        let isPlain = plain.allSatisfy { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        guard isPlain, let value = Double(plain), value.isFinite else { return nil }
        return value
    }

    /// The number of a field in digits alone; nil for any other text.
    func wholeNumber(_ id: String) -> Int? {
        let text = text(id)
        return text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
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
