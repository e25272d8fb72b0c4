import Platform
import SyncCore
import Synchronization
import ZeroMQ

/// The access of other threads to a loop: each request is answered once, even if the loop has ended.
final class LoopClient<Sockets: EngineSockets>: Sendable {
    private enum State {
        case new
        case running
        case ended
    }

    let requests = RequestQueue<LoopRequest<Sockets>>()
    let faultCounters = FaultCounters()
    private let lastRequest = Atomic<UInt64>(0)
    private let state = Lock(State.new)

    /// Runs a loop on a separate thread until it ends or the task is cancelled; once.
    ///
    /// - Throws: ``LinkError``.
    func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        state.withLock { state in
            guard case .new = state else { preconditionFailure("a loop runs once") }
            state = .running
        }
        defer {
            state.withLock { $0 = .ended }
            abandonRequests()
        }
        try await runOnThread(stop: { [requests] in requests.post(.stop) }) {
            do {
                try body()
            } catch let error as ZeroMQError {
                throw LinkError.transport(error)
            }
        }
    }

    /// Sends a request to the engine, and waits for the answer.
    ///
    /// - Throws: ``LinkError/ended``.
    func request(_ input: (RequestID) -> Sockets.Engine.Input) async throws -> Sockets.Engine.Answer {
        let id = nextRequest()
        let input = input(id)
        return try await answer { .request(id, input, $0) }
    }

    /// The engine's present state.
    ///
    /// - Throws: ``LinkError/ended``.
    func view() async throws -> Sockets.View {
        try await answer { .view($0) }
    }

    /// Sends a request to the transfers with a peer; returns at once.
    func ask(
        _ input: (RequestID) -> TransferInput, with peer: PeerKey, _ onAnswer: @escaping PendingTransfers.Waiting
    ) {
        let id = nextRequest()
        postForAnswer(.ask(id, input(id), with: peer, onAnswer))
    }

    /// Sends a request to the transfers with a peer, and waits for the answer.
    func transfer(_ input: (RequestID) -> TransferInput, with peer: PeerKey) async throws -> TransferAnswer {
        try await withCheckedThrowingContinuation { continuation in
            ask(input, with: peer) { continuation.resume(with: $0.mapError { $0 as any Error }) }
        }
    }

    private func nextRequest() -> RequestID {
        RequestID(number: lastRequest.add(1, ordering: .relaxed).newValue)
    }

    private func answer<Answer: Sendable>(
        _ request: (CheckedContinuation<Answer, any Error>) -> LoopRequest<Sockets>
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { postForAnswer(request($0)) }
    }

    private func postForAnswer(_ request: LoopRequest<Sockets>) {
        guard !isEnded else { return request.abandon() }
        requests.post(request)
        // The loop may have taken its last requests just before this one was posted.
        if isEnded { abandonRequests() }
    }

    private func abandonRequests() {
        for request in requests.takeAll() { request.abandon() }
    }

    private var isEnded: Bool {
        state.withLock { state in
            switch state {
            case .new, .running: false
            case .ended: true
            }
        }
    }
}
