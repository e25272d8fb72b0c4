package import Appliances
package import Peripherals
import Text

/// The state of a motor device, as it tells it; retained on MQTT by its bridge (T43).
package struct DeviceReport: Hashable, Codable, Sendable {
    /// How it works.
    package var mode: DeviceMode
    /// Whether a switch is on.
    package var isOn: Bool
    /// How far a curtain is open, 0…100.
    package var position: Int
    /// What is left of the battery, 0…100 %.
    package var battery: Int
    /// The version of its program.
    package var firmware: String
    /// Its clock.
    package var at: Timestamp

    private enum CodingKeys: String, CodingKey {
        case mode, position, battery, firmware, at
        case isOn = "on"
    }

    /// Creates a report.
    package init(mode: DeviceMode, isOn: Bool, position: Int, battery: Int, firmware: String, at: Timestamp) {
        self.mode = mode
        self.isOn = isOn
        self.position = position
        self.battery = battery
        self.firmware = firmware
        self.at = at
    }
}

extension DeviceReport: PeripheralReport {
    package var shown: [Int] { [isOn ? 1 : 0, position, battery, DeviceMode.allCases.firstIndex(of: mode) ?? 0] }
}

/// The maker of the motor devices.
package enum TarsMaker: PeripheralMaker {
    package static let device: Mark = ("TARS", "iotDevice")
    package static let hub: Mark = ("TARH", "iotHub")
    package static let word = "tars"
}

/// The number of a motor device or of its hub.
package typealias Serial = SerialNumber<TarsMaker>
/// A command as a motor device gets it.
package typealias DeviceMessage = CommandMessage<DeviceSettings>

extension DeviceMessage {
    /// What it wants; nil if this device does not understand it, so that nothing moves (T36).
    package var order: DeviceCore.Order? {
        if let settings { return action == nil ? .configure(settings) : nil }
        return action.flatMap { try? Action($0) }.map(DeviceCore.Order.act)
    }
}
