/// The changes that wait for the store, and the record that is being stored.
struct PersistenceQueue: Sendable {
    /// An application's request that waits for the store.
    enum Request: Hashable, Sendable {
        /// An item to accept.
        case add(Exchange.RequestID, RandomID, [UInt8], isUrgent: Bool)
        /// An item to cancel.
        case cancel(Exchange.RequestID, RandomID)
    }

    /// The requests for the next record.
    private(set) var requests: [Request] = []
    /// The number of items that are being added, in this record or the next.
    private(set) var addingCount = 0
    /// The bytes of their payloads.
    private(set) var addingByteCount = 0
    /// The items that are being cancelled; they must not be sent meanwhile.
    private(set) var cancelling: [RandomID] = []
    /// The items that the application has consumed, until that is durable.
    var consumptions: [RandomID] = []
    /// The record that is being stored.
    var record: Exchange.Record?
    /// The answers to give once it is durable.
    var answers: [(request: Exchange.RequestID, answer: Exchange.Answer)] = []
    /// The number of the last record.
    var lastNumber: UInt64 = 0
    /// When to try again after a failure.
    var retryAt: Instant?
    /// When to store the changes that could wait.
    var lazyAt: Instant?

    /// Queues a request.
    mutating func append(_ request: Request) {
        requests.append(request)
        count(request)
    }

    /// Whether an item is being added, in this record or the next.
    ///
    /// This is only needed for an id that the application chose, so there is no set of all ids.
    func isAdding(_ id: RandomID) -> Bool {
        requests.contains { $0.addedID == id } || record?.changes.contains { $0.addedID == id } == true
    }

    /// Removes and returns the requests for a record.
    mutating func takeRequests() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// Makes the changes due now that could wait, or that wait after a failure of the store.
    mutating func flushSoon(now: Instant) {
        lazyAt = now
        retryAt = nil
    }

    /// The record is durable or failed: keeps only what waits for the next one.
    mutating func recordEnded() {
        record = nil
        answers = []
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
