import PoolAlerts
import PoolModel

/// Detects silent devices and quantities.
///
/// A device is silent after three of its expected intervals without a message. The same holds for a quantity that has
/// arrived since the hub started. It is a value without clocks; times are those of the alerts' monotonic clock in
/// milliseconds.
struct SilenceDetector {
    private struct Device {
        var name: String
        var serverID: ServerID
        /// The time without a message after which it is silent.
        var timeout: Int64
        /// When the last message arrived; the start of the hub and a restored connection count as one.
        var heardAt: Int64
        /// Whether it was reported as missing; nil before the first message, because an earlier run may have reported it.
        var isMissing: Bool?
        /// Whether it is missing because it announced that it is offline.
        var isAway = false
        var quantities: [Quantity: Int64] = [:]
        var missingQuantities: Set<Quantity> = []

        /// When the device or one of its quantities may become silent next; nil if none can.
        var deadline: Int64? {
            guard isMissing != true else { return nil }
            var first = heardAt
            for (quantity, time) in quantities where !missingQuantities.contains(quantity) { first = min(first, time) }
            return first + timeout
        }
    }

    private var devices: [DeviceID: Device] = [:]
    /// The deadlines of the devices that have one, so that a message costs no look at the quantities of the others.
    private var deadlines: [DeviceID: Int64] = [:]

    /// Uses another configuration.
    mutating func use(_ configuration: PoolConfiguration, now: Int64) {
        var next: [DeviceID: Device] = [:]
        for device in configuration.devices {
            let timeout = 3000 * Int64(max(1, device.expectedIntervalSeconds))
            var known =
                devices[device.id]
                ?? Device(name: device.name, serverID: device.serverID, timeout: timeout, heardAt: now)
            known.name = device.name
            known.serverID = device.serverID
            known.timeout = timeout
            next[device.id] = known
        }
        devices = next
        deadlines = next.compactMapValues(\.deadline)
    }

    /// A message of a device arrived, with these quantities.
    ///
    /// - Returns: The inputs that end its missing state.
    mutating func heard(_ id: DeviceID, _ quantities: [Quantity] = [], now: Int64) -> [AlertInput] {
        guard var device = devices[id] else { return [] }
        var inputs: [AlertInput] = []
        device.heardAt = now
        if device.isMissing != false { inputs.append(.back(id, nil)) }
        device.isMissing = false
        device.isAway = false
        for quantity in quantities {
            device.quantities[quantity] = now
            if device.missingQuantities.remove(quantity) != nil { inputs.append(.back(id, quantity)) }
        }
        devices[id] = device
        deadlines[id] = device.deadline
        return inputs
    }

    /// The broker replayed that a device is online; that ends only the state of having announced that it is offline.
    ///
    /// The replayed message may be old, so it does not show that the device works.
    mutating func returned(_ id: DeviceID, now: Int64) -> [AlertInput] {
        devices[id]?.isAway == true ? heard(id, now: now) : []
    }

    /// A device, or its will, announced that it is offline, or its broker refuses its topics.
    mutating func left(_ id: DeviceID, reason: MissingReason = .unavailable) -> [AlertInput] {
        guard let device = devices[id], device.isMissing != true else { return [] }
        devices[id]?.isMissing = true
        devices[id]?.isAway = true
        deadlines[id] = nil
        return [.missing(id, nil, name: device.name, server: device.serverID, reason: reason)]
    }

    /// A connection was restored; nothing could arrive from its devices in the meantime.
    mutating func restored(_ server: ServerID, now: Int64) {
        for (id, device) in devices where device.serverID == server {
            devices[id]?.heardAt = now
            devices[id]?.quantities = device.quantities.mapValues { _ in now }
            deadlines[id] = devices[id]?.deadline
        }
    }

    /// The devices and quantities that have become silent and were not reported.
    mutating func due(now: Int64) -> [AlertInput] {
        var inputs: [AlertInput] = []
        for id in deadlines.filter({ $0.value <= now }).keys.sorted() {
            defer { deadlines[id] = devices[id]?.deadline }
            guard let device = devices[id] else { continue }
            if device.heardAt + device.timeout <= now {
                devices[id]?.isMissing = true
                inputs.append(.missing(id, nil, name: device.name, server: device.serverID, reason: .silent))
                continue
            }
            for (quantity, time) in device.quantities.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            where time + device.timeout <= now && devices[id]?.missingQuantities.insert(quantity).inserted == true {
                inputs.append(.missing(id, quantity, name: device.name, server: device.serverID, reason: .silent))
            }
        }
        return inputs
    }

    /// When the next device or quantity may become silent; nil if none can.
    ///
    /// - Complexity: O(*n*) in the number of devices; their quantities are not looked at.
    var nextDeadline: Int64? { deadlines.values.min() }
}
