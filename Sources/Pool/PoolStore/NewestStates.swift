public import PoolModel

/// The newest states of devices that are not in the file yet.
///
/// A state can be computed from the readings, so that it need not be written with every reading: it is written with
/// every ``readingCountMax``th one, before a change other than a new reading, before readings are removed, and at the
/// end. The file has a mark for the last reading that its states include, none for no reading. The readings after it are processed again
/// at the next opening, by the same rule and in the same order, which gives the same states and orders.
struct NewestStates {
    /// The most readings that are processed again at an opening.
    static let readingCountMax = 256

    /// The states by the numbers of their devices.
    private(set) var unsaved: [Int64: DeviceReadings] = [:]
    /// How many readings are after the mark.
    private(set) var readingCount = 0

    /// Whether the states must be saved now because of the number of readings after the mark.
    var isDue: Bool { readingCount >= Self.readingCountMax }

    /// Whether the file lacks a state.
    var mustSave: Bool { readingCount > 0 }

    /// Adds a reading, and the new state if it changed one.
    mutating func note(_ state: DeviceReadings?, of device: Int64) {
        readingCount += 1
        guard let state else { return }
        precondition(
            state.order >= unsaved[device]?.order ?? 0, "the state \(state.order) of \(state.deviceID) is an older one")
        unsaved[device] = state
    }

    /// Notes that all states are in the file.
    mutating func saved() {
        unsaved = [:]
        readingCount = 0
    }
}

extension DeviceReadings {
    /// Adds a recorded reading to the state; returns whether anything changed.
    ///
    /// The code that records readings with states uses this function, because after a crash the history uses it
    /// again. The order follows the clock: a history that was lost or restored must not repeat orders that watches
    /// have seen.
    @discardableResult
    public mutating func follow(_ reading: Reading) -> Bool {
        guard absorb(reading) else { return false }
        raiseOrder(to: UInt64(max(0, reading.receivedAt.milliseconds)))
        return true
    }
}
