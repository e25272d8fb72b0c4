/// What became of the messages of a hub's life.
public struct IngestCounts: Hashable, Codable, Sendable {
    /// The readings that were stored.
    public var stored: UInt64 = 0
    /// The messages that the broker delivered twice.
    public var duplicates: UInt64 = 0
    /// The messages that the broker replayed from its store: shown as last known, not stored (P12, X18).
    public var retained: UInt64 = 0
    /// The values that water cannot have, which were kept apart (P54).
    public var quarantined: UInt64 = 0
    /// The messages that were no readings, by reason.
    public var rejected: [String: UInt64] = [:]
    /// The messages of each notation (L10).
    public var formats: [String: UInt64] = [:]
    /// The readings that could not be stored; the broker was asked to send them again.
    public var notStored: UInt64 = 0

    /// Creates counts of nothing.
    public init() {}

    /// The messages that were no readings.
    public var rejectedCount: UInt64 { rejected.values.reduce(0, +) }
}
