import SyncCore

/// Carries out the outputs of transfers for a loop: passes files to their thread, answers to callers, and events to
/// the application.
struct PendingTransfers {
    /// The callback for an answer: called once, on the link's thread, or after its end on any thread.
    typealias Waiting = @Sendable (Result<TransferAnswer, LinkError>) -> Void

    private var waiting: [RequestID: Waiting] = [:]
    private let files: FileWorker
    private var fileJobs: [FileWorker.Job] = []
    private let onEvent: @Sendable (PeerKey, TransferEvent) -> Void

    init(files: FileWorker, onEvent: @escaping @Sendable (PeerKey, TransferEvent) -> Void) {
        self.files = files
        self.onEvent = onEvent
    }

    /// Registers a caller that waits for an answer.
    mutating func ask(_ request: RequestID, _ answer: @escaping Waiting) {
        waiting[request] = answer
    }

    /// Carries out an output; outputs about files are only queued, until ``beginFileJobs()``.
    ///
    /// Frames and records do not come here: the engine puts them out as separate outputs.
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

    /// Passes the queued outputs about files to their thread, which is woken once for all of them.
    mutating func beginFileJobs() {
        guard !fileJobs.isEmpty else { return }
        files.submit(fileJobs)
        fileJobs = []
    }

    /// Answers a request with an error; false if no caller waits for it here.
    mutating func fail(_ request: RequestID, _ error: LinkError) -> Bool {
        guard let waiting = waiting.removeValue(forKey: request) else { return false }
        waiting(.failure(error))
        return true
    }

    private mutating func finish(_ request: RequestID, _ answer: TransferAnswer) {
        waiting.removeValue(forKey: request)?(.success(answer))
    }

    /// Tells the callers that still wait that no answer will come.
    mutating func abandon() {
        for waiting in waiting.values { waiting(.failure(.ended)) }
        waiting = [:]
    }
}
