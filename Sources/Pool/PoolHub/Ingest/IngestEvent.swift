import PoolModel

/// What ingest learned of a device, in the order in which it learned it; for the alerts.
enum IngestEvent: Sendable {
    /// A new measurement, corrected by its calibrations.
    ///
    /// - `isCurrent`: Whether it is what the dashboard shows now; not so when it came late, out of order.
    case measured(DeviceID, QuantityMap<Double>, sampledAt: Timestamp, receivedAt: Timestamp, isCurrent: Bool)
    /// A measurement that a broker kept, corrected, in order; a newer one has come already.
    case overtaken(DeviceID, QuantityMap<Double>, sampledAt: Timestamp, receivedAt: Timestamp)
    /// Values that water cannot have; they were kept apart.
    case quarantined(DeviceID, [DecodedPayload.Quarantined], receivedAt: Timestamp)
    /// A message that nobody can read, and why.
    case unreadable(DeviceID, reason: String, receivedAt: Timestamp)
    /// The device, or the bridge before it, says whether it is there.
    ///
    /// - `isReplay`: Whether the broker replays what was said some time ago.
    case availability(DeviceID, isAvailable: Bool, isReplay: Bool, receivedAt: Timestamp)
    /// What came could not be stored, for this reason, a clause without names and paths; it is judged all the same.
    case notStored(reason: String)
    /// The device gave a sign of life that is no measurement.
    case heard(DeviceID, receivedAt: Timestamp)
}
