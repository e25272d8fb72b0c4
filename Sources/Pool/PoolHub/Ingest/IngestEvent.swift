import PoolModel

/// An event of a device in ingest, for the alerts.
enum IngestEvent: Sendable {
    /// A new measurement, corrected by its calibrations.
    ///
    /// - `isCurrent`: Whether it is shown now; false if it arrived late, out of order.
    case measured(DeviceID, QuantityMap<Double>, sampledAt: Timestamp, receivedAt: Timestamp, isCurrent: Bool)
    /// A measurement of a backlog, corrected, in order; a newer one has already arrived.
    case overtaken(DeviceID, QuantityMap<Double>, sampledAt: Timestamp, receivedAt: Timestamp)
    /// Impossible values; they were quarantined.
    case quarantined(DeviceID, [DecodedPayload.Quarantined], receivedAt: Timestamp)
    /// A message that cannot be decoded, and why.
    case unreadable(DeviceID, reason: String, receivedAt: Timestamp)
    /// The device, or its bridge, reported whether it is online.
    ///
    /// - `isReplay`: Whether the message is a retained one.
    case availability(DeviceID, isAvailable: Bool, isReplay: Bool, receivedAt: Timestamp)
    /// A reading could not be stored, for this reason, a clause without names and paths; it is evaluated nevertheless.
    case notStored(reason: String)
    /// A heartbeat without a measurement arrived.
    case heard(DeviceID, receivedAt: Timestamp)
}
