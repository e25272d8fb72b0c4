/// What is known of an appliance; nil is unknown.
package struct ApplianceState: Hashable, Codable, Sendable {
    /// Whether it is on; of a cover, whether it is open.
    package var isOn: Bool?
    /// Brightness, 0…100.
    package var level: Int?
    /// How far it is open, 0…100.
    package var position: Int?
    /// Where it is moving to, 0…100; of one report only, nil while it stands.
    package var heading: Int?
    /// Whether it is locked.
    package var isLocked: Bool?
    /// The chosen option, the number, or what a sensor says.
    package var value: String?
    /// The battery, 0…100 %.
    package var battery: Int?
    /// How strongly its hub hears it, in dBm.
    package var rssi: Int?

    /// An appliance of which nothing is known.
    package init() {}

    /// Takes over what a later report knows; where it was moving to is not kept.
    package mutating func merge(_ later: ApplianceState) {
        isOn = later.isOn ?? isOn
        level = later.level ?? level
        position = later.position ?? position
        isLocked = later.isLocked ?? isLocked
        value = later.value ?? value
        battery = later.battery ?? battery
        rssi = later.rssi ?? rssi
    }

    /// The state in a word, such as `on` or `40 %`; nil if nothing is known.
    package var words: String? {
        if let value { return value }
        if let isLocked { return isLocked ? "locked" : "unlocked" }
        if let position { return "\(position) %" }
        if let level, isOn != false { return "\(level) %" }
        return isOn.map { $0 ? "on" : "off" }
    }

    /// Whether it is as an action leaves it; a toggle leaves it any way, and a press leaves no trace.
    package func shows(_ action: Action) -> Bool {
        switch action {
        case .on: heading.map { $0 == 100 } ?? (isOn == true)
        case .off: heading.map { $0 == 0 } ?? (isOn == false)
        case .toggle: isOn != nil
        case .lock: isLocked == true
        case .unlock: isLocked == false
        // A light that is off keeps the level that it had.
        case .level(let percent): percent == 0 && isOn == false || level == percent && isOn != false
        case .position(let percent): (heading ?? position) == percent
        case .choose(let option): value == option
        case .number(let number): value.flatMap { Double($0) } == number
        case .press, .stop, .open, .program: false
        }
    }
}

/// What a message of a device says.
package enum Report: Hashable, Sendable {
    case state(ApplianceState)
    /// Whether somebody at this topic is there: the device, or the hub in front of it.
    case presence(Surroundings.Presence, topic: String)
    /// The answer to a command: by its id, or by the number that stands for it where ids are numbers.
    case answer(CommandReference, DeviceAnswer)
}

/// What an answer calls the command.
package enum CommandReference: Hashable, Sendable {
    case id(Command.ID)
    case number(Int)

    /// The number of a command: 28 bits of its id, which every reader of JSON keeps exactly.
    package static func number(of id: Command.ID) -> Int { Int(id.digits.suffix(7), radix: 16) ?? 0 }

    /// Whether it means this command.
    package func means(_ id: Command.ID) -> Bool {
        switch self {
        case .id(let other): other == id
        case .number(let number): number == Self.number(of: id)
        }
    }
}
