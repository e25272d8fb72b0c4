/// The requests that need the ledger.
///
/// They run one at a time, in the order of arrival: while the transaction of one is being stored, the others wait.
struct LedgerQueue: Sendable {
    private var waiting: [LedgerRequest] = []
    private var inFlight: (request: LedgerRequest, transaction: Transaction)?

    /// Adds a request, and removes those that it replaces; false if too many wait.
    mutating func append(_ request: LedgerRequest) -> Bool {
        waiting.removeAll { $0.isOvertaken(by: request) }
        guard waiting.count < HubEngine.requestCountMax else { return false }
        waiting.append(request)
        return true
    }

    /// Removes and returns the next request; nil while a transaction is being stored.
    mutating func next() -> LedgerRequest? {
        guard inFlight == nil, !waiting.isEmpty else { return nil }
        return waiting.removeFirst()
    }

    /// The transaction of a request is being stored from now on.
    mutating func begin(_ transaction: Transaction, for request: LedgerRequest) {
        inFlight = (request, transaction)
    }

    /// The transaction was stored, or could not be; returns its request, nil if another one is being stored.
    mutating func end(_ transaction: Transaction) -> LedgerRequest? {
        guard let (request, expected) = inFlight, expected == transaction else { return nil }
        inFlight = nil
        return request
    }
}

/// A request that needs the ledger.
enum LedgerRequest: Hashable, Sendable {
    case transact(RequestID, [CellChange], expected: Version?)
    case invite(RequestID, Invitation)
    case unpair(RequestID, PeerKey)
    case settle(RequestID, conflict: RandomID, restoring: Bool)
    case pair(PairRequest, from: PeerKey, ConnectionID)
    case upload(UploadBatch, from: PeerKey, ConnectionID)
    case purge
    case forget(PeerKey)
    case beginEpoch(RequestID)
    case fork(Hello, ConnectionID)

    /// The application's identifier of the request; nil if a watch or the engine itself made it.
    var id: RequestID? {
        switch self {
        case .transact(let id, _, _), .invite(let id, _), .unpair(let id, _), .settle(let id, _, _),
            .beginEpoch(let id):
            id
        case .pair, .upload, .purge, .forget, .fork: nil
        }
    }

    /// Whether a newer request replaces this one: a watch that asks again waits for one answer only.
    func isOvertaken(by newer: LedgerRequest) -> Bool {
        switch (self, newer) {
        case (.pair(_, let peer, _), .pair(_, let newerPeer, _)): peer == newerPeer
        case (.upload(_, let peer, _), .upload(_, let newerPeer, _)): peer == newerPeer
        case (.fork, .fork), (.purge, .purge): true
        case (.transact, _), (.invite, _), (.unpair, _), (.settle, _), (.pair, _), (.upload, _), (.purge, _),
            (.forget, _), (.beginEpoch, _), (.fork, _):
            false
        }
    }
}
