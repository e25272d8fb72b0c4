internal import Platform
internal import Synchronization

/// How the callers want a connection to end, from weak to strong.
enum EndRequest: Int {
    /// Not at all.
    case none
    /// With DISCONNECT.
    case disconnect
    /// At once.
    case abort
}

/// The state that the callers of a client and its network thread share.
final class SharedClientState: Sendable {
    /// The state of a client.
    ///
    /// ```
    ///  idle ──connect──▶ connecting ──CONNACK 0──▶ connected
    ///    │                   │                        │
    ///    └───────close───────┴────────────────────────┴──▶ over
    /// ```
    private enum Phase {
        /// The state before `connect`.
        case idle
        /// The state during the lookup, the connection and the wait for the broker's answer.
        case connecting
        /// The state while callers may publish and subscribe.
        case connected
        /// The state after the end: the handle is released or about to be.
        case over
    }

    private struct State {
        var phase = Phase.idle
        /// libmosquitto's client; nil once the connection is over.
        var handle: Handle?
        /// The number of unfinished publishes.
        var outstandingCount = 0
        /// The filters of the subscribe packets that the broker has not answered yet.
        var filtersByIdentifier: [PacketIdentifier: [TopicFilter]] = [:]
        /// The thread that calls the handler.
        var networkThread: DedicatedThread.ID?
    }

    let options: Client.Options
    let wake: WakePipe
    private let state: Lock<State>
    private let strongestRequest = Atomic<Int>(EndRequest.none.rawValue)
    /// The network thread, for the caller that waits for its end.
    private let thread = Lock<DedicatedThread?>(nil)

    init(_ options: Client.Options) throws(MQTTError) {
        try options.validate()
        self.options = options
        do {
            wake = try WakePipe()
        } catch {
            throw .systemCall(function: "pipe", error)
        }
        state = Lock(State(handle: try Handle(options)))
    }
}

// MARK: - Functions for callers

extension SharedClientState {
    func connect(
        to broker: BrokerAddress, lookup: NameLookup, handler: @escaping @Sendable (Client.Event) -> Void
    ) throws(MQTTError) {
        beginToConnect()
        do throws(MQTTError) {
            try thread.withLock { thread throws(MQTTError) in
                thread = try startThread { [self] in
                    let reason = runConnection(broker, lookup, handler)
                    releaseHandle()
                    handler(.ended(reason))
                }
            }
        } catch {
            releaseHandle()
            throw error
        }
    }

    func publish(_ publication: Publication) throws(MQTTError) -> PacketIdentifier {
        try withConnection { state, handle throws(MQTTError) in
            let limit = options.maximumOutstandingPublishes
            guard state.outstandingCount < limit else { throw .tooManyOutstanding(limit: limit) }
            let identifier = try handle.publish(publication)
            state.outstandingCount += 1
            return identifier
        }
    }

    func subscribe(
        to filters: [TopicFilter], qualityOfService: QualityOfService, options: SubscriptionOptions
    ) throws(MQTTError) -> PacketIdentifier {
        try withConnection { state, handle throws(MQTTError) in
            let identifier = try handle.subscribe(to: filters, qualityOfService: qualityOfService, options: options)
            state.filtersByIdentifier[identifier] = filters
            return identifier
        }
    }

    func unsubscribe(from filters: [TopicFilter]) throws(MQTTError) -> PacketIdentifier {
        try withConnection { _, handle throws(MQTTError) in try handle.unsubscribe(from: filters) }
    }

    /// Requests an end; of two requests the stronger one counts.
    func request(_ requestedEnd: EndRequest) {
        strongestRequest.max(requestedEnd.rawValue, ordering: .sequentiallyConsistent)
        wake.raise()
    }

    func close() {
        precondition(!isOnNetworkThread, "close() inside the handler would wait for itself; call disconnect()")
        end()
    }

    /// Ends the connection and the thread; inside the handler it waits for neither.
    func end() {
        request(.disconnect)
        if isOnNetworkThread {
            // No other thread can hold this lock: inside the handler, only the last owner of a client calls this.
            thread.withLock { thread in
                thread?.detach()
                thread = nil
            }
        } else {
            thread.withLock { thread in
                thread?.join()
                thread = nil
            }
            releaseHandle()
        }
    }

    private var isOnNetworkThread: Bool {
        guard let current = DedicatedThread.current else { return false }
        return state.withLock { $0.networkThread == current }
    }

    private func beginToConnect() {
        state.withLock { state in
            precondition(state.phase == .idle, "a client connects once, this one is \(state.phase); make a new one")
            state.phase = .connecting
        }
    }

    /// Calls libmosquitto for a caller, and wakes the network thread to send the result.
    ///
    /// The lock is held meanwhile, so that the answer is not handled before the request is recorded. That is safe: in
    /// threaded mode these functions of libmosquitto only append to its queues, under locks that it never holds
    /// during callbacks.
    private func withConnection<Result>(
        _ body: (inout State, Handle) throws(MQTTError) -> Result
    ) throws(MQTTError) -> Result {
        let result = try state.withLock { state throws(MQTTError) in
            guard state.phase == .connected, let handle = state.handle else { throw .notConnected }
            return try body(&state, handle)
        }
        wake.raise()
        return result
    }
}

// MARK: - Functions for the network thread

extension SharedClientState {
    /// The strongest request of the callers so far.
    var requestedEnd: EndRequest {
        EndRequest(rawValue: strongestRequest.load(ordering: .sequentiallyConsistent)) ?? .none
    }

    /// Runs the connection from start to end, on the network thread.
    private func runConnection(
        _ broker: BrokerAddress, _ lookup: NameLookup, _ handler: @escaping @Sendable (Client.Event) -> Void
    ) -> Client.EndReason {
        let handle = state.withLock { state in
            state.networkThread = DedicatedThread.current
            return state.handle
        }
        guard let handle else { preconditionFailure("the handle went before the thread that needs it") }
        return NetworkLoop(core: self, handle: handle, broker: broker, lookup: lookup, handler: handler).run()
    }

    /// The broker accepted the connection: callers may publish from now on.
    func connected() {
        state.withLock { $0.phase = .connected }
    }

    /// A publish is finished.
    func published() {
        state.withLock { $0.outstandingCount -= 1 }
    }

    /// Removes and returns the filters of an answered subscribe packet; nil for an answer without a request.
    func takeFilters(of identifier: PacketIdentifier) -> [TopicFilter]? {
        state.withLock { $0.filtersByIdentifier.removeValue(forKey: identifier) }
    }

    /// The connection has ended: callers can no longer use libmosquitto's client.
    func releaseHandle() {
        // The handle is released after the lock, because releasing it closes a socket.
        _ = state.withLock { state in
            state.phase = .over
            return state.handle.take()
        }
    }
}
