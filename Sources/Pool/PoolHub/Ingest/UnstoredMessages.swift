import PoolModel

/// The messages that were evaluated although they could not be stored, so that each is evaluated once.
///
/// The broker delivers them again when the hub can store.
struct UnstoredMessages {
    private struct Key: Hashable {
        var device: DeviceID
        var payloadHash: UInt64
    }

    /// The maximum number of remembered messages; if there are more, some are evaluated twice.
    private static let countMax = 4096

    /// Whether the last message could not be stored.
    var isFailing = false
    /// The states of the devices as if everything had been stored.
    private(set) var devices: [DeviceID: IngestDevice] = [:]
    private var evaluated: [Key: Int] = [:]
    private var count = 0

    /// Whether nothing is remembered.
    var isEmpty: Bool { evaluated.isEmpty }

    /// Remembers evaluated payloads of a device.
    mutating func note(_ device: IngestDevice, _ payloads: [DecodedPayload]) {
        devices[device.device.id] = device
        for payload in payloads where count < Self.countMax {
            evaluated[Key(device: device.device.id, payloadHash: payload.payloadHash), default: 0] += 1
            count += 1
        }
    }

    /// Whether such a payload was evaluated; it is removed from the memory.
    mutating func take(_ payloadHash: UInt64, of device: DeviceID) -> Bool {
        let key = Key(device: device, payloadHash: payloadHash)
        guard let left = evaluated[key] else { return false }
        evaluated[key] = left > 1 ? left - 1 : nil
        count -= 1
        return true
    }

    /// A message could be stored; without a backlog no message is delivered again.
    mutating func canStore(isCatchingUp: Bool) {
        isFailing = false
        devices = [:]
        if !isCatchingUp { self = UnstoredMessages() }
    }
}
