import SyncCore

/// Carries out the outputs of an engine that need no socket, and applies faults before the sockets.
struct LoopEffects<Sockets: EngineSockets> {
    /// The thread that makes things durable.
    let disk: StorageThread<Sockets.Job>
    /// The transfers' outputs.
    var transfers: PendingTransfers
    /// The deliberate faults, nil if there are none.
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

    /// Registers a caller that waits for an answer.
    mutating func ask(_ request: RequestID, _ continuation: CheckedContinuation<Sockets.Engine.Answer, any Error>) {
        waiting[request] = continuation
    }

    mutating func answer(_ request: RequestID, _ answer: Sockets.Engine.Answer) {
        waiting.removeValue(forKey: request)?.resume(returning: answer)
    }

    /// Tells the callers that still wait that no answer will come.
    mutating func abandonRequests() {
        for continuation in waiting.values { continuation.resume(throwing: LinkError.ended) }
        waiting = [:]
        transfers.abandon()
    }
}
