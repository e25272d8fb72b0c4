/// The metadata of an export that a hub sends to a watch.
public struct ExportMetadata: Codable, Hashable, Sendable {
    /// The number of readings.
    public var readings: Int
    /// The form of the file.
    public var format: ExportSettings.Format
    /// Which values: `corrected`, `raw` or `both`.
    public var values: String
    /// The requested devices, as the person named them; empty for all.
    public var devices: [String]
    /// The first requested sample time, nil for no limit.
    public var first: Timestamp?
    /// The last requested sample time, nil for no limit.
    public var last: Timestamp?

    /// Creates the metadata.
    public init(
        readings: Int, format: ExportSettings.Format, values: String, devices: [String] = [], first: Timestamp? = nil,
        last: Timestamp? = nil
    ) {
        self.readings = readings
        self.format = format
        self.values = values
        self.devices = devices
        self.first = first
        self.last = last
    }

    /// A short description, such as `412 readings of Lagoon, corrected`.
    public var words: String {
        let owners = devices.isEmpty ? "all devices" : devices.joined(separator: ", ")
        let kind = values == "both" ? "corrected and raw" : values
        return "\(readings) \(readings == 1 ? "reading" : "readings") of \(owners), \(kind)"
    }
}

/// A file that a watch received, as a face shows it.
public struct ReceivedFileSummary: Codable, Hashable, Sendable {
    /// Its name on the watch.
    public var name: String
    /// Its size in bytes.
    public var byteCount: UInt64
    /// Its path.
    public var path: String

    /// Creates a summary.
    public init(name: String, byteCount: UInt64, path: String) {
        self.name = name
        self.byteCount = byteCount
        self.path = path
    }

    /// A clause, such as `received pool.csv, 12 kB`.
    public var words: String { "received \(name), \(ByteCountText.of(byteCount))" }
}
