public import PoolModel

/// What a command asks of the history.
///
/// A device is named by its name or the beginning of its id; one that was removed, by its whole id.
public enum HistoryRequest: Codable, Sendable {
    /// How much there is.
    case size
    /// The newest readings, those of all devices if none is named.
    ///
    /// - `before`: Only what comes after this reading in the list, for the next page.
    /// - `limit`: 1…``pageMax``.
    case page(device: String?, before: HistoryRow.Place?, limit: Int)
    /// The same readings as JSON, a line for each.
    case lines(device: String?, before: HistoryRow.Place?, limit: Int)
    /// The course of a quantity, in so many points at most; 2…``pointsMax``.
    case series(device: String, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int)
    /// Write readings to a file at the hub.
    case export(HistoryExport)
    /// Delete the readings of a span.
    ///
    /// - `expected`: How many a person agreed to lose; nil only counts them. More than that are not deleted.
    case delete(device: String?, from: Timestamp, through: Timestamp, expected: Int?)
    /// Copy the history to a file of this absolute path.
    case backUp(to: String, replaces: Bool)
    /// Write the file anew without what nothing uses.
    case compact

    /// The most readings of a page.
    public static let pageMax = 10_000
    /// The most points of a chart.
    public static let pointsMax = 10_000
}

/// Which readings are written to a file, and how.
public struct HistoryExport: Codable, Sendable {
    /// Which values are written (P87).
    public enum Values: String, Codable, CaseIterable, Sendable {
        /// The corrected ones.
        case corrected
        /// Those that the device sent.
        case raw
        /// Both.
        case both
    }

    /// The file, by its absolute path.
    public var path: String
    /// The form of the file.
    public var format: ExportSettings.Format
    /// Which values.
    public var values: Values
    /// The devices, all if there is none.
    public var devices: [String]
    /// The first sample time, nil for the first there is.
    public var first: Timestamp?
    /// The last sample time, nil for the last there is.
    public var last: Timestamp?
    /// Whether a file of this name may be replaced.
    public var replaces: Bool

    /// Creates an export, by default of all corrected values.
    public init(
        path: String, format: ExportSettings.Format = .csv, values: Values = .corrected, devices: [String] = [],
        from first: Timestamp? = nil, through last: Timestamp? = nil, replaces: Bool = false
    ) {
        self.path = path
        self.format = format
        self.values = values
        self.devices = devices
        self.first = first
        self.last = last
        self.replaces = replaces
    }
}
