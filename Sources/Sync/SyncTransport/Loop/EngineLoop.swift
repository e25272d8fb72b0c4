import SyncCore
import ZeroMQ

/// The thread of an engine: waits for sockets and requests, feeds the engine, carries out what it wants.
///
///     sockets ──nextInput──▶ ┌────────┐ ──carryOut──▶ sockets, storage thread, file worker, answers, application
///     requests ────────────▶ │ engine │
///     time, faults ────────▶ └────────┘
///
/// It decides nothing about the protocol. What becomes of a job for the disk or of a file comes back as a request.
struct EngineLoop<Sockets: EngineSockets> {
    typealias Engine = Sockets.Engine

    /// How often the engine hears at the end what became of its last wishes: the last bytes of a file that is being
    /// received are written, then synced, then recorded.
    private static var lastRoundCount: Int { 4 }

    private var engine: RecordingTap<Engine>
    private let sockets: Sockets
    private var effects: LoopEffects<Sockets>
    private let files: FileWorker
    private let client: LoopClient<Sockets>
    /// The requests that were taken and have not been worked on.
    private var requests: ArraySlice<LoopRequest<Sockets>> = []

    /// Creates a loop with its threads for the disk and for files.
    ///
    /// - Parameters:
    ///   - engine: The engine, whose first outputs nobody has drained.
    ///   - sockets: The sockets, which know the bell of `client`.
    ///   - client: How other threads reach the loop.
    ///   - write: Makes a job durable; on the disk's thread.
    ///   - storage: Where the files exchanged with a peer lie; on the files' thread.
    ///   - onTransfer: Hears the events of transfers.
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

    /// Changes what goes wrong on purpose.
    mutating func setFaults(_ faults: LinkFaults?, for peer: PeerKey?) {
        effects.setFaults(faults, for: peer, client.faultCounters)
    }

    /// Serves the engine until a request asks to stop.
    mutating func run() throws(ZeroMQError) {
        defer { end() }
        try carryOut()
        while true {
            let due = client.requests.rest() ? nextDeadline : .past
            let isRung = try sockets.wait(until: due)
            while let (input, moment) = try sockets.nextInput(&effects) { try step(input, at: moment) }
            // Last, so that what the application answers to what was just received leaves at once.
            requests = client.requests.takeAll(rung: isRung)[...]
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

    /// Works on a request; false if it asks to stop.
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

    /// Tells the engine something, and carries out what it wants.
    private mutating func step(_ input: Engine.Input, at moment: Moment = .now) throws(ZeroMQError) {
        engine.handle(input, at: moment)
        try carryOut()
        sockets.stepped(engine.engine)
    }

    /// Carries out what the engine wants until it wants nothing more.
    private mutating func carryOut() throws(ZeroMQError) {
        // The engine takes no input while it has outputs.
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

    /// Hands on what the faults let through by now.
    private mutating func passFaults() throws(ZeroMQError) {
        while let event = effects.faults?.next(at: Moment.now.monotonic) {
            let input =
                switch event {
                case .passes(.incoming, let parts, let peer, let connection):
                    sockets.received(parts, from: peer, on: connection)
                case .passes(.outgoing, let parts, _, let connection): try sockets.send(parts, to: connection)
                case .resets(let connection): sockets.broke(connection)
                }
            if let input { try step(input) }
        }
        if effects.faults?.isIdle == true { effects.faults = nil }
    }

    // MARK: - The end

    /// Bids the engine farewell, and follows what that leads to, while there is something.
    ///
    /// A record may have to wait for one that is being written, so the engine hears what becomes of the last ones, too.
    /// Anybody who asks for something from now on is told that the loop has ended.
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

    /// Ends the threads, and answers everybody who still waits.
    private mutating func end() {
        // What the engine put out last is written before the process may end, and nothing is written afterwards: the folder
        // may be another one's then.
        files.end()
        effects.disk.end()
        for request in requests { request.abandon() }
        effects.abandonRequests()
    }
}
