public import PoolModel

/// The readings to export, and the format.
public struct ExportRequest: Hashable, Sendable {
    /// The format of the file.
    public var format: ExportSettings.Format
    /// The kind of values.
    public var values: ExportedValues
    /// The devices; nil for all of them.
    public var deviceIDs: [DeviceID]?
    /// The first sample time.
    public var first: Timestamp
    /// The last sample time.
    public var last: Timestamp
    /// The names of the devices; a device without a name is written as its identity.
    public var names: [DeviceID: String]
    /// The calibrations.
    public var corrections: Corrections

    /// Creates a request, by default for everything.
    public init(
        format: ExportSettings.Format, values: ExportedValues = .corrected, deviceIDs: [DeviceID]? = nil,
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

/// The result of an export.
public struct ExportReport: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The number of readings in the file.
    public var rowCount: Int
    /// The length of the file.
    public var byteCount: Int
}
