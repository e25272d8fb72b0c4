package import Appliances
package import Primitives

/// Picks the devices of one maker among all that advertise (T2–T6).
///
/// It connects to a known device once, however often it advertises, and lists unknown ones for a person to register.
package struct Scanner<Maker: PeripheralMaker>: Sendable {
    package typealias Serial = SerialNumber<Maker>

    /// Why an advertisement counts for nothing.
    package enum Ignored: String, CaseIterable, Sendable {
        /// Another name, or none.
        case name
        /// No data of a maker.
        case noSerial
        /// The serial number has another form, or its check sum is wrong.
        case badSerial
        /// There are too many devices already.
        case tooMany
    }

    /// What an advertisement leads to.
    package enum Outcome: Hashable, Sendable {
        case ignored(Ignored)
        /// It is in the list, and nothing is to be done.
        case listed(Serial)
        /// Connect now.
        case connect(Serial)
    }

    /// Every device with a right serial number, and its last advertisement.
    package private(set) var sightings: [Serial: Surroundings.Sighting] = [:]
    /// How many advertisements were ignored, by reason.
    package private(set) var ignored: [Ignored: Int] = [:]
    private var known: Set<Serial>
    private var connected: Set<Serial> = []

    /// Starts a scan.
    ///
    /// - Parameter known: The serial numbers to which it may connect.
    package init(known: Set<Serial> = []) { self.known = known }

    /// Takes in one advertisement.
    package mutating func handle(_ advertisement: Advertisement, at now: Instant) -> Outcome {
        switch match(advertisement) {
        case .ignored(let reason):
            ignored[reason, default: 0] += 1
            return .ignored(reason)
        case .serial(let serial):
            sightings[serial] = Surroundings.Sighting(at: now, rssi: advertisement.rssi)
            guard known.contains(serial), connected.insert(serial).inserted else { return .listed(serial) }
            return .connect(serial)
        }
    }

    /// Lets it connect to a device that a person chose; from its next advertisement on.
    package mutating func register(_ serial: Serial) { known.insert(serial) }

    /// Forgets a device that was removed.
    package mutating func unregister(_ serial: Serial) { known.remove(serial) }

    /// Lets it connect again, because the connection ended.
    package mutating func disconnected(_ serial: Serial) { connected.remove(serial) }

    private enum Match {
        case serial(Serial)
        case ignored(Ignored)
    }

    private func match(_ advertisement: Advertisement) -> Match {
        guard let name = advertisement.name,
            let bearer = Serial.Bearer.allCases.first(where: { $0.advertisedName.utf8.elementsEqual(name.utf8) })
        else { return .ignored(.name) }
        guard let data = advertisement.manufacturerData else { return .ignored(.noSerial) }
        guard let serial = Serial(advertised: data), serial.bearer == bearer else {
            return .ignored(.badSerial)
        }
        guard sightings[serial] != nil || sightings.count < Int(Limit.appliances.range.upperBound) else {
            return .ignored(.tooMany)
        }
        return .serial(serial)
    }
}
