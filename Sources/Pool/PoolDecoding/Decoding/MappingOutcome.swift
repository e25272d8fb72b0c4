public import PoolModel

/// What became of a message of a device with a mapping.
public struct MappingOutcome: Equatable, Sendable {
    /// The measurements that are complete now, in the order of their receipt.
    ///
    /// Usually none or one; more if values that waited for their time or unit are complete too.
    public var readings: [DecodedPayload] = []
    /// Whether the device is there, if the message changed that; all its availability sources together.
    public var isAvailable: Bool?
    /// Whether the message says that the device is alive, without being a measurement.
    public var isHeartbeat = false
    /// Whether values of the message wait for a time or a unit from another topic; see ``MappingDecoder/deadline``.
    public var isWaiting = false
    /// The values that are measurements already known, sent again, in the order of the quantities.
    public var repeated: [Quantity] = []
    /// Why nothing was measured; nil if something was, or if the message is not there to measure.
    public var rejection: MappingRejection?
    /// What was noticed outside the measurements.
    public var remarks: [PayloadWarning] = []
}
