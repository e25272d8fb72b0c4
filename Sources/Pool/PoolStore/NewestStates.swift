public import PoolModel

/// The newest states of devices that are not in the file yet.
///
/// A state follows from the readings, so that not every reading pays for writing it: it is written with every
/// ``readingCountMax``th one, whenever something changes that is no reading, before readings are removed, and at the
/// end. The file has a mark for the last reading that its states contain. What is after it is taken in at the next
/// opening, by the same rule and in the same order, which gives the same states and orders.
struct NewestStates {
    /// The most readings that are taken in again at an opening.
    static let readingCountMax = 256

    /// The states by the numbers of their devices.
    private(set) var unsaved: [Int64: DeviceReadings] = [:]
    /// How many readings are after the mark.
    private(set) var readingCount = 0
    /// Whether there is a mark; a file of an older version has none, and gets it with whatever is written first.
    private(set) var isMarked: Bool

    init(isMarked: Bool) {
        self.isMarked = isMarked
    }

    /// Whether so many readings are after the mark that the states must be written now.
    var isDue: Bool { !isMarked || readingCount >= Self.readingCountMax }

    /// Whether the file lacks a state or the mark.
    var mustSave: Bool { !isMarked || readingCount > 0 }

    /// Takes in a reading, and the state that it led to if it changed one.
    mutating func note(_ state: DeviceReadings?, of device: Int64) {
        readingCount += 1
        guard let state else { return }
        precondition(
            state.order >= unsaved[device]?.order ?? 0, "the state \(state.order) of \(state.deviceID) is an older one")
        unsaved[device] = state
    }

    /// All of them are in the file now.
    mutating func saved() {
        unsaved = [:]
        readingCount = 0
        isMarked = true
    }
}

extension DeviceReadings {
    /// Takes a reading in that is in the history now, and says whether anything changed.
    ///
    /// The code that records readings with states makes these so, because after a crash the history makes them so
    /// again. The order follows the clock: a history that was lost or put back must not repeat orders that watches have
    /// seen.
    @discardableResult
    public mutating func follow(_ reading: Reading) -> Bool {
        guard absorb(reading) else { return false }
        raiseOrder(to: UInt64(max(0, reading.receivedAt.milliseconds)))
        return true
    }
}
