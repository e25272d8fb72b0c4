/// The requests that need the ledger.
///
/// They run in the order of arrival. While the transactions of a group are being stored, the others wait; the next group
/// takes those of them that can become durable in one step.
struct LedgerQueue: Sendable {
    /// A request, and the transaction that it needs.
    struct Member: Sendable {
        let request: LedgerRequest
        let transaction: Transaction
    }

    private var waiting: [LedgerRequest] = []
    private var group: [Member] = []
    private var isStoring = false

    /// Adds a request, and removes those that it replaces; false if too many wait.
    mutating func append(_ request: LedgerRequest) -> Bool {
        waiting.removeAll { $0.isOvertaken(by: request) }
        guard waiting.count < HubEngine.requestCountMax else { return false }
        waiting.append(request)
        return true
    }

    /// Removes and returns the next request that the group can take; nil while a group is being stored, and if the
    /// next request cannot become durable together with what the group has.
    mutating func next() -> LedgerRequest? {
        guard !isStoring, let request = waiting.first else { return nil }
        if let first = group.first {
            let mayJoin = first.request.sharesStep && request.sharesStep
            guard mayJoin, group.count < HubEngine.groupCountMax else { return nil }
        }
        return waiting.removeFirst()
    }

    /// The last transaction of the group, on which the next one builds.
    var lastPrepared: Transaction? { group.last?.transaction }

    /// Adds a transaction to the group.
    mutating func join(_ transaction: Transaction, for request: LedgerRequest) {
        group.append(Member(request: request, transaction: transaction))
    }

    /// A request has to wait for the outcome of the group: the next group begins with it.
    mutating func putBack(_ request: LedgerRequest) {
        waiting.insert(request, at: 0)
    }

    /// The group is being stored from now on; returns its transactions, none if there is nothing to store.
    mutating func begin() -> [Transaction] {
        guard !isStoring else { return [] }
        isStoring = !group.isEmpty
        return group.map(\.transaction)
    }

    /// The group was stored, or could not be; returns its members, nil if another group is being stored.
    mutating func end(_ transactions: [Transaction]) -> [Member]? {
        guard isStoring, group.map(\.transaction) == transactions else { return nil }
        defer { (group, isStoring) = ([], false) }
        return group
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

    /// Whether it can become durable in one step with others: it changes cells and conflicts alone, and neither who is
    /// paired nor the epoch.
    var sharesStep: Bool {
        switch self {
        case .transact, .settle, .upload: true
        case .invite, .unpair, .pair, .purge, .forget, .beginEpoch, .fork: false
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
