internal import GRDB
public import PoolModel

/// Records several things in one transaction: afterwards all of them are on the disk, or none.
///
/// It is created by ``HistoryStore/together(_:)`` and used only within that call. After one of its functions has
/// failed none of them may be called again: then the closure passed to ``HistoryStore/together(_:)`` must fail too.
public struct HistoryTransaction {
    private let database: Database
    private let runNumber: Int64
    private(set) var numbers: [DeviceID: Int64]
    private(set) var newest: NewestStates

    init(_ database: Database, runNumber: Int64, numbers: [DeviceID: Int64], newest: NewestStates) {
        self.database = database
        self.runNumber = runNumber
        self.numbers = numbers
        self.newest = newest
    }

    /// Records a reading together with the new newest state of its device.
    ///
    /// - Parameters:
    ///   - arrival: The reading: with at least one value, none of them NaN, and with a known time; otherwise the
    ///     program traps.
    ///   - latest: The state of the device after a new reading, nil if unchanged; not called for a duplicate. It must
    ///     be the result of `DeviceReadings.follow(_:)` on the previous state, because after a crash the history
    ///     computes it in that way. An order that is less than that of the previous state traps.
    /// - Returns: The result.
    /// - Throws: The error of SQLite; ``HistoryStore/together(_:)`` translates it.
    @discardableResult
    public mutating func record(
        _ arrival: Arrival, latest: (Reading) -> DeviceReadings? = { _ in nil }
    ) throws -> RecordingOutcome {
        let device = try number(of: arrival.reading.deviceID)
        let recorded = try database.record(arrival, device: device, runNumber: runNumber)
        guard case .stored(let ordinal) = recorded else { return recorded }
        var reading = arrival.reading
        reading.ordinal = ordinal
        let state = latest(reading)
        precondition(
            state?.deviceID ?? reading.deviceID == reading.deviceID, "the state of another device than the reading's")
        newest.note(state, of: device)
        return recorded
    }

    /// Stores the state of a device that changed without a new reading, for example by a replayed message.
    ///
    /// - Parameter latest: The state; its order must not be less than that of the stored one, otherwise the program
    ///   traps.
    /// - Throws: The error of SQLite; ``HistoryStore/together(_:)`` translates it.
    public mutating func save(_ latest: DeviceReadings) throws {
        // First the other states, because this one does not follow from readings: the results of the readings before
        // it must be in the file.
        try saveStates()
        try database.putLatest(latest, device: number(of: latest.deviceID))
    }

    /// Saves the states if otherwise too many readings would have to be processed again.
    mutating func saveStatesIfDue() throws {
        if newest.isDue { try saveStates() }
    }

    private mutating func saveStates() throws {
        guard newest.mustSave else { return }
        try database.save(newest.unsaved)
        newest.saved()
    }

    private mutating func number(of id: DeviceID) throws -> Int64 {
        if let known = numbers[id] { return known }
        let number = try database.number(of: id)
        numbers[id] = number
        return number
    }
}
