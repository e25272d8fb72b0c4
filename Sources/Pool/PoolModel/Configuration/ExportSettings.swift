/// The history's export that happens by itself, one file a period (V6).
public struct ExportSettings: Codable, Hashable, Sendable {
    /// How much time a file covers; periods begin with the hour, the day, the week's Monday or the month, in UTC.
    public enum Period: String, Codable, CaseIterable, Sendable {
        /// One file an hour.
        case hourly
        /// One file a day.
        case daily
        /// One file a week, from Monday on.
        case weekly
        /// One file a month.
        case monthly
    }

    /// How a file is written.
    public enum Format: String, Codable, CaseIterable, Sendable {
        /// Comma-separated values.
        case csv
        /// A JSON object a line.
        case jsonl
    }

    /// How much time a file covers.
    public var period: Period
    /// How it is written.
    public var format: Format
    /// The folder of the files; an absolute path of a folder that exists at the hub.
    public var folder: String

    /// Creates settings without checking them.
    public init(period: Period, format: Format = .csv, folder: String) {
        self.period = period
        self.format = format
        self.folder = folder
    }

    /// Checks every field against its documented range.
    ///
    /// - Throws: ``ConfigurationError/exportFolderInvalid(_:)``.
    public func validate() throws(ConfigurationError) {
        guard folder.hasPrefix("/"), !folder.utf8.contains(0), folder.utf8.count <= 4096 else {
            throw .exportFolderInvalid(folder)
        }
    }
}
