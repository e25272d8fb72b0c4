/// What waits for the store, and what is in it.
struct StoreBook: Sendable {
    /// What an application waits for.
    enum Request: Hashable, Sendable {
        /// An item to accept.
        case add(Exchange.RequestID, RandomID, [UInt8], isUrgent: Bool)
        /// An item to hold back.
        case cancel(Exchange.RequestID, RandomID)
    }

    /// What the next record is to carry out.
    private(set) var requests: [Request] = []
    /// The items that are being accepted, in this record or the next.
    private(set) var adding: Set<RandomID> = []
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

    /// Takes the requests for a record.
    mutating func takeRequests() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// The record is durable, or lost: only what waits for the next one is left.
    mutating func recordEnded() {
        record = nil
        answers = []
        adding = []
        addingByteCount = 0
        cancelling = []
        for request in requests { count(request) }
    }

    private mutating func count(_ request: Request) {
        switch request {
        case .add(_, let id, let payload, _):
            adding.insert(id)
            addingByteCount += payload.count
        case .cancel(_, let id):
            cancelling.append(id)
        }
    }
}
