package import Appliances
package import Peripherals
package import Primitives
package import TarsApp
package import TarsModel
import Text

/// The phone's part of a home without sockets, files and clocks: its motor devices, and the appliances of other makers.
///
/// After each input drain ``nextOutput()``; give ``Input/tick`` at ``deadline``.
package struct HomeCore: Sendable {
    package typealias Devices = PeripheralControl<TarsMaker, DeviceReport>

    /// What happens.
    package enum Input: Sendable {
        /// Somebody wants an action; ids that came before change nothing.
        case act(Appliances.Command)
        /// A device was heard on the short link.
        case heard(Serial, rssi: Int)
        /// A device is not near any more, or what was written to it did not leave.
        case lost(Serial)
        /// A device near by wrote something.
        case reply(Serial, LinkReply)
        /// A message of the broker.
        case message(topic: String, payload: [UInt8], isRetained: Bool)
        /// The broker accepted the phone, or is gone.
        case broker(BrokerReach)
        /// The time went on.
        case tick
    }

    private var devices: Devices
    private var foreign = ApplianceControl()

    /// A home without devices.
    ///
    /// - Parameter seed: The seed of the jitter between two tries.
    package init(seed: UInt64) { devices = Devices(seed: seed) }

    /// Takes over what it may command; what is known of those that stay is kept.
    package mutating func use(_ devices: [PairedPeripheral<TarsMaker>], _ foreign: [ForeignAppliance]) {
        self.devices.use(devices)
        self.foreign.use(foreign)
    }

    /// The filters of the messages that it needs.
    package var filters: Set<String> { foreign.filters.union(Devices.filters) }

    /// What is to be done next; nil when that is all.
    package mutating func nextOutput() -> Devices.Output? {
        devices.nextOutput() ?? foreign.nextOutput().map(Devices.Output.control)
    }

    /// When ``Input/tick`` is due; nil while nothing is waited for.
    package var deadline: Instant? { [devices.deadline, foreign.deadline].compactMap(\.self).min() }

    /// Whether a word of a device is awaited.
    package func isUnderWay(_ id: Appliances.Command.ID) -> Bool { devices.isUnderWay(id) || foreign.isUnderWay(id) }

    /// How a device works, as it said on the short link or by its bridge; nil if it said nothing yet.
    package func mode(of serial: Serial) -> DeviceMode? { devices.report(of: serial)?.report.mode }

    /// What a watch shows of a device.
    package func shown(_ device: PairedPeripheral<TarsMaker>) -> HomeView.Thing {
        var thing = HomeView.Thing(device.appliance)
        if let (report, at) = devices.report(of: device.serial) {
            thing.stateAt = at
            thing.battery = report.battery
            switch report.mode {
            case .press, .custom: thing.state = nil
            case .switch: thing.state = report.isOn ? "on" : "off"
            case .curtain: thing.state = "\(report.position) %"
            }
        }
        thing.presence = devices.presence(of: device.serial)
        thing.rssi = devices.rssi(of: device.serial)
        return thing
    }

    /// What a watch shows of a foreign appliance.
    package func shown(_ foreign: ForeignAppliance, at now: Moment) -> HomeView.Thing {
        var thing = HomeView.Thing(foreign.appliance)
        guard let link = self.foreign.link(of: foreign.appliance.id) else { return thing }
        thing.state = link.state.words
        thing.stateAt = link.stateAt.map { at in
            Timestamp(
                milliseconds: now.wallMilliseconds - at.duration(to: now.monotonic).wholeNanoseconds / 1_000_000)
        }
        thing.presence = link.presence
        thing.battery = link.state.battery
        return thing
    }

    /// Takes in what happened.
    package mutating func handle(_ input: Input, at now: Moment) {
        switch input {
        case .act(let command) where foreign.knows(command.appliance): foreign.act(command, at: now)
        case .act(let command): devices.handle(.act(command), at: now)
        case .heard(let serial, let rssi): devices.handle(.heard(serial, rssi: rssi), at: now)
        case .lost(let serial): devices.handle(.lost(serial), at: now)
        case .reply(let serial, let reply): devices.handle(.reply(serial, reply), at: now)
        case .message(let topic, let payload, let isRetained):
            if let own = PeripheralTopic<TarsMaker>(topic) {
                devices.handle(.message(own, payload: payload, isRetained: isRetained), at: now)
            } else {
                foreign.take(topic: topic, payload, isRetained: isRetained, at: now)
            }
        case .broker(let reach):
            devices.handle(.broker(reach), at: now)
            foreign.use(reach)
        case .tick:
            devices.handle(.tick, at: now)
            foreign.tick(at: now)
        }
    }
}
