import PoolAlerts
import PoolModel

/// Notices from which devices, and from which of their quantities, nothing comes any more.
///
/// A device is silent after three of its expected intervals without a sign of life, and so is a quantity that came in
/// this life of the hub. It is a value without clocks; times are those of the alerts' monotonic clock in milliseconds.
struct SilenceDetector {
    private struct Device {
        var name: String
        var serverID: ServerID
        var patience: Int64
        /// The last sign of life; at the start of the hub and after a lost connection the time counts anew.
        var heardAt: Int64
        /// Whether it was said that nothing comes; nil before the first sign of life, when an earlier run may have said it.
        var isMissing: Bool?
        /// Whether it is missing because it said that it goes away.
        var isAway = false
        var quantities: [Quantity: Int64] = [:]
        var missingQuantities: Set<Quantity> = []
    }

    private var devices: [DeviceID: Device] = [:]

    /// Follows another configuration.
    mutating func use(_ configuration: PoolConfiguration, now: Int64) {
        var next: [DeviceID: Device] = [:]
        for device in configuration.devices {
            let patience = 3000 * Int64(max(1, device.expectedIntervalSeconds))
            var known =
                devices[device.id]
                ?? Device(name: device.name, serverID: device.serverID, patience: patience, heardAt: now)
            known.name = device.name
            known.serverID = device.serverID
            known.patience = patience
            next[device.id] = known
        }
        devices = next
    }

    /// A sign of life of a device, with the quantities that it measured.
    ///
    /// - Returns: That it is there again, if it was missing.
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
        return inputs
    }

    /// The broker replays that a device is there, which takes back only that it is away.
    ///
    /// Whether anything comes from it now nobody knows: a bridge's word from last week is no sign of life.
    mutating func returned(_ id: DeviceID, now: Int64) -> [AlertInput] {
        devices[id]?.isAway == true ? heard(id, now: now) : []
    }

    /// A device, or its will, said that it is away.
    mutating func left(_ id: DeviceID) -> [AlertInput] {
        guard let device = devices[id], device.isMissing != true else { return [] }
        devices[id]?.isMissing = true
        devices[id]?.isAway = true
        return [.missing(id, nil, name: device.name, server: device.serverID, reason: .unavailable)]
    }

    /// A connection stands again: its devices could not be heard meanwhile.
    mutating func restored(_ server: ServerID, now: Int64) {
        for (id, device) in devices where device.serverID == server {
            devices[id]?.heardAt = now
            devices[id]?.quantities = device.quantities.mapValues { _ in now }
        }
    }

    /// What is missing by now, and was not said.
    mutating func due(now: Int64) -> [AlertInput] {
        var inputs: [AlertInput] = []
        for (id, device) in devices.sorted(by: { $0.key < $1.key }) where device.isMissing != true {
            if device.heardAt + device.patience <= now {
                devices[id]?.isMissing = true
                inputs.append(.missing(id, nil, name: device.name, server: device.serverID, reason: .silent))
                continue
            }
            for (quantity, time) in device.quantities.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            where time + device.patience <= now && devices[id]?.missingQuantities.insert(quantity).inserted == true {
                inputs.append(.missing(id, quantity, name: device.name, server: device.serverID, reason: .silent))
            }
        }
        return inputs
    }

    /// When something may be missing next, nil if never.
    var nextDeadline: Int64? {
        devices.values.filter { $0.isMissing != true }.flatMap { device in
            [device.heardAt + device.patience]
                + device.quantities.filter { !device.missingQuantities.contains($0.key) }.map {
                    $0.value + device.patience
                }
        }.min()
    }
}
