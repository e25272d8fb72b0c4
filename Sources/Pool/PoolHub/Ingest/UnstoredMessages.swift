import PoolModel

/// What was judged though it could not be stored, so that it is judged once.
///
/// The broker still has it, and delivers it again when the hub can store.
struct UnstoredMessages {
    private struct Key: Hashable {
        var device: DeviceID
        var payloadHash: UInt64
    }

    /// The most messages that are remembered; of more, some are judged twice.
    private static let countMax = 4096

    /// Whether the last message could not be stored.
    var isFailing = false
    /// The devices as they would be if everything could have been stored.
    private(set) var devices: [DeviceID: IngestDevice] = [:]
    private var judged: [Key: Int] = [:]
    private var count = 0

    /// Whether nothing is remembered.
    var isEmpty: Bool { judged.isEmpty }

    /// Remembers what was judged of a device.
    mutating func note(_ device: IngestDevice, _ payloads: [DecodedPayload]) {
        devices[device.device.id] = device
        for payload in payloads where count < Self.countMax {
            judged[Key(device: device.device.id, payloadHash: payload.payloadHash), default: 0] += 1
            count += 1
        }
    }

    /// Whether such a payload was judged; each is asked for once.
    mutating func take(_ payloadHash: UInt64, of device: DeviceID) -> Bool {
        let key = Key(device: device, payloadHash: payloadHash)
        guard let left = judged[key] else { return false }
        judged[key] = left > 1 ? left - 1 : nil
        count -= 1
        return true
    }

    /// A message could be stored; without a backlog nothing comes again.
    mutating func canStore(isCatchingUp: Bool) {
        isFailing = false
        devices = [:]
        if !isCatchingUp { self = UnstoredMessages() }
    }
}
