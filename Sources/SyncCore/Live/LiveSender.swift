/// Brings registers to one watch, in order, as fast as it grants credit.
///
/// All values go out while there is credit. While there is none, a newer value of a register takes the place of the one
/// that waits, so a slow watch gets fewer values but never older ones. What gave way is counted as superseded.
struct LiveSender: Hashable, Sendable {
    /// The time after which unconfirmed values are sent again, if they still are the newest.
    static let resendAfter = Duration.seconds(2)

    /// A value on its way.
    private struct Flight: Hashable, Sendable {
        var number: UInt64
        var register: Register
    }

    private let window: Int
    /// What waits for credit: at most one value of each register, in the order in which their turn comes.
    private var queue: [Register] = []
    /// The keys of what waits.
    private var waiting: Set<String> = []
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

    /// Queues a value; one of the same register that waits gives way to it and leaves it its turn.
    mutating func enqueue(_ register: Register) {
        guard waiting.contains(register.key), let position = queue.firstIndex(where: { $0.key == register.key }) else {
            waiting.insert(register.key)
            return queue.append(register)
        }
        queue[position] = register
        supersededCount += 1
    }

    /// Numbers a value that can go out at once, since there is credit, none waits before it and none is to go again.
    ///
    /// - Returns: Its number; nil if it has to be queued.
    mutating func takeAtOnce(_ register: Register, now: Instant) -> UInt64? {
        guard queue.isEmpty, flights.count < window, resendAt.map({ now < $0 }) ?? true else { return nil }
        return launch(register, now: now)
    }

    /// The next value to send and its number, nil without a value or without credit.
    mutating func next(now: Instant) -> (number: UInt64, register: Register)? {
        guard flights.count < window, !queue.isEmpty else { return nil }
        let register = queue.removeFirst()
        waiting.remove(register.key)
        return (launch(register, now: now), register)
    }

    private mutating func launch(_ register: Register, now: Instant) -> UInt64 {
        lastNumber += 1
        flights.append(Flight(number: lastNumber, register: register))
        resendAt = resendAt ?? now.advanced(by: Self.resendAfter)
        return lastNumber
    }

    /// The watch tells what arrived.
    mutating func creditReceived(_ credit: Credit, now: Instant) {
        guard credit.highest <= lastNumber else { return }
        // They are in the order of their numbers.
        let settled = flights.prefix { $0.number <= credit.highest }
        guard !settled.isEmpty else { return }
        if credit.missing.isEmpty {
            confirmedCount += UInt64(settled.count)
            flights.removeFirst(settled.count)
        } else {
            settle(Array(settled), missing: Set(credit.missing))
        }
        resendAt = flights.isEmpty ? nil : now.advanced(by: Self.resendAfter)
    }

    private mutating func settle(_ settled: [Flight], missing: Set<UInt64>) {
        flights.removeFirst(settled.count)
        let arrived = settled.filter { !missing.contains($0.number) }
        confirmedCount += UInt64(arrived.count)
        requeue(settled.filter { missing.contains($0.number) }, arrived: arrived)
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
        waiting = []
        flights = []
        resendAt = nil
    }

    /// Queues again what still is the newest of its register; the rest gave way, to what waits, is under way, or has just
    /// arrived.
    ///
    /// It goes to the end: a watch that confirms nothing gets each register in turn, not one again and again.
    private mutating func requeue(_ lost: [Flight], arrived: [Flight]) {
        let underWay = Set(flights.map(\.register.key))
        var again: [Register] = []
        for flight in lost.reversed() {
            let key = flight.register.key
            let isOvertaken = arrived.contains { $0.register.key == key && $0.number > flight.number }
            if waiting.contains(key) || underWay.contains(key) || isOvertaken {
                supersededCount += 1
            } else {
                waiting.insert(key)
                again.append(flight.register)
            }
        }
        queue += again.reversed()
    }
}
