import SyncCore

/// What a loop does with the outputs of transfers: files to their thread, answers to who waits, events to the application.
struct PendingTransfers {
    /// Who waits for an answer: called once, on the link's thread or, after its end, on any.
    typealias Waiting = @Sendable (Result<TransferAnswer, LinkError>) -> Void

    private var waiting: [RequestID: Waiting] = [:]
    private let files: FileWorker
    private var fileJobs: [FileWorker.Job] = []
    private let onEvent: @Sendable (PeerKey, TransferEvent) -> Void

    init(files: FileWorker, onEvent: @escaping @Sendable (PeerKey, TransferEvent) -> Void) {
        self.files = files
        self.onEvent = onEvent
    }

    /// Somebody asks and waits.
    mutating func ask(_ request: RequestID, _ answer: @escaping Waiting) {
        waiting[request] = answer
    }

    /// Carries out an output; what concerns files begins with ``beginFileJobs()``.
    ///
    /// Frames and records the engine puts out by themselves.
    mutating func carryOut(_ output: TransferOutput, with peer: PeerKey) {
        switch output {
        case .exchange(.answer(let request, let answer)): finish(request, .exchange(answer))
        case .files(.answer(let request, let answer)): finish(request, .files(answer))
        case .exchange(.event(let event)): onEvent(peer, .exchange(event))
        case .files(.event(let event)): onEvent(peer, .files(event))
        case .files(let output): fileJobs.append(.init(peer: peer, output: output))
        case .exchange(.send), .exchange(.persist), .exchange(.endSession): break
        }
    }

    /// Hands what concerns files to their thread, which is woken once for all of it.
    mutating func beginFileJobs() {
        guard !fileJobs.isEmpty else { return }
        files.submit(fileJobs)
        fileJobs = []
    }

    /// A request is answered otherwise; false if nobody waits for it here.
    mutating func fail(_ request: RequestID, _ error: LinkError) -> Bool {
        guard let waiting = waiting.removeValue(forKey: request) else { return false }
        waiting(.failure(error))
        return true
    }

    private mutating func finish(_ request: RequestID, _ answer: TransferAnswer) {
        waiting.removeValue(forKey: request)?(.success(answer))
    }

    /// Tells those who still wait that no answer will come.
    mutating func abandon() {
        for waiting in waiting.values { waiting(.failure(.ended)) }
        waiting = [:]
    }
}
