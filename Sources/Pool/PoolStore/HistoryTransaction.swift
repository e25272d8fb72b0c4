internal import GRDB
public import PoolModel

/// What is recorded together, in one transaction: all of it is on the disk afterwards, or nothing.
///
/// It is used within ``HistoryStore/together(_:)``, which makes it, and nowhere else. After one of its functions has
/// failed none of them may be called again: what ``HistoryStore/together(_:)`` is given must fail, too.
public struct HistoryTransaction {
    private let database: Database
    private let life: Int64
    private(set) var numbers: [DeviceID: Int64]
    private(set) var newest: NewestStates

    init(_ database: Database, life: Int64, numbers: [DeviceID: Int64], newest: NewestStates) {
        self.database = database
        self.life = life
        self.numbers = numbers
        self.newest = newest
    }

    /// Records a reading, and with it the state that it makes its device's newest.
    ///
    /// - Parameters:
    ///   - arrival: The reading: with at least one value, none of them NaN, and with a known time; another one traps.
    ///   - latest: The state of the device after a new reading, nil if it is as before; not called for a duplicate.
    ///     It must be what `DeviceReadings.follow(_:)` makes of the state before, because after a crash the history
    ///     makes it so. An order that is less than that of the state before traps.
    /// - Returns: What became of it.
    /// - Throws: What SQLite could not do; ``HistoryStore/together(_:)`` says it in words.
    @discardableResult
    public mutating func record(
        _ arrival: Arrival, latest: (Reading) -> DeviceReadings? = { _ in nil }
    ) throws -> RecordingOutcome {
        let device = try number(of: arrival.reading.deviceID)
        let recorded = try database.record(arrival, device: device, life: life)
        guard case .stored(let ordinal) = recorded else { return recorded }
        var reading = arrival.reading
        reading.ordinal = ordinal
        let state = latest(reading)
        precondition(
            state?.deviceID ?? reading.deviceID == reading.deviceID, "the state of another device than the reading's")
        newest.note(state, of: device)
        return recorded
    }

    /// Stores the state of a device that changed without a new reading, such as by a replayed message.
    ///
    /// - Parameter latest: The state; its order must not be less than that of the stored one, a lesser one traps.
    /// - Throws: What SQLite could not do; ``HistoryStore/together(_:)`` says it in words.
    public mutating func save(_ latest: DeviceReadings) throws {
        // Before it, because it does not follow from readings: what they led to must be in the file.
        try saveStates()
        try database.putLatest(latest, device: number(of: latest.deviceID))
    }

    /// Writes the states if too many readings would have to be taken in again.
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
