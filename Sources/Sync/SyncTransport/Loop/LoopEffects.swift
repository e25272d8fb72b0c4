import SyncCore

/// What carries out those outputs of an engine that need no socket, and the faults before the sockets.
struct LoopEffects<Sockets: EngineSockets> {
    /// The thread that makes things durable.
    let disk: StorageThread<Sockets.Job>
    /// What becomes of transfers.
    var transfers: PendingTransfers
    /// What goes wrong on purpose, nil if nothing does.
    var faults: FaultLayer?
    private var waiting: [RequestID: CheckedContinuation<Sockets.Engine.Answer, any Error>] = [:]

    init(disk: StorageThread<Sockets.Job>, transfers: PendingTransfers) {
        self.disk = disk
        self.transfers = transfers
    }

    mutating func setFaults(_ wanted: LinkFaults?, for peer: PeerKey?, _ tally: FaultCounters) {
        guard wanted != nil || faults != nil else { return }
        var layer = faults ?? FaultLayer(tally: tally)
        layer.set(wanted, for: peer)
        faults = layer
    }

    /// Somebody asks and waits.
    mutating func ask(_ request: RequestID, _ continuation: CheckedContinuation<Sockets.Engine.Answer, any Error>) {
        waiting[request] = continuation
    }

    mutating func answer(_ request: RequestID, _ answer: Sockets.Engine.Answer) {
        waiting.removeValue(forKey: request)?.resume(returning: answer)
    }

    /// Tells those who still wait that no answer will come.
    mutating func abandonRequests() {
        for continuation in waiting.values { continuation.resume(throwing: LinkError.ended) }
        waiting = [:]
        transfers.abandon()
    }
}
