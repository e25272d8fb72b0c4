/// A field of a form, with its present value.
struct FormField: Equatable, Sendable {
    enum Value: Equatable, Sendable {
        case text(TextField)
        /// Text that is never shown; `isKept` says that a secret exists already, which is kept if nothing is typed.
        case secret(TextField, isKept: Bool)
        case choice([String], index: Int)
        case toggle(Bool)
    }

    /// The name of the field in the program.
    let id: String
    var label: String
    var value: Value
    /// The purpose of the field, shown while it is focused.
    var hint: String
    /// What is wrong with the value; nil if nothing is.
    var problem: String?
    /// Whether the person has been in this field; before that, no problem is shown.
    var isTouched = false
    var isShown = true

    init(_ id: String, _ label: String, _ value: Value, hint: String = "") {
        self.id = id
        self.label = label
        self.value = value
        self.hint = hint
    }

    var text: String {
        switch value {
        case .text(let field), .secret(let field, _): field.text
        case .choice(let options, let index): options.indices.contains(index) ? options[index] : ""
        case .toggle(let isOn): isOn ? "yes" : "no"
        }
    }

    /// Whether a secret that exists already stays.
    var isKept: Bool { if case .secret(_, let isKept) = value { isKept } else { false } }

    var index: Int { if case .choice(_, let index) = value { index } else { 0 } }

    var isOn: Bool { if case .toggle(let isOn) = value { isOn } else { false } }

    /// Whether its value is typed.
    var isText: Bool {
        switch value {
        case .text, .secret: true
        case .choice, .toggle: false
        }
    }
}

/// Some fields, one below the other, and the handling of keys.
struct Form: Equatable, Sendable {
    /// The result of a key.
    enum Outcome: Equatable, Sendable {
        /// The form must only be checked and drawn again.
        case goesOn
        /// The person submits the form.
        case submit
        /// The person cancels the form.
        case cancel
    }

    var title: String
    /// The purpose of the form, in a sentence.
    var purpose: String
    /// The label of the button.
    var action: String
    private(set) var fields: [FormField]
    /// The focused element: a field, or the button after the last one.
    private(set) var focus = 0
    /// The hub's error.
    var problem: String?
    /// Whether the hub has not answered yet.
    var isWaiting = false

    init(title: String, purpose: String, action: String = "save", fields: [FormField]) {
        self.title = title
        self.purpose = purpose
        self.action = action
        self.fields = fields
    }

    subscript(id: String) -> FormField {
        fields.first { $0.id == id } ?? FormField(id, "", .text(TextField()))
    }

    /// Whether each field has the same answer as in another state of the form.
    func hasSameAnswers(as other: Form) -> Bool {
        fields.map(\.text) == other.fields.map(\.text) && fields.map(\.isKept) == other.fields.map(\.isKept)
    }

    /// The trimmed text of a field.
    func text(_ id: String) -> String {
        let text = self[id].text
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }

    mutating func update(_ id: String, _ change: (inout FormField) -> Void) {
        guard let index = fields.firstIndex(where: { $0.id == id }) else { return }
        change(&fields[index])
    }

    /// Sets the problems, by field.
    mutating func show(_ problems: [String: String]) {
        for index in fields.indices { fields[index].problem = problems[fields[index].id] }
    }

    /// Whether the button is focused.
    var isAtButton: Bool { focus >= fields.count }

    /// Moves the focus to the first field that has a problem, and shows them all.
    mutating func complain() {
        for index in fields.indices { fields[index].isTouched = true }
        if let index = fields.firstIndex(where: { $0.isShown && $0.problem != nil }) { focus = index }
    }

    mutating func focusField(_ index: Int) {
        guard index >= 0, index <= fields.count else { return }
        leave()
        focus = index
    }

    // MARK: Keys

    /// Whether a key only changes the text of the focused field.
    func isTyping(_ key: Key) -> Bool {
        guard fields.indices.contains(focus), fields[focus].isText else { return false }
        if case .character = key { return true }
        return key == .backspace || key == .delete
    }

    mutating func press(_ key: Key) -> Outcome {
        switch key {
        case .escape: return .cancel
        case .control("s"): return .submit
        case .tab, .down: move(by: 1)
        case .backTab, .up: move(by: -1)
        case .pageDown: focusField(fields.count)
        case .pageUp: focusField(0)
        case .enter:
            if isAtButton { return .submit }
            move(by: 1)
        case .character, .control, .alt, .backspace, .delete, .insert, .left, .right, .home, .end, .function:
            pressInField(key)
        }
        return .goesOn
    }

    mutating func paste(_ text: String) {
        guard fields.indices.contains(focus) else { return }
        problem = nil
        switch fields[focus].value {
        case .text(var field):
            field.insert(text)
            fields[focus].value = .text(field)
        case .secret(var field, let isKept):
            field.insert(text)
            fields[focus].value = .secret(field, isKept: isKept)
        case .choice, .toggle: break
        }
    }

    /// Handles a click: on a choice or a toggle, it changes the value.
    mutating func click(_ index: Int) -> Outcome {
        let wasFocused = focus == index
        focusField(index)
        if isAtButton { return .submit }
        guard wasFocused, fields.indices.contains(index) else { return .goesOn }
        pressInField(.character(" "), ofTextToo: false)
        return .goesOn
    }

    private mutating func pressInField(_ key: Key, ofTextToo: Bool = true) {
        guard fields.indices.contains(focus) else { return }
        problem = nil
        switch fields[focus].value {
        case .text(var field):
            if ofTextToo { field.press(key) }
            fields[focus].value = .text(field)
        case .secret(var field, var isKept):
            if ofTextToo {
                // Deleting in an empty field removes the kept secret.
                if field.text.isEmpty, key == .backspace || key == .delete { isKept = false }
                field.press(key)
            }
            fields[focus].value = .secret(field, isKept: isKept)
        case .choice(let options, let index):
            fields[focus].value = .choice(options, index: Self.moved(index, key, options))
        case .toggle(let isOn):
            let turns = [.character(" "), .left, .right, .character("x")].contains(key)
            let said: Bool? = key == .character("y") ? true : key == .character("n") ? false : nil
            fields[focus].value = .toggle(said ?? (turns ? !isOn : isOn))
        }
    }

    /// The option after a key: arrows and the space bar go through the options in a ring; a letter goes to the next
    /// option that begins with it.
    private static func moved(_ index: Int, _ key: Key, _ options: [String]) -> Int {
        let count = options.count
        guard count > 0 else { return 0 }
        switch key {
        case .right, .character(" "): return (index + 1) % count
        case .left: return (index + count - 1) % count
        case .home: return 0
        case .end: return count - 1
        case .character(let letter):
            let order = (1...count).map { (index + $0) % count }
            return order.first { options[$0].lowercased().hasPrefix(letter.lowercased()) } ?? index
        case .control, .alt, .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .up, .down, .pageUp,
            .pageDown, .function:
            return index
        }
    }

    private mutating func move(by step: Int) {
        leave()
        var next = focus
        repeat {
            next += step
        } while fields.indices.contains(next) && !fields[next].isShown
        focus = min(fields.count, max(firstShown, next))
    }

    private var firstShown: Int { fields.firstIndex(where: \.isShown) ?? fields.count }

    private mutating func leave() {
        if fields.indices.contains(focus) { fields[focus].isTouched = true }
    }
}
