package import PoolModel

/// A history command.
///
/// It may name a device that was removed.
package enum HistoryRequest: Codable, Hashable, Sendable {
    /// Return the size of the history.
    case size
    /// Return the newest readings of a device, or of all devices if it is nil.
    ///
    /// - `before`: For the next page: return only the readings after this place in the list.
    /// - `limit`: The maximum number of readings; 1…``pageMax``.
    case page(device: DeviceID?, before: HistoryPlace?, limit: Int)
    /// Return the same readings as JSON, one line for each.
    case lines(device: DeviceID?, before: HistoryPlace?, limit: Int)
    /// Return the time series of a quantity with at most this many points; 2…``pointsMax``.
    case series(device: DeviceID, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int)
    /// Write readings to a file on the hub's machine.
    case export(HistoryExport)
    /// Delete the readings of a time range.
    ///
    /// - `expected`: The number of readings that the user agreed to delete. If there are more, nothing is deleted. If
    ///   nil, the readings are only counted.
    case delete(device: DeviceID?, from: Timestamp, through: Timestamp, expected: Int?)
    /// Write a backup of the history to this absolute path.
    case backUp(to: String, replaces: Bool)
    /// Rewrite the file without its unused pages.
    case compact

    /// The maximum number of readings in a page.
    package static let pageMax = 10_000
    /// The maximum number of points in a time series.
    package static let pointsMax = 10_000
}

/// An export of readings to a file.
package struct HistoryExport: Codable, Hashable, Sendable {
    /// The absolute path of the file.
    package var path: String
    /// The format of the file.
    package var format: ExportSettings.Format
    /// The values to export: as the device sent them, corrected, or both.
    package var values: ExportedValues
    /// The devices to export; empty for all.
    package var devices: [DeviceID]
    /// The first sample time; nil for the beginning of the history.
    package var first: Timestamp?
    /// The last sample time; nil for the end of the history.
    package var last: Timestamp?
    /// Whether an existing file may be replaced.
    package var replaces: Bool

    /// Creates an export; by default of all corrected values.
    package init(
        path: String, format: ExportSettings.Format = .csv, values: ExportedValues = .corrected,
        devices: [DeviceID] = [],
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

/// A position in the list of all readings, which is ordered by sample time, then by order of arrival.
package struct HistoryPlace: Codable, Hashable, Sendable {
    /// The sample time of the reading.
    package var sampledAt: Timestamp
    /// The reading's number in the order of arrival.
    package var ordinal: UInt64

    /// Creates a place.
    package init(sampledAt: Timestamp, ordinal: UInt64) {
        self.sampledAt = sampledAt
        self.ordinal = ordinal
    }
}
