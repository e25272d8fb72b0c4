package import PoolModel

/// What a command asks of the history; devices may have been removed.
package enum HistoryRequest: Codable, Hashable, Sendable {
    /// How much there is.
    case size
    /// The newest readings, those of all devices if none is named.
    ///
    /// - `before`: Only what comes after this reading in the list, for the next page.
    /// - `limit`: 1…``pageMax``.
    case page(device: DeviceID?, before: HistoryPlace?, limit: Int)
    /// The same readings as JSON, a line for each.
    case lines(device: DeviceID?, before: HistoryPlace?, limit: Int)
    /// The course of a quantity, in so many points at most; 2…``pointsMax``.
    case series(device: DeviceID, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int)
    /// Write readings to a file at the hub.
    case export(HistoryExport)
    /// Delete the readings of a span.
    ///
    /// - `expected`: How many a person agreed to lose; nil only counts them. More than that are not deleted.
    case delete(device: DeviceID?, from: Timestamp, through: Timestamp, expected: Int?)
    /// Copy the history to a file of this absolute path.
    case backUp(to: String, replaces: Bool)
    /// Write the file anew without what nothing uses.
    case compact

    /// The most readings of a page.
    package static let pageMax = 10_000
    /// The most points of a chart.
    package static let pointsMax = 10_000
}

/// Which readings are written to a file, and how.
package struct HistoryExport: Codable, Hashable, Sendable {
    /// Which values are written (P87).
    package enum Values: String, Codable, CaseIterable, Sendable {
        /// The corrected ones.
        case corrected
        /// Those that the device sent.
        case raw
        /// Both.
        case both
    }

    /// The file, by its absolute path.
    package var path: String
    /// The form of the file.
    package var format: ExportSettings.Format
    /// Which values.
    package var values: Values
    /// The devices, all if there is none.
    package var devices: [DeviceID]
    /// The first sample time, nil for the first there is.
    package var first: Timestamp?
    /// The last sample time, nil for the last there is.
    package var last: Timestamp?
    /// Whether a file of this name may be replaced.
    package var replaces: Bool

    /// Creates an export, by default of all corrected values.
    package init(
        path: String, format: ExportSettings.Format = .csv, values: Values = .corrected, devices: [DeviceID] = [],
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

/// A place in the list of all readings by time: of one time, by the order of arrival.
package struct HistoryPlace: Codable, Hashable, Sendable {
    /// The sample time.
    package var sampledAt: Timestamp
    /// The number of the reading.
    package var ordinal: UInt64

    /// Creates a place.
    package init(sampledAt: Timestamp, ordinal: UInt64) {
        self.sampledAt = sampledAt
        self.ordinal = ordinal
    }
}
