#if Processes
    import Platform
    import SyncCore
    import SyncTransport

    /// The connection of one peer to the engine.
    ///
    /// Before there is a transport, requests wait in order.
    final class PeerLink: Sendable {
        /// A transport, and the counterpart at its other end.
        enum Transport: Sendable {
            case phone(HubTransport, watch: PeerKey)
            case watch(WatchTransport)
        }

        private struct Request: Sendable {
            var request: PeerState.EngineRequest
            /// Called once, with nil if the transport ended first; never for a request without an answer.
            var answer: @Sendable (TransferAnswer?) -> Void
        }

        private enum State {
            case waiting([Request])
            case open(Transport)
            case ended
        }

        private let state = Lock(State.waiting([]))

        /// Sends a request to the engine.
        func ask(_ request: PeerState.EngineRequest, onAnswer: @escaping @Sendable (TransferAnswer?) -> Void) {
            let request = Request(request: request, answer: onAnswer)
            let isEnded = state.withLock { state in
                switch state {
                case .waiting(let requests):
                    state = .waiting(requests + [request])
                    return false
                case .open(let transport):
                    Self.send(request, by: transport)
                    return false
                case .ended: return true
                }
            }
            if isEnded { Self.refuse(request) }
        }

        /// A transport is available: sends the requests that waited first.
        func open(_ transport: Transport) {
            state.withLock { state in
                // The lock is held during that, so that later requests stay behind.
                if case .waiting(let requests) = state {
                    for request in requests { Self.send(request, by: transport) }
                }
                state = .open(transport)
            }
        }

        /// The transport is gone; another one may follow.
        func close() {
            state.withLock { state in
                if case .open = state { state = .waiting([]) }
            }
        }

        /// There will be no more transport: answers the requests that wait with nil.
        func end() {
            let requests = state.withLock { state in
                defer { state = .ended }
                guard case .waiting(let requests) = state else { return [] as [Request] }
                return requests
            }
            for request in requests { Self.refuse(request) }
        }

        private static func send(_ waiting: Request, by transport: Transport) {
            let (request, answer) = (waiting.request, waiting.answer)
            switch transport {
            case .phone(let transport, let watch) where request.hasAnswer:
                // Every error means that there is no answer.
                transport.ask({ request.input(as: $0) }, with: watch) { answer(try? $0.get()) }
            case .watch(let transport) where request.hasAnswer:
                transport.ask({ request.input(as: $0) }) { answer(try? $0.get()) }
            case .phone(let transport, let watch): transport.tell(request.input(as: Self.none), to: watch)
            case .watch(let transport): transport.tell(request.input(as: Self.none))
            }
        }

        /// The identifier of requests without an answer.
        private static let none = RequestID(number: 0)

        private static func refuse(_ request: Request) {
            if request.request.hasAnswer { request.answer(nil) }
        }
    }
#endif
