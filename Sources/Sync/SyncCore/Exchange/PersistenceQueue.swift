/// What waits for the store, and what is in it.
struct PersistenceQueue: Sendable {
    /// What an application waits for.
    enum Request: Hashable, Sendable {
        /// An item to accept.
        case add(Exchange.RequestID, RandomID, [UInt8], isUrgent: Bool)
        /// An item to hold back.
        case cancel(Exchange.RequestID, RandomID)
    }

    /// What the next record is to carry out.
    private(set) var requests: [Request] = []
    /// The number of items that are being accepted, in this record or the next.
    private(set) var addingCount = 0
    /// The bytes of their payloads.
    private(set) var addingByteCount = 0
    /// The items that are being held back, which must not be sent meanwhile.
    private(set) var cancelling: [RandomID] = []
    /// The items that the application has consumed, until that is durable.
    var consumptions: [RandomID] = []
    /// The record that is being stored.
    var record: Exchange.Record?
    /// What to answer once it is durable.
    var answers: [(request: Exchange.RequestID, answer: Exchange.Answer)] = []
    /// The number of the last record.
    var lastNumber: UInt64 = 0
    /// When to try again after a failure.
    var retryAt: Instant?
    /// When to store what could wait.
    var lazyAt: Instant?

    /// Queues a request.
    mutating func append(_ request: Request) {
        requests.append(request)
        count(request)
    }

    /// Whether an item is being accepted, in this record or the next.
    ///
    /// Only an id that somebody else chose is asked for, so there is no set of them for all the others.
    func isAdding(_ id: RandomID) -> Bool {
        requests.contains { $0.addedID == id } || record?.changes.contains { $0.addedID == id } == true
    }

    /// Takes the requests for a record.
    mutating func takeRequests() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// What may wait, or waits for a store that failed, is to be stored now.
    mutating func hurry(now: Instant) {
        lazyAt = now
        retryAt = nil
    }

    /// The record is durable, or lost: only what waits for the next one is left.
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
    /// The item that it wants accepted, nil if it wants something else.
    fileprivate var addedID: RandomID? {
        if case .add(_, let id, _, _) = self { id } else { nil }
    }
}

extension Exchange.Change {
    /// The item that it queues, nil if it does something else.
    fileprivate var addedID: RandomID? {
        if case .added(let item, _) = self { item.id } else { nil }
    }
}
