/// The identifier of a pool record.
public typealias PoolID = Identifier<Pool>

/// A body of water, with the devices that measure it and its limits.
public struct Pool: Identified, Codable, Hashable, Sendable {
    /// The identifier; no edit changes it.
    public let id: PoolID
    /// The name for people; 1…256 bytes, not only blanks.
    public var name: String
    /// The volume of the water in cubic metres, nil if unknown; 0.01…1 000 000.
    public var volume: Double?
    /// The limits of all devices of the pool without limits of their own; they differ from ``QuantityFacts/limits``.
    public var limits: QuantityMap<Limits>

    /// Creates a pool without checking it; ``PoolConfiguration/adding(_:)-(Pool)`` checks it.
    public init(id: PoolID, name: String, volume: Double? = nil, limits: QuantityMap<Limits> = [:]) {
        self.id = id
        self.name = name
        self.volume = volume
        self.limits = limits
    }

    /// The range of volumes in cubic metres; the largest pool on Earth has 250 000.
    public static let volumeRange = 0.01...1_000_000

    /// Checks every field against its documented range.
    ///
    /// - Throws: The first ``ConfigurationError`` in the order of the fields.
    public func validate() throws(ConfigurationError) {
        try checkFields()
    }
}
