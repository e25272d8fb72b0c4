package import Appliances
package import Peripherals
import Text

/// How the arm or the curtain of a motor device works (T37).
package enum DeviceMode: String, CaseIterable, Codable, Sendable {
    /// It pushes a button and comes back by itself.
    case press
    /// It keeps an on or off position.
    case `switch`
    /// It runs the program that it keeps.
    case custom
    /// It opens and closes a curtain.
    case curtain

    /// What a device of this mode can do.
    package var abilities: [Ability] {
        switch self {
        case .press: [.press(holdMax: .seconds(655)), .program]
        case .switch: [.onOff, .toggle]
        case .custom: [.press(holdMax: .zero), .program]
        case .curtain: [.onOff, .position, .stop]
        }
    }
}

/// An action that a device runs by itself (T45).
package struct DeviceTimer: Hashable, Codable, Sendable {
    /// When, by the device's clock.
    package var at: Timestamp
    /// Whether it runs again every 24 hours.
    package var isDaily: Bool
    /// What it does.
    package var action: Action

    /// Creates a timer.
    package init(at: Timestamp, isDaily: Bool = false, action: Action) {
        self.at = at
        self.isDaily = isDaily
        self.action = action
    }
}

/// What people set in a device.
package struct DeviceSettings: Hashable, Codable, Sendable {
    /// How it works.
    package var mode: DeviceMode
    /// What a press runs in ``DeviceMode/custom``; nil for nothing.
    package var program: Program?
    /// What it does by itself, at most 5.
    package var timers: [DeviceTimer]

    /// Creates settings.
    package init(mode: DeviceMode, program: Program? = nil, timers: [DeviceTimer] = []) {
        self.mode = mode
        self.program = program
        self.timers = timers
    }
}

/// What of a device survives a restart: its settings, its position, and the answers to its last commands.
package struct DeviceRecord: Hashable, Codable, Sendable {
    /// What people set.
    package internal(set) var settings: DeviceSettings
    /// Whether a switch is on.
    package internal(set) var isOn = false
    /// How far a curtain is open, 0…100.
    package internal(set) var position = 0
    /// What it used of its battery.
    package var energy = EnergyUse()
    /// Its answers to its last commands.
    package internal(set) var answers = AnsweredCommands()

    /// A new device.
    package init(settings: DeviceSettings) { self.settings = settings }
}
