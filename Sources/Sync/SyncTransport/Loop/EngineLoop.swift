import Platform
import SyncCore
import ZeroMQ

/// The thread of an engine: waits for sockets and requests, passes inputs to the engine, and carries out its outputs.
///
///     sockets ──nextInput──▶ ┌────────┐ ──carryOut──▶ sockets, storage thread, file worker, answers, application
///     requests ────────────▶ │ engine │
///     time, faults ────────▶ └────────┘
///
/// It makes no decisions about the protocol. The results of jobs for the disk and for files come back as requests.
struct EngineLoop<Sockets: EngineSockets> {
    typealias Engine = Sockets.Engine

    /// How many times the results of the last outputs are passed to the engine at the end: the last bytes of a file
    /// that is being received are written, then synced, then recorded.
    private static var lastRoundCount: Int { 4 }

    private var engine: RecordingTap<Engine>
    private let sockets: Sockets
    private var effects: LoopEffects<Sockets>
    private let files: FileWorker
    private let client: LoopClient<Sockets>
    /// The requests that were taken from the queue and are not handled yet.
    private var requests: ArraySlice<LoopRequest<Sockets>> = []

    /// Creates a loop with its threads for the disk and for files.
    ///
    /// - Parameters:
    ///   - engine: The engine, with its initial outputs.
    ///   - sockets: The sockets, which poll the wake pipe of `client`.
    ///   - client: The access of other threads to the loop.
    ///   - write: Makes a job durable; called on the disk's thread.
    ///   - storage: Returns the storage of the files exchanged with a peer; called on the files' thread.
    ///   - onTransfer: Gets the events of transfers.
    init(
        _ engine: RecordingTap<Engine>, sockets: Sockets, client: LoopClient<Sockets>,
        write: @escaping @Sendable (Sockets.Job) throws -> Void,
        storage: @escaping @Sendable (PeerKey) -> (any FileStorage)?,
        onTransfer: @escaping @Sendable (PeerKey, TransferEvent) -> Void
    ) {
        self.engine = engine
        self.sockets = sockets
        self.client = client
        let queue = client.requests
        let disk = StorageThread<Sockets.Job>(work: write) { job, error in
            queue.post(.input(Sockets.outcome(of: job, error)))
        }
        files = FileWorker(storage: storage) { answers in
            queue.post(answers.map { .input(Sockets.transfer(.files($0.input), with: $0.peer)) })
        }
        effects = LoopEffects(disk: disk, transfers: PendingTransfers(files: files, onEvent: onTransfer))
    }

    /// Changes the deliberate faults.
    mutating func setFaults(_ faults: LinkFaults?, for peer: PeerKey?) {
        effects.setFaults(faults, for: peer, client.faultCounters)
    }

    /// Serves the engine until a request asks to stop.
    mutating func run() throws(ZeroMQError) {
        defer { end() }
        try carryOut()
        while true {
            let due = client.requests.rest() ? nextDeadline : .past
            let isWoken = try sockets.wait(until: due)
            while let (input, moment) = try sockets.nextInput(&effects) { try step(input, at: moment) }
            // Requests come last, so that the application's answers to what was just received are sent at once.
            requests = client.requests.takeAll(woken: isWoken)[...]
            while let request = requests.popFirst() {
                guard try take(request) else { return try finish() }
            }
            try step(.timeReached)
            if effects.faults != nil { try passFaults() }
        }
    }

    private var nextDeadline: Instant? {
        guard let held = effects.faults?.deadline else { return engine.engine.nextDeadline }
        return min(held, engine.engine.nextDeadline ?? held)
    }

    /// Handles a request; false if it asks to stop.
    private mutating func take(_ request: LoopRequest<Sockets>) throws(ZeroMQError) -> Bool {
        switch request {
        case .input(let input):
            try step(input)
        case .request(let id, let input, let continuation):
            effects.ask(id, continuation)
            try step(input)
        case .ask(let id, let input, let peer, let waiting):
            effects.transfers.ask(id, waiting)
            try step(Sockets.transfer(input, with: peer))
        case .view(let continuation):
            continuation.resume(returning: sockets.view(of: engine.engine))
        case .command(let command):
            if let input = sockets.handle(command) { try step(input) }
        case .faults(let faults, let peer):
            setFaults(faults, for: peer)
        case .stop:
            return false
        }
        return true
    }

    /// Passes an input to the engine, and carries out its outputs.
    private mutating func step(_ input: Engine.Input, at moment: Moment = .now) throws(ZeroMQError) {
        engine.handle(input, at: moment)
        try carryOut()
        sockets.stepped(engine.engine)
    }

    /// Carries out the engine's outputs until there are none left.
    private mutating func carryOut() throws(ZeroMQError) {
        // The engine accepts no input while it has outputs.
        var later: [Engine.Input] = []
        while true {
            while let output = engine.nextOutput() {
                if let input = try sockets.carryOut(output, &effects) { later.append(input) }
            }
            guard let input = later.popLast() else { break }
            engine.handle(input, at: .now)
        }
        effects.transfers.beginFileJobs()
    }

    /// Handles the messages that the faults have released by now.
    private mutating func passFaults() throws(ZeroMQError) {
        while let event = effects.faults?.next(at: Moment.now.monotonic) {
            let input =
                switch event {
                case .passes(.incoming, let parts, let peer, let connection):
                    sockets.received(parts, from: peer, on: connection)
                case .passes(.outgoing, let parts, _, let connection): try sockets.send(parts, to: connection)
                case .resets(let connection): sockets.connectionBroke(connection)
                }
            if let input { try step(input) }
        }
        if effects.faults?.isIdle == true { effects.faults = nil }
    }

    // MARK: - The end

    /// Passes `.farewell` to the engine, and carries out what results from it, for a limited number of rounds.
    ///
    /// A record may have to wait for one that is being written, so the engine also gets the results of the last ones.
    /// Requests from now on are answered with the error that the loop has ended.
    private mutating func finish() throws(ZeroMQError) {
        try step(.farewell)
        try takeLast()
        for _ in 0..<Self.lastRoundCount {
            effects.disk.drain()
            files.drain()
            requests = client.requests.takeAll()[...]
            if requests.isEmpty { return }
            try takeLast()
        }
    }

    private mutating func takeLast() throws(ZeroMQError) {
        while let request = requests.popFirst() {
            switch request {
            case .input(let input): try step(input)
            case .request, .ask, .view, .command, .faults, .stop: request.abandon()
            }
        }
    }

    /// Ends the threads, and answers every caller that still waits.
    private mutating func end() {
        // The engine's last outputs are written before the process may end. Nothing is written afterwards, because
        // another process may have the folder then.
        files.end()
        effects.disk.end()
        for request in requests { request.abandon() }
        effects.abandonRequests()
    }
}
