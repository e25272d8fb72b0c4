import PoolModel

/// The writes of a key's record: which state the store has, and which notices are durable.
struct RecordWrites: Sendable {
    /// The pause before a failed write is repeated.
    private static let pauseMilliseconds: Int64 = 5000

    /// The state that was last passed to the store.
    private var written: AlertKeyState?
    private var ticket: UInt64 = 0
    /// The write that first contained a notice, by notice; absent once it is durable.
    private var unwritten: [AlertNotice.ID: UInt64] = [:]
    private var rewriteAt: Int64?

    /// The writes of a key whose record the store has; nil for none.
    init(written: AlertKeyState?) {
        self.written = written
    }

    /// Whether the store may have a record.
    var hasRecord: Bool { written != nil || ticket > 0 }

    /// Whether a notice may be sent: it is durable, or the store fails at the moment.
    ///
    /// A failing store must not suppress an alert, in particular not the alert about the store.
    func permitsSending(_ id: AlertNotice.ID) -> Bool {
        rewriteAt != nil || unwritten[id] == nil && written?.outbox.contains { $0.notice.id == id } == true
    }

    /// Begins a write if the state changed.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - isSent: Whether a notice was sent already.
    /// - Returns: The number of the write; nil if none began.
    mutating func begin(_ state: AlertKeyState, isSent: (AlertNotice.ID) -> Bool) -> UInt64? {
        guard state != written, rewriteAt == nil else { return nil }
        ticket += 1
        written = state
        for id in state.outbox.map(\.notice.id) where !isSent(id) { unwritten[id] = unwritten[id] ?? ticket }
        return ticket
    }

    /// A write is durable; returns false for a write that was not begun.
    mutating func finish(_ finished: UInt64) -> Bool {
        guard finished <= ticket else { return false }
        unwritten = unwritten.filter { $0.value > finished }
        return true
    }

    /// A write failed, and is repeated after a pause; false if a newer write, which contains everything of this one, was
    /// begun.
    mutating func fail(_ failed: UInt64, at now: Int64) -> Bool {
        guard failed == ticket else { return false }
        for id in unwritten.keys { unwritten[id] = failed + 1 }
        written = nil
        rewriteAt = now + Self.pauseMilliseconds
        return true
    }

    /// When a failed write is repeated, if that is later than now; nil if there is no pause any more.
    mutating func pauseEnd(at now: Int64) -> Int64? {
        if let due = rewriteAt, due <= now { rewriteAt = nil }
        return rewriteAt
    }

    /// Forgets the notices that are not in the outbox any more.
    mutating func keepOnly(_ notices: Set<AlertNotice.ID>) {
        unwritten = unwritten.filter { notices.contains($0.key) }
    }
}
