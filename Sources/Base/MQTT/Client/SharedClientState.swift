internal import Synchronization

/// How the callers want a connection to end, from weak to strong.
enum EndRequest: Int {
    /// Not at all.
    case none
    /// With a goodbye.
    case disconnect
    /// At once.
    case abort
}

/// What the callers of a client and its network thread share.
final class SharedClientState: Sendable {
    /// Where the one life of a client stands.
    ///
    /// ```
    ///  idle ──connect──▶ connecting ──CONNACK 0──▶ connected
    ///    │                   │                        │
    ///    └───────close───────┴────────────────────────┴──▶ over
    /// ```
    private enum Phase {
        /// The state before `connect`.
        case idle
        /// The state while the network thread looks up, connects and waits for the acknowledgement.
        case connecting
        /// The state while callers may publish and subscribe.
        case connected
        /// The state after the end: the handle is gone or about to go.
        case over
    }

    private struct State {
        var phase = Phase.idle
        /// libmosquitto's client; nil once the connection is over.
        var handle: Handle?
        /// The published messages whose end has not come yet.
        var outstandingCount = 0
        /// The filters of the subscribe packets that are not answered yet.
        var filtersByIdentifier: [PacketIdentifier: [TopicFilter]] = [:]
        /// Who calls the handler.
        var networkThread: ThreadIdentity?
    }

    let options: Client.Options
    let wake: WakeSignal
    private let state: Mutex<State>
    private let endWish = Atomic<Int>(EndRequest.none.rawValue)
    /// The network thread, for the one who waits for its end.
    private let thread = Mutex<NetworkThread?>(nil)

    init(_ options: Client.Options) throws(MQTTError) {
        try options.validate()
        self.options = options
        wake = try WakeSignal()
        state = Mutex(State(handle: try Handle(options)))
    }
}

// MARK: - For the callers

extension SharedClientState {
    func connect(
        to broker: BrokerAddress, lookup: NameLookup, handler: @escaping @Sendable (Client.Event) -> Void
    ) throws(MQTTError) {
        beginToConnect()
        do throws(MQTTError) {
            try thread.withLock { thread throws(MQTTError) in
                thread = try NetworkThread { [self] in
                    let reason = live(broker, lookup, handler)
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

    /// Wishes for the end; of two wishes the stronger one wins.
    func request(_ wish: EndRequest) {
        endWish.max(wish.rawValue, ordering: .sequentiallyConsistent)
        wake.raise()
    }

    func close() {
        precondition(!isOnNetworkThread, "close() inside the handler would wait for itself; call disconnect()")
        end()
    }

    /// Ends the connection and the thread; inside the handler without waiting for either.
    func end() {
        request(.disconnect)
        if isOnNetworkThread {
            // Nobody else can hold this lock: only the last owner of a client ends it inside the handler.
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
        guard let current = ThreadIdentity.current else { return false }
        return state.withLock { $0.networkThread == current }
    }

    private func beginToConnect() {
        state.withLock { state in
            precondition(state.phase == .idle, "a client connects once, this one is \(state.phase); make a new one")
            state.phase = .connecting
        }
    }

    /// Calls libmosquitto on behalf of a caller, and wakes the network thread to send what that made.
    ///
    /// The lock is held meanwhile, so that the answer cannot overtake the note that is taken of the question. That is
    /// safe: in threaded mode these functions of libmosquitto only append to its queues, under locks that it never
    /// holds while it calls back.
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

// MARK: - For the network thread

extension SharedClientState {
    /// What the callers have wished for so far.
    var wish: EndRequest { EndRequest(rawValue: endWish.load(ordering: .sequentiallyConsistent)) ?? .none }

    /// The connection from its first to its last moment, on the network thread.
    private func live(
        _ broker: BrokerAddress, _ lookup: NameLookup, _ handler: @escaping @Sendable (Client.Event) -> Void
    ) -> Client.EndReason {
        let handle = state.withLock { state in
            state.networkThread = .current
            return state.handle
        }
        guard let handle else { preconditionFailure("the handle went before the thread that needs it") }
        return NetworkLoop(core: self, handle: handle, broker: broker, lookup: lookup, handler: handler).run()
    }

    /// The broker accepted the connection: callers may publish from now on.
    func connected() {
        state.withLock { $0.phase = .connected }
    }

    /// The end of a published message came.
    func published() {
        state.withLock { $0.outstandingCount -= 1 }
    }

    /// The filters of a subscribe packet whose answer came; nil for an answer that nobody asked for.
    func takeFilters(of identifier: PacketIdentifier) -> [TopicFilter]? {
        state.withLock { $0.filtersByIdentifier.removeValue(forKey: identifier) }
    }

    /// The connection is over: callers get libmosquitto's client no more.
    func releaseHandle() {
        // The handle is let go of after the lock: its end closes a socket.
        _ = state.withLock { state in
            state.phase = .over
            return state.handle.take()
        }
    }
}
