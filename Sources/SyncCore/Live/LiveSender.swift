/// Brings registers to one watch, in order, as fast as it grants credit.
///
/// All values go out while the watch keeps up. When it does not, older values of a register give way to newer ones of
/// the same register; the newest of each always arrives. What gave way is counted as superseded.
struct LiveSender: Hashable, Sendable {
    /// The values that wait while there is no credit; beyond that older ones give way.
    static let queueCountMax = 256
    /// The time after which unconfirmed values are sent again, if they still are the newest.
    static let resendAfter = Duration.seconds(2)

    /// A value on its way.
    private struct Flight: Hashable, Sendable {
        var number: UInt64
        var register: Register
    }

    private let window: Int
    private var queue: [Register] = []
    private var flights: [Flight] = []
    private var lastNumber: UInt64 = 0
    private var resendAt: Instant?
    /// The values that the watch confirmed.
    private(set) var confirmedCount: UInt64 = 0
    /// The values that gave way to newer ones.
    private(set) var supersededCount: UInt64 = 0

    /// Creates the sender for a watch that takes `window` frames before it must give credit.
    init(window: UInt32) {
        self.window = Int(window)
    }

    /// The values that wait or are on their way.
    var backlogCount: Int { queue.count + flights.count }

    /// When unconfirmed values are to be sent again.
    var deadline: Instant? { resendAt }

    /// Queues a value.
    mutating func enqueue(_ register: Register) {
        queue.append(register)
        guard queue.count > Self.queueCountMax else { return }
        let newest = newestPositions()
        // With more registers than room nothing can give way; the table's bound then limits the queue.
        guard let oldest = queue.indices.first(where: { newest[queue[$0].key] != $0 }) else { return }
        queue.remove(at: oldest)
        supersededCount += 1
    }

    /// The next value to send and its number, nil without a value or without credit.
    mutating func next(now: Instant) -> (number: UInt64, register: Register)? {
        guard flights.count < window, !queue.isEmpty else { return nil }
        let register = queue.removeFirst()
        lastNumber += 1
        flights.append(Flight(number: lastNumber, register: register))
        resendAt = resendAt ?? now.advanced(by: Self.resendAfter)
        return (lastNumber, register)
    }

    /// The watch tells what arrived.
    mutating func creditReceived(_ credit: Credit, now: Instant) {
        guard credit.highest <= lastNumber else { return }
        let missing = Set(credit.missing)
        let settled = flights.filter { $0.number <= credit.highest }
        guard !settled.isEmpty else { return }
        flights.removeAll { $0.number <= credit.highest }
        confirmedCount += UInt64(settled.count { !missing.contains($0.number) })
        requeue(settled.filter { missing.contains($0.number) })
        resendAt = flights.isEmpty ? nil : now.advanced(by: Self.resendAfter)
    }

    /// Sends unconfirmed values again once their time has come.
    mutating func deadlineReached(now: Instant) {
        guard let due = resendAt, due <= now else { return }
        resendAt = nil
        let lost = flights
        flights = []
        requeue(lost)
    }

    /// The session ended: what was not confirmed gives way to the newest values of the next session.
    mutating func sessionEnded() {
        supersededCount += UInt64(backlogCount)
        queue = []
        flights = []
        resendAt = nil
    }

    /// Puts back to the front what still is the newest of its register; the rest gave way.
    private mutating func requeue(_ lost: [Flight]) {
        let overtaken = Set(queue.map(\.key)).union(flights.map(\.register.key))
        var kept: [Register] = []
        for flight in lost.reversed() {
            let key = flight.register.key
            if overtaken.contains(key) || kept.contains(where: { $0.key == key }) {
                supersededCount += 1
            } else {
                kept.append(flight.register)
            }
        }
        queue.insert(contentsOf: kept.reversed(), at: 0)
    }

    private func newestPositions() -> [String: Int] {
        var positions: [String: Int] = [:]
        for (position, register) in queue.enumerated() {
            positions[register.key] = position
        }
        return positions
    }
}
