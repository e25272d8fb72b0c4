/// What tells a new reading from one that was delivered twice: the device, the sample time, and a hash of the payload.
///
/// MQTT delivers at least once, and the flag of a second delivery does not reach the application (P13, X18). Two
/// messages with equal keys are one reading. Without a device's time the key says only that the contents are equal,
/// as those of a still pool are every minute: then it may be trusted only for the seconds in which a broker
/// redelivers.
public struct ReadingKey: Hashable, Codable, Sendable {
    /// The device.
    public var deviceID: DeviceID
    /// The sample time, nil unless the device said it (``TimeQuality/device``).
    public var sampledAt: Timestamp?
    /// The hash of the payload as it came; see ``hash(of:)``.
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

    /// The hash of a payload: the same on every machine and in every version, because it is stored.
    ///
    /// It is FNV-1a of 64 bits (Fowler, Noll and Vo): enough against accidents, not against an author of collisions,
    /// who could publish false readings anyway.
    public static func hash(of payload: [UInt8]) -> UInt64 {
        payload.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
