/// What a hub says about an export that it sends to a watch (P88).
public struct ExportMetadata: Codable, Hashable, Sendable {
    /// How many readings are in it.
    public var readings: Int
    /// The form of the file.
    public var format: ExportSettings.Format
    /// Which values: `corrected`, `raw` or `both`.
    public var values: String
    /// The devices that were asked for, as the person named them; all if there is none.
    public var devices: [String]
    /// The first sample time that was asked for, nil for the first there is.
    public var first: Timestamp?
    /// The last sample time that was asked for, nil for the last there is.
    public var last: Timestamp?

    /// Creates a note.
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

    /// The note in a few words, such as `412 readings of Lagoon, corrected`.
    public var words: String {
        let owners = devices.isEmpty ? "all devices" : devices.joined(separator: ", ")
        let kind = values == "both" ? "corrected and raw" : values
        return "\(readings) \(readings == 1 ? "reading" : "readings") of \(owners), \(kind)"
    }
}

/// A file that came to a watch, as a face tells it.
public struct ReceivedFileSummary: Codable, Hashable, Sendable {
    /// Its name on the watch.
    public var name: String
    /// Its bytes.
    public var byteCount: UInt64
    /// Where it is.
    public var path: String

    /// Creates a notice.
    public init(name: String, byteCount: UInt64, path: String) {
        self.name = name
        self.byteCount = byteCount
        self.path = path
    }

    /// The notice in a clause, such as `received pool.csv, 12 kB`.
    public var words: String { "received \(name), \(ByteCountText.of(byteCount))" }
}
