/// The changes of user info that wait for the store, and the record that is being stored.
///
///     resting ───────────────due───────────────▶ storing
///     │ ▲ ▲ ▲                                    ▲ │ │
///     │ │ │ └────────────persisted───────────────┼─┘ │
///     │ │ └─nothing waits─┐                      │   │
///     │ │                 │                      │   │
///     └─┼──can wait──▶ waiting ──────due─────────┘   │
///       │                                            │
///       └──its time, or a request── failed ◀─────────┘ persist failed
///
/// These make a record due: a request of the application, an item that arrived, a track whose numbering does not fit
/// the receiver, and items that may not be sent yet although there is a session. Acknowledgements of the receiver and
/// consumptions of the application can wait for a record that is due anyway, for ``waitMax`` at most; when the
/// process stops, they are stored at once. Each record includes everything that waits.
struct PersistenceQueue: Sendable {
    /// An application's request that waits for the store.
    enum Request: Hashable, Sendable {
        /// An item to accept.
        case add(Exchange.RequestID, RandomID, [UInt8], isUrgent: Bool)
        /// An item to cancel.
        case cancel(Exchange.RequestID, RandomID)
    }

    /// An answer to give once a record is durable.
    typealias Answer = (request: Exchange.RequestID, answer: Exchange.Answer)

    private enum State: Sendable {
        /// The state while nothing waits, or only what has just arrived.
        case resting
        /// The state while only changes wait that can, until their time limit.
        case waiting(until: Instant)
        /// The state while a record is being stored.
        case storing(Exchange.Record, [Answer])
        /// The state after a record could not be stored, until it is tried again.
        case failed(retryAt: Instant)
    }

    /// The time after which a failed record is tried again if no application request is in it.
    private static let retryAfter = Duration.seconds(1)
    /// The time for which acknowledgements and consumptions may wait for a record that is due anyway.
    private static let waitMax = Duration.milliseconds(100)

    private var state = State.resting
    /// Whether the next record includes at once what could wait, because the process is about to stop.
    private var isEnding = false
    /// The number of the last record.
    private var lastNumber: UInt64 = 0
    /// The requests for the next record.
    private var requests: [Request] = []
    /// The number of items that are being added, in this record or the next.
    private(set) var addingCount = 0
    /// The bytes of their payloads.
    private(set) var addingByteCount = 0
    /// The items that are being cancelled; they must not be sent meanwhile.
    private(set) var cancelling: [RandomID] = []
    /// The items that the application has consumed, until that is durable.
    private(set) var consumptions: [RandomID] = []

    /// When a record is due because of time.
    var deadline: Instant? {
        switch state {
        case .waiting(let time), .failed(let time): time
        case .resting, .storing: nil
        }
    }

    // MARK: - What waits

    /// Queues a request.
    mutating func append(_ request: Request) {
        requests.append(request)
        count(request)
    }

    /// Queues the consumption of an item, once.
    mutating func consumed(_ id: RandomID) {
        if !consumptions.contains(id) { consumptions.append(id) }
    }

    /// Whether an item is being added, in this record or the next.
    ///
    /// This is only needed for an id that the application chose, so there is no set of all ids.
    func isAdding(_ id: RandomID) -> Bool {
        if requests.contains(where: { $0.addedID == id }) { return true }
        guard case .storing(let record, _) = state else { return false }
        return record.changes.contains { $0.addedID == id }
    }

    /// Removes and returns the requests, for a record.
    mutating func takeRequests() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// Makes what could wait, or waits after a failure of the store, due now.
    mutating func ending() {
        isEnding = true
        if case .failed = state { state = .resting }
    }

    // MARK: - Records

    /// Whether a record may begin now: none is being stored, and none waits after a failure.
    mutating func mayBegin(now: Instant) -> Bool {
        switch state {
        case .resting, .waiting: return true
        case .storing: return false
        case .failed(let retryAt):
            guard !requests.isEmpty || retryAt <= now else { return false }
            state = .resting
            return true
        }
    }

    /// Whether a record is due now; if only changes that can wait are left, sets their time limit.
    ///
    /// `isUrgent` says whether something is due at once besides the requests, `hasArrivals` whether the receiver has
    /// acknowledged items, which can wait.
    mutating func isDue(isUrgent: Bool, hasArrivals: Bool, now: Instant) -> Bool {
        if isUrgent || !requests.isEmpty { return true }
        guard hasArrivals || !consumptions.isEmpty else {
            state = .resting
            isEnding = false
            return false
        }
        switch state {
        case .resting where isEnding, .waiting where isEnding: return true
        case .waiting(let time): return time <= now
        case .resting:
            state = .waiting(until: now.advanced(by: Self.waitMax))
            return false
        case .storing, .failed: preconditionFailure("a record is due while another is \(state)")
        }
    }

    /// Begins a record with these changes; nil if there are none.
    mutating func begin(_ changes: [Exchange.Change], answers: [Answer]) -> Exchange.Record? {
        isEnding = false
        guard !changes.isEmpty else {
            end(.resting)
            return nil
        }
        lastNumber += 1
        let record = Exchange.Record(number: lastNumber, changes: changes)
        state = .storing(record, answers)
        return record
    }

    /// The record is durable; returns the answers to give.
    mutating func persisted(_ record: Exchange.Record) -> [Answer] {
        let answers = answers(waitingFor: record)
        end(.resting)
        for case .consumed(let id) in record.changes { consumptions.removeAll { $0 == id } }
        return answers
    }

    /// The record could not be stored; returns the requests that fail with it.
    mutating func persistFailed(_ record: Exchange.Record, now: Instant) -> [Exchange.RequestID] {
        let answers = answers(waitingFor: record)
        end(.failed(retryAt: now.advanced(by: Self.retryAfter)))
        return answers.map(\.request)
    }

    private func answers(waitingFor record: Exchange.Record) -> [Answer] {
        guard case .storing(let stored, let answers) = state, stored.number == record.number else {
            preconditionFailure("record \(record.number) is not being stored")
        }
        return answers
    }

    /// Keeps only what waits for the next record.
    private mutating func end(_ next: State) {
        state = next
        addingCount = 0
        addingByteCount = 0
        cancelling = []
        for request in requests { count(request) }
    }

    private mutating func count(_ request: Request) {
        switch request {
        case .add(_, _, let payload, _):
            addingCount += 1
            addingByteCount += payload.count
        case .cancel(_, let id):
            cancelling.append(id)
        }
    }
}

extension PersistenceQueue.Request {
    /// The id of the item that it adds; nil for another request.
    fileprivate var addedID: RandomID? {
        if case .add(_, let id, _, _) = self { id } else { nil }
    }
}

extension Exchange.Change {
    /// The id of the item that it queues; nil for another change.
    fileprivate var addedID: RandomID? {
        if case .added(let item, _) = self { item.id } else { nil }
    }
}
