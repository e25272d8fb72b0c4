/// The language in which an appliance's device is spoken to.
package enum Dialect: String, CaseIterable, Codable, Sendable {
    /// The motor devices of this app, by short link or bridge.
    case own
    /// What announced itself to Home Assistant.
    case homeAssistant
    /// Tasmota's own topics.
    case tasmota
    /// Shelly's devices from the second generation on.
    case shelly
}

/// Something that an appliance can do.
package enum Ability: Hashable, Codable, Sendable {
    case onOff, toggle, stop, lock, open, program
    /// A button; the longest time that it can be held, zero if its device decides.
    case press(holdMax: Duration)
    /// Brightness, 0…100.
    case level
    /// How far a cover is open, 0…100.
    case position
    /// One of these options.
    case choose([String])
    /// A number in this range, in steps.
    case number(minimum: Double, maximum: Double, step: Double)

    /// The words of the actions that it allows.
    package var words: String {
        switch self {
        case .onOff: "on, off"
        case .toggle: "toggle"
        case .stop: "stop"
        case .lock: "lock, unlock"
        case .open: "open"
        case .program: "program"
        case .press: "press"
        case .level: "level"
        case .position: "position"
        case .choose: "choose"
        case .number: "number"
        }
    }

    /// Whether it allows an action; throws when only the value of the action is wrong.
    fileprivate func allows(_ action: Action) throws(ModelProblem) -> Bool {
        switch (self, action) {
        case (.onOff, .on), (.onOff, .off), (.toggle, .toggle), (.stop, .stop), (.lock, .lock), (.lock, .unlock),
            (.open, .open), (.program, .program), (.press, .press(hold: nil)), (.level, .level),
            (.position, .position):
            return true
        case (.press(let holdMax), .press(let hold?)):
            guard hold <= holdMax else {
                let longest = holdMax > .zero ? "at most \(DurationText.text(holdMax))" : "no time of its own"
                throw ModelProblem("the hold time is \(DurationText.text(hold)): this button takes \(longest)")
            }
            return true
        case (.choose(let options), .choose(let option)):
            guard options.contains(option) else {
                throw ModelProblem("\(Excerpt(option)) is no option: give one of \(options.joined(separator: ", "))")
            }
            return true
        case (.number(let minimum, let maximum, _), .number(let value)):
            guard (minimum...max(minimum, maximum)).contains(value) else {
                let range = "\(Limit.text(minimum)) to \(Limit.text(maximum))"
                throw ModelProblem("the number is \(Limit.text(value)): give \(range)")
            }
            return true
        case (.onOff, _), (.toggle, _), (.stop, _), (.lock, _), (.open, _), (.program, _), (.press, _), (.level, _),
            (.position, _), (.choose, _), (.number, _):
            return false
        }
    }
}

/// A thing at home that can be acted on, or whose state is shown.
package struct Appliance: Hashable, Codable, Identified {
    package typealias ID = Identifier<Appliance>

    /// What it is, for its icon and its words.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case bot, `switch`, light, cover, lock, fan, button, scene, number, select, sensor
    }

    /// Its identity, which survives every rename.
    package var id: ID
    /// What people call it, 1…64 bytes.
    package var name: String
    /// The room that it is in, 1…64 bytes; nil for none.
    package var room: String?
    /// What it is.
    package var kind: Kind
    /// What it can do, in the order in which it is shown; a sensor can do nothing.
    package var abilities: [Ability]
    /// How its device is spoken to.
    package var dialect: Dialect
    /// Whether a person must confirm each action.
    package var confirm: Bool
    /// How long a state counts as known.
    package var stateTTL: Duration

    /// Creates an appliance.
    ///
    /// - Throws: ``ModelProblem`` for a name or room that is too long, empty, or not visible.
    package init(
        id: ID, name: String, room: String? = nil, kind: Kind, abilities: [Ability], dialect: Dialect,
        confirm: Bool = false, stateTTL: Duration = .seconds(30)
    ) throws(ModelProblem) {
        try Limit.check(name: name)
        if let room { try Limit.check(name: room) }
        self.id = id
        self.name = name
        self.room = room
        self.kind = kind
        self.abilities = abilities
        self.dialect = dialect
        self.confirm = confirm
        self.stateTTL = stateTTL
    }

    /// Checks that it can do an action; nothing may be sent otherwise (T36).
    ///
    /// - Throws: ``ModelProblem``, which is ``Reason/unsupported`` on the wire.
    package func check(_ action: Action) throws(ModelProblem) {
        try action.check()
        for ability in abilities where try ability.allows(action) { return }
        let known = abilities.map(\.words).joined(separator: ", ")
        throw ModelProblem(
            "\(Excerpt(name)) cannot `\(action.text)`: " + (known.isEmpty ? "it only shows a state" : "it can \(known)")
        )
    }
}
