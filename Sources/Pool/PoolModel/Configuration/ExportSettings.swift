/// The settings of the automatic export of the history, one file for each period.
public struct ExportSettings: Codable, Hashable, Sendable {
    /// The period of a file; periods begin with the hour, the day, Monday of the week, or the month, in UTC.
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

    /// The format of a file.
    public enum Format: String, Codable, CaseIterable, Sendable {
        /// Comma-separated values by RFC 4180, in UTF-8, with a header.
        case csv
        /// One JSON object per line.
        case jsonl
    }

    /// The period of a file.
    public var period: Period
    /// The format of a file.
    public var format: Format
    /// The folder of the files: an absolute path of an existing folder at the hub.
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

/// The values in the columns of the quantities of an export.
public enum ExportedValues: String, Codable, CaseIterable, Sendable {
    /// The corrected values.
    case corrected
    /// The raw values from the device.
    case raw
    /// The corrected values, followed by columns with the raw values.
    case both
}
