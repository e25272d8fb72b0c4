/// The key that distinguishes a new reading from a repeated delivery: the device, the sample time, and a hash of the
/// payload.
///
/// MQTT delivers at least once, and the flag of a second delivery does not reach the application. Two messages with
/// equal keys are one reading. Without a time from the device, equal keys only mean equal contents, as those of a
/// still pool are every minute. Such a key may be trusted only for the seconds in which a broker redelivers.
public struct ReadingKey: Hashable, Codable, Sendable {
    /// The device that sent the message.
    public var deviceID: DeviceID
    /// The sample time; nil unless the device sent it (``TimeQuality/device``).
    public var sampledAt: Timestamp?
    /// The hash of the original payload; see ``hash(of:)``.
    public var payloadHash: UInt64

    /// Creates a key.
    public init(deviceID: DeviceID, sampledAt: Timestamp?, payloadHash: UInt64) {
        self.deviceID = deviceID
        self.sampledAt = sampledAt
        self.payloadHash = payloadHash
    }

    /// Creates the key of a message of a device.
    public init(deviceID: DeviceID, payload: DecodedPayload) {
        self.init(
            deviceID: deviceID, sampledAt: payload.timeQuality == .device ? payload.sampledAt : nil,
            payloadHash: payload.payloadHash)
    }

    /// The hash of a payload.
    ///
    /// It is the same on every machine and in every version, because it is stored.
    ///
    /// It is 64-bit FNV-1a (Fowler, Noll and Vo). That is enough against accidents, but not against deliberate
    /// collisions; an attacker could publish false readings anyway.
    public static func hash(of payload: [UInt8]) -> UInt64 {
        payload.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
