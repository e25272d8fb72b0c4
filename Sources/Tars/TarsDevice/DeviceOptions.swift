package import Peripherals
package import TarsModel

/// How a simulated device is.
package struct DeviceOptions: Sendable {
    /// Its serial number.
    package var serial: Serial
    /// How it works when it is new; afterwards its own settings count.
    package var mode: DeviceMode
    /// The PIN that it was made with, six digits.
    package var pin: String
    /// The folder of the simulated short link.
    package var air: Air
    /// The folder of its files.
    package var folder: String
    /// The time between two advertisements.
    package var advertisingInterval = Duration.seconds(1)
    /// How strong it is heard, in dBm.
    package var rssi = -62
    /// How long a movement takes.
    package var movementTime = Duration.milliseconds(150)
    /// What its battery takes; nil for one that is always full.
    package var energy: EnergyProfile?
    /// What goes wrong on purpose.
    package var faults = DeviceFaults()

    /// Describes a device.
    package init(serial: Serial, mode: DeviceMode, pin: String, air: Air, folder: String) {
        self.serial = serial
        self.mode = mode
        self.pin = pin
        self.air = air
        self.folder = folder
    }
}

/// What goes wrong on purpose in a simulated device; the same seed gives the same faults.
package struct DeviceFaults: Codable, Sendable {
    /// The seed.
    package var seed: UInt64 = 0
    /// The share of commands that are carried out and never answered, 0…1.
    package var unansweredShare = 0.0

    /// Nothing goes wrong.
    package init() {}
}
