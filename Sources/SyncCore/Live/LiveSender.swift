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
    /// How many values of each register wait.
    private var waiting: [String: Int] = [:]
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
        waiting[register.key, default: 0] += 1
        // With more registers than room nothing can give way; the table's bound then limits the queue.
        guard queue.count > Self.queueCountMax, queue.count > waiting.count,
            let oldest = queue.firstIndex(where: { waiting[$0.key] != 1 })
        else { return }
        takeOut(at: oldest)
        supersededCount += 1
    }

    /// The next value to send and its number, nil without a value or without credit.
    mutating func next(now: Instant) -> (number: UInt64, register: Register)? {
        guard flights.count < window, !queue.isEmpty else { return nil }
        let register = takeOut(at: 0)
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
        let arrived = settled.filter { !missing.contains($0.number) }
        confirmedCount += UInt64(arrived.count)
        requeue(settled.filter { missing.contains($0.number) }, arrived: arrived)
        resendAt = flights.isEmpty ? nil : now.advanced(by: Self.resendAfter)
    }

    /// Sends unconfirmed values again once their time has come.
    mutating func deadlineReached(now: Instant) {
        guard let due = resendAt, due <= now else { return }
        resendAt = nil
        let lost = flights
        flights = []
        requeue(lost, arrived: [])
    }

    /// The session ended: what was not confirmed gives way to the newest values of the next session.
    mutating func sessionEnded() {
        supersededCount += UInt64(backlogCount)
        queue = []
        waiting = [:]
        flights = []
        resendAt = nil
    }

    /// Puts back to the front what still is the newest of its register; the rest gave way, to what waits, is under way,
    /// or has just arrived.
    private mutating func requeue(_ lost: [Flight], arrived: [Flight]) {
        let underWay = Set(flights.map(\.register.key))
        for flight in lost.reversed() {
            let key = flight.register.key
            let isOvertaken = arrived.contains { $0.register.key == key && $0.number > flight.number }
            if waiting[key] != nil || underWay.contains(key) || isOvertaken {
                supersededCount += 1
            } else {
                queue.insert(flight.register, at: 0)
                waiting[key] = 1
            }
        }
    }

    @discardableResult private mutating func takeOut(at position: Int) -> Register {
        let register = queue.remove(at: position)
        let left = waiting[register.key].map { $0 - 1 }
        waiting[register.key] = left == 0 ? nil : left
        return register
    }
}
