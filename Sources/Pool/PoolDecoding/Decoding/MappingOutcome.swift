public import PoolModel

/// The result of a message of a device with a mapping.
public struct MappingOutcome: Equatable, Sendable {
    /// The measurements that are complete now, in the order of their receipt.
    ///
    /// Usually none or one; more if values that waited for their time or unit are now complete too.
    public var readings: [DecodedPayload] = []
    /// Whether the message has several samples; their measurements are in the order of their times.
    public var hasSamples = false
    /// Whether the device is available, if the message changed that; all its availability sources together.
    public var isAvailable: Bool?
    /// Whether the message shows that the device is alive, without being a measurement.
    public var isHeartbeat = false
    /// Whether values of the message wait for a time or a unit from another topic; see ``MappingDecoder/deadline``.
    public var isWaiting = false
    /// The values that repeat known measurements, in the order of the quantities.
    public var repeated: [Quantity] = []
    /// Why nothing was measured; nil if something was, or if the message has another purpose.
    public var rejection: MappingDecodingError?
    /// Remarks outside the measurements.
    public var remarks: [PayloadWarning] = []
}
