public import PoolModel

/// Which readings are exported, and how.
public struct ExportRequest: Hashable, Sendable {
    /// The form of a file.
    public enum Format: String, CaseIterable, Sendable {
        /// Comma-separated values by RFC 4180, in UTF-8, with a header.
        case csv
        /// An object of JSON in each line.
        case jsonLines = "jsonl"
    }

    /// Which values stand in the columns of the quantities.
    public enum Values: String, CaseIterable, Sendable {
        /// The corrected ones.
        case corrected
        /// Those that the device sent.
        case raw
        /// The corrected ones, and the raw ones in columns after them.
        case both
    }

    /// The form of the file.
    public var format: Format
    /// Which values.
    public var values: Values
    /// The devices, nil for all of them.
    public var deviceIDs: [DeviceID]?
    /// The first sample time.
    public var first: Timestamp
    /// The last sample time.
    public var last: Timestamp
    /// The names of the devices; a device without one is written by its identity.
    public var names: [DeviceID: String]
    /// The calibrations.
    public var corrections: Corrections

    /// Creates a request, by default for all that there is.
    public init(
        format: Format, values: Values = .corrected, deviceIDs: [DeviceID]? = nil,
        from first: Timestamp = Timestamp(milliseconds: .min), through last: Timestamp = Timestamp(milliseconds: .max),
        names: [DeviceID: String] = [:], corrections: Corrections = Corrections()
    ) {
        self.format = format
        self.values = values
        self.deviceIDs = deviceIDs
        self.first = first
        self.last = last
        self.names = names
        self.corrections = corrections
    }
}

/// What was exported.
public struct ExportReport: Hashable, Sendable {
    /// The file.
    public var path: String
    /// How many readings are in it.
    public var rowCount: Int
    /// How long it is.
    public var byteCount: Int
}
