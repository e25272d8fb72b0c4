public import Logging
public import Platform
public import SyncCore
public import ZeroMQ

/// Runs a `WatchEngine` on real sockets: one DEALER, one thread, one disk thread.
///
/// It keeps trying indefinitely. If the hub does not exist, does not admit the watch or has another key, that is an
/// event and not an end; likewise if the system has no room for a socket.
///
/// All methods can be called from any task and any thread; requests of one task are handled in its order. A request
/// waits for ``run()`` if that was not called yet, and is answered also if the task that made it is cancelled. After
/// `run` has returned, requests throw ``LinkError/ended``. Neither edits nor settlements wait for the hub.
public final class WatchTransport: Sendable {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// The hub's endpoint.
        public var endpoint: Endpoint
        /// The hub's public key; the watch does not talk to a hub with another key.
        public var hubKey: CurvePublicKey
        /// The watch's keys.
        public var keys: CurveKeyPair
        /// The engine's configuration; its node is that of the watch's key.
        public var engine: WatchEngine.Configuration
        /// The deliberate faults on the link; nil for none.
        package var faults: LinkFaults?
        /// Records the engine's inputs and outputs; nil for no recording.
        package var recording: (any WatchRecording)?
        /// Creates the context of the watch's sockets; tests use one with few sockets.
        var openContext: @Sendable () throws(ZeroMQError) -> Context = { () throws(ZeroMQError) in try Context() }

        /// Creates a configuration.
        public init(
            endpoint: Endpoint, hubKey: CurvePublicKey, keys: CurveKeyPair, engine: WatchEngine.Configuration
        ) {
            self.init(endpoint: endpoint, hubKey: hubKey, keys: keys, engine: engine, faults: nil, recording: nil)
        }

        /// Creates a configuration with faults, or for a recording.
        package init(
            endpoint: Endpoint, hubKey: CurvePublicKey, keys: CurveKeyPair, engine: WatchEngine.Configuration,
            faults: LinkFaults? = nil, recording: (any WatchRecording)? = nil
        ) {
            self.recording = recording
            self.faults = faults
            self.endpoint = endpoint
            self.hubKey = hubKey
            self.keys = keys
            self.engine = engine
            self.engine.node = keys.publicKey.peerKey.node
        }
    }

    /// A notification of a transport.
    public enum Event: Sendable {
        /// Something happened in the engine.
        case engine(WatchEngine.Event)
        /// The connection below the engine changed.
        case transport(Transport)
    }

    /// The watch's state as other threads see it.
    public struct View: Hashable, Sendable {
        /// The version of the last snapshot, nil before the first.
        public var version: Version?
        /// The cells as the person sees them.
        public var cells: SortedMap<CellKey, VisibleCell>
        /// The open conflicts, in the order of their identifiers.
        public var conflicts: [Conflict]
        /// The person's edits that the hub has not confirmed yet, in order.
        public var pendingEdits: [Edit]
        /// Why the hub does not take in these edits, according to its last receipt; nil if nothing blocks them.
        ///
        /// It is `logFull` or `shareFull`; the edits go on when conflicts are settled.
        public var uploadObstacle: Conflict.Rule?
        /// The user info that the hub has not acknowledged yet, oldest first.
        public var outstandingItems: [OutstandingItem]
        /// The state of the link.
        public var link: WatchEngine.Link

        init(_ engine: WatchEngine) {
            version = engine.snapshot?.version
            cells = engine.view
            conflicts = engine.snapshot?.conflicts.values.map(\.self) ?? []
            pendingEdits = engine.pendingEdits
            uploadObstacle = engine.uploadObstacle
            outstandingItems = engine.outstandingItems
            link = engine.linkState
        }
    }

    /// The status of the connection below a session.
    public typealias Transport = ConnectionStatus

    private let configuration: Configuration
    private let state: WatchEngine.State
    private let storage: any WatchStorage
    private let logger: Logger
    private let onEvent: @Sendable (Event) -> Void
    private let files: (any FileStorage)?
    private let onTransfer: @Sendable (TransferEvent) -> Void
    private let client = LoopClient<WatchSockets>()
    private let hubClock = Lock<WatchEngine.HubTime?>(nil)

    /// Creates a transport that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - state: The contents of `storage`.
    ///   - storage: Makes records durable; called on the transport's disk thread.
    ///   - files: The storage for files, nil for no files; called on the transport's file thread.
    ///   - logger: Logs events at level `debug`, and problems at level `info`; nil for no log.
    ///   - onTransfer: Called on the link's thread for each event of the transfers; it must return at once.
    ///   - onEvent: Called on the link's thread, in order; it must return at once.
    public init(
        configuration: Configuration, state: WatchEngine.State, storage: any WatchStorage,
        files: (any FileStorage)? = nil, logger: Logger? = nil,
        onTransfer: @escaping @Sendable (TransferEvent) -> Void = { _ in },
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.files = files
        self.onTransfer = onTransfer
        self.configuration = configuration
        self.state = state
        self.storage = storage
        self.logger = logger ?? .discarding
        self.onEvent = onEvent
    }

    /// Connects to the hub until the task is cancelled, then sends BYE; may be called once.
    ///
    /// When it returns, all pending writes are done, and it does not touch the storage or files any more.
    ///
    /// - Throws: ``LinkError``.
    public func run() async throws {
        try await client.run { [self] in
            let sockets = WatchSockets(
                configuration, wakePipe: client.requests.wakePipe, logger: logger, onEvent: onEvent,
                onHubTime: { [self] time in hubClock.withLock { $0 = time } })
            var loop = EngineLoop(
                startEngine(), sockets: sockets, client: client, write: { [storage] in try storage.write($0) },
                storage: { [files] _ in files }, onTransfer: { [onTransfer] in onTransfer($1) })
            loop.setFaults(configuration.faults, for: hub)
            try loop.run()
        }
    }

    private func startEngine() -> RecordingTap<WatchEngine> {
        var seeds = SystemRandomNumberGenerator()
        let (seed, recording) = (seeds.next(), configuration.recording)
        let engine = WatchEngine(configuration: configuration.engine, state: state, seed: seed)
        guard let recording else { return RecordingTap(engine) }
        return RecordingTap(
            engine,
            onStart: { recording.began(configuration.engine, state, seed: seed, at: .now, outputs: $0) },
            onStep: { recording.stepped($0, at: $1, outputs: $2) })
    }

    /// The hub's key, as the peer of the link.
    private var hub: PeerKey { configuration.hubKey.peerKey }

    /// Changes cells, all or none.
    ///
    /// The edit is durable here at once, and is sent to the hub when there is a link.
    ///
    /// - Parameter changes: At most `Edit.changeCountMax` cells, each with at most `Edit.valueByteCountMax` bytes.
    /// - Returns: The result; an accepted edit is durable and shown.
    /// - Throws: ``LinkError/ended``.
    public func edit(_ changes: [CellChange]) async throws -> WatchEngine.Answer {
        try await client.request { .edit($0, changes) }
    }

    /// Settles a conflict: restores the losing value together with its whole edit, or dismisses the conflict.
    ///
    /// - Parameters:
    ///   - conflict: The identifier of one of the conflicts of ``view()``.
    ///   - restoring: Whether to restore the losing value.
    /// - Returns: The result; the hub gets the change like an edit.
    /// - Throws: ``LinkError/ended``.
    public func settle(_ conflict: RandomID, restoring: Bool) async throws -> WatchEngine.Answer {
        try await client.request { .settle($0, conflict: conflict, restoring: restoring) }
    }

    /// The watch's present state.
    ///
    /// - Throws: ``LinkError/ended``.
    public func view() async throws -> View {
        try await client.view()
    }

    /// Sends a request to the transfers, such as to queue user info, and waits for the answer.
    ///
    /// - Parameter input: Creates the input for a request identifier.
    /// - Returns: The result.
    /// - Throws: ``LinkError/ended``.
    public func transfer(_ input: (RequestID) -> TransferInput) async throws -> TransferAnswer {
        try await client.transfer(input, with: hub)
    }

    /// Sends a request to the transfers; returns at once.
    ///
    /// Requests of one thread are sent in its order.
    ///
    /// - Parameters:
    ///   - input: Creates the input for a request identifier.
    ///   - onAnswer: Called once, with ``LinkError/ended`` when the transport has ended. It is usually called on the
    ///     link's thread, so it must return at once.
    package func ask(
        _ input: (RequestID) -> TransferInput,
        onAnswer: @escaping @Sendable (Result<TransferAnswer, LinkError>) -> Void
    ) {
        client.ask(input, with: hub, onAnswer)
    }

    /// Sends an input without an answer to the transfers, such as that an item was consumed; returns at once.
    public func tell(_ input: TransferInput) {
        client.requests.post(.input(.transfer(input)))
    }

    /// Tries to connect now instead of waiting.
    public func retry() {
        client.requests.post(.command(.retry))
    }

    /// Connects to the same hub at another endpoint from now on; has no effect if the endpoint is the same.
    public func follow(_ endpoint: Endpoint) {
        client.requests.post(.command(.follow(endpoint)))
    }

    /// Changes the deliberate faults from now on, and releases the messages that faults hold.
    ///
    /// - Parameter faults: The faults; nil for none.
    package func setFaults(_ faults: LinkFaults?) {
        client.requests.post(.faults(faults, for: hub))
    }

    /// The counts of deliberate faults so far.
    package var faultCounts: FaultCounts { client.faultCounters.sum }

    /// The hub's wall clock in milliseconds since 1970; nil until the hub sends it.
    public func hubMilliseconds(at moment: Moment = .now) -> Int64? {
        hubClock.withLock { $0 }?.milliseconds(at: moment.monotonic)
    }
}
