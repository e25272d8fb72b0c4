@testable import SyncCore

/// The hub's table of registers and the sender to one watch, called as a session calls them.
struct RegisterLine {
    private var table = RegisterTable()
    private var sender: LiveSender

    init(window: UInt32) { sender = LiveSender(window: window, table: table) }

    var confirmedCount: UInt64 { sender.looking(at: table).confirmedCount }
    var supersededCount: UInt64 { sender.looking(at: table).supersededCount }
    var backlogCount: Int { sender.looking(at: table).backlogCount }

    /// Stores a newer value, without sending anything.
    mutating func publish(_ register: Register) {
        _ = table.take(register)
    }

    /// Stores a newer value and sends it immediately if possible.
    ///
    /// Returns its number in that case.
    mutating func publishAtOnce(_ register: Register, now: Instant) -> UInt64? {
        guard case .newest(let place) = table.take(register) else { return nil }
        return sender.takeAtOnce(place, of: table, now: now)
    }

    mutating func creditReceived(_ credit: Credit, now: Instant) {
        sender.creditReceived(credit, now: now)
    }

    mutating func deadlineReached(now: Instant) {
        sender.timeReached(table, now: now)
    }

    /// Reads the table, and returns the next value to send.
    mutating func next(now: Instant) -> (number: UInt64, register: Register)? {
        sender.timeReached(table, now: now)
        let (first, places) = sender.take(atMost: 1, now: now)
        return places.first.map { (first, table[$0]) }
    }
}
