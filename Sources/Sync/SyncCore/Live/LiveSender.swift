/// Sends registers to one watch, in order, as fast as the watch grants credit.
///
/// While there is credit, all values are sent. Without credit, a newer value of a register replaces the waiting one,
/// so a slow watch gets fewer values but never outdated ones. A replaced value counts as superseded.
///
/// While there is no credit, changes are not queued; the table is read later, when there is something to do. A
/// changed register gets its place in the queue at that time; registers that changed since the last reading are
/// queued in the order of their last changes.
struct LiveSender: Hashable, Sendable {
    /// The time after which unconfirmed values are sent again, if they still are the newest.
    static let resendAfter = Duration.seconds(2)

    /// A value on its way.
    private struct Flight: Hashable, Sendable {
        var number: UInt64
        /// The register's place in the table.
        var place: Int
    }

    private let window: Int
    /// The number of table changes that were read.
    private var seenCount: UInt64
    /// The places of the registers that wait for credit, in sending order.
    private var queue: [Int]
    /// The same places.
    private var waiting: Set<Int>
    private var flights: [Flight] = []
    private var lastNumber: UInt64 = 0
    private var resendAt: Instant?
    /// The number of values that the watch confirmed.
    private(set) var confirmedCount: UInt64 = 0
    /// The number of values that newer ones replaced.
    private(set) var supersededCount: UInt64 = 0

    /// Creates the sender for a watch that accepts `window` values before it must give credit; the whole table waits.
    init(window: UInt32, table: RegisterTable) {
        self.window = Int(window)
        seenCount = table.changeCount
        queue = table.placesByKey
        waiting = Set(queue)
    }

    /// The number of values that wait or are on their way, as of the last reading of the table.
    var backlogCount: Int { queue.count + flights.count }

    /// When unconfirmed values are to be sent again.
    var deadline: Instant? { resendAt }

    /// The sender as it would be after reading the table.
    func looking(at table: RegisterTable) -> LiveSender {
        var sender = self
        sender.look(at: table)
        return sender
    }

    /// Queues the registers that changed since the last reading; one that already waits keeps its place.
    private mutating func look(at table: RegisterTable) {
        let changeCount = table.changeCount - seenCount
        guard changeCount > 0 else { return }
        let places = table.places(changedAfter: seenCount).filter { waiting.insert($0).inserted }
        queue += places
        supersededCount += changeCount - UInt64(places.count)
        seenCount = table.changeCount
    }

    /// Numbers the last changed value if it can be sent at once: there is credit, nothing waits before it, and
    /// nothing has to be sent again.
    ///
    /// - Returns: Its number; nil if it has to wait for the next reading.
    mutating func takeAtOnce(_ place: Int, of table: RegisterTable, now: Instant) -> UInt64? {
        guard canTakeAtOnce(table), resendAt.map({ now < $0 }) ?? true else { return nil }
        seenCount = table.changeCount
        return launch(place, now: now)
    }

    /// Whether only the last change of the table is left to send, and there is credit for it.
    func canTakeAtOnce(_ table: RegisterTable) -> Bool {
        seenCount + 1 == table.changeCount && queue.isEmpty && flights.count < window
    }

    /// Takes the next values to send, as many as there is credit for; they count as sent.
    ///
    /// - Parameters:
    ///   - countMax: The most values to take.
    ///   - now: Now.
    /// - Returns: The number of the first value, and the registers' places in the order of their numbers.
    mutating func take(atMost countMax: Int = .max, now: Instant) -> (first: UInt64, places: [Int]) {
        let first = lastNumber + 1
        let places = Array(queue.prefix(min(countMax, window - flights.count)))
        queue.removeFirst(places.count)
        if queue.isEmpty {
            waiting.removeAll(keepingCapacity: true)
        } else {
            for place in places { waiting.remove(place) }
        }
        for place in places { _ = launch(place, now: now) }
        return (first, places)
    }

    private mutating func launch(_ place: Int, now: Instant) -> UInt64 {
        lastNumber += 1
        flights.append(Flight(number: lastNumber, place: place))
        resendAt = resendAt ?? now.advanced(by: Self.resendAfter)
        return lastNumber
    }

    /// The watch reports what arrived.
    mutating func creditReceived(_ credit: Credit, now: Instant) {
        guard credit.highest <= lastNumber else { return }
        // The values on their way are in the order of their numbers.
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

    /// Reads the table, and queues unconfirmed values again once their deadline has passed.
    mutating func timeReached(_ table: RegisterTable, now: Instant) {
        look(at: table)
        guard let due = resendAt, due <= now else { return }
        resendAt = nil
        let lost = flights
        flights = []
        requeue(lost, arrived: [])
    }

    /// The session ended: the next session sends the newest values instead of those that were not confirmed.
    mutating func sessionEnded(_ table: RegisterTable) {
        look(at: table)
        supersededCount += UInt64(backlogCount)
        queue = []
        waiting = []
        flights = []
        resendAt = nil
    }

    /// Queues a lost value again if it is still the newest of its register.
    ///
    /// It is not if a newer one waits, is on its way, or has just arrived.
    ///
    /// The value goes to the end of the queue: a watch that confirms nothing gets all registers in turn, not the same
    /// one again and again.
    private mutating func requeue(_ lost: [Flight], arrived: [Flight]) {
        let underWay = Set(flights.map(\.place))
        var again: [Int] = []
        for flight in lost.reversed() {
            let place = flight.place
            let isOvertaken = arrived.contains { $0.place == place && $0.number > flight.number }
            if waiting.contains(place) || underWay.contains(place) || isOvertaken {
                supersededCount += 1
            } else {
                waiting.insert(place)
                again.append(place)
            }
        }
        queue += again.reversed()
    }
}
