public import Logging
public import SyncCore
import Synchronization
public import ZeroMQ

/// Runs a `WatchEngine` on real sockets: one DEALER, one thread, one disk thread.
///
/// It keeps trying forever: a hub that is not there, does not admit the watch or has another key is an event, not an
/// end, and so is a system that has no room for a socket.
public final class WatchTransport: Sendable {
    /// What a driver is told.
    public struct Configuration: Sendable {
        /// Where the hub listens.
        public var endpoint: Endpoint
        /// The hub's public key; a hub with another one is not talked to.
        public var hubKey: CurvePublicKey
        /// The watch's keys.
        public var keys: CurveKeyPair
        /// What the engine is told.
        public var engine: WatchEngine.Configuration
        /// What shall go wrong on purpose on the link; nil for nothing.
        public var faults: LinkFaults?
        /// Who hears what the engine is told and wants; nil for nobody.
        public var recording: (any WatchRecording)?
        /// Makes the context of the watch's sockets; tests give one that has few.
        var openContext: @Sendable () throws(ZeroMQError) -> Context = { () throws(ZeroMQError) in try Context() }

        /// Creates a configuration.
        public init(
            endpoint: Endpoint, hubKey: CurvePublicKey, keys: CurveKeyPair, engine: WatchEngine.Configuration,
            faults: LinkFaults? = nil, recording: (any WatchRecording)? = nil
        ) {
            self.recording = recording
            self.faults = faults
            self.endpoint = endpoint
            self.hubKey = hubKey
            self.keys = keys
            self.engine = engine
        }
    }

    /// What a driver tells.
    public enum Event: Sendable {
        /// Something happened in the engine.
        case engine(WatchEngine.Event)
        /// The connection below it changed.
        case transport(Transport)
    }

    /// What a watch shows of itself.
    public struct View: Hashable, Sendable {
        /// The version of the last snapshot, nil before the first.
        public var version: Version?
        /// The cells as the person sees them.
        public var cells: SortedMap<CellKey, VisibleCell>
        /// The open conflicts, in the order of their names.
        public var conflicts: [Conflict]
        /// The person's edits that the hub has not confirmed yet, in their order.
        public var pendingEdits: [Edit]
        /// Why the hub does not take in these edits, as far as it said so; nil if nothing keeps them.
        ///
        /// The rules `logFull` and `shareFull`: they go on when a person settles conflicts.
        public var uploadObstacle: Conflict.Rule?
        /// The user info that the hub is not known to hold yet, oldest first.
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
    private let hubClock = Mutex<WatchEngine.HubTime?>(nil)

    /// Creates a driver that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: What the driver is told.
    ///   - state: What `storage` holds.
    ///   - storage: Where records become durable; called on the driver's disk thread.
    ///   - files: Where files lie, nil for no files; called on the driver's file thread.
    ///   - logger: Gets what happens at `debug`, and trouble at `info`.
    ///   - onTransfer: Called on the link's thread for each event of the transfers; it must return at once.
    ///   - onEvent: Called on the link's thread, in order; it must return at once.
    public init(
        configuration: Configuration, state: WatchEngine.State, storage: any WatchStorage,
        files: (any FileStorage)? = nil, logger: Logger,
        onTransfer: @escaping @Sendable (TransferEvent) -> Void = { _ in },
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.files = files
        self.onTransfer = onTransfer
        self.configuration = configuration
        self.state = state
        self.storage = storage
        self.logger = logger
        self.onEvent = onEvent
    }

    /// Follows the hub until the task is cancelled, then says goodbye; once in a driver's life.
    ///
    /// When it returns, all that it had to write is written, and it touches neither the storage nor files any more.
    ///
    /// - Throws: ``LinkError``.
    public func run() async throws {
        try await client.run { [self] in
            let sockets = WatchSockets(
                configuration, bell: client.requests.bell, logger: logger, onEvent: onEvent,
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

    /// The hub's name for what belongs to its link.
    private var hub: PeerKey { configuration.hubKey.peerKey }

    /// Changes cells, all or none: durable here at once, at the hub as soon as there is a link.
    ///
    /// - Returns: What became of it; when it is accepted, it is durable and shown.
    /// - Throws: ``LinkError/ended``.
    public func edit(_ changes: [CellChange]) async throws -> WatchEngine.Answer {
        try await client.request { .edit($0, changes) }
    }

    /// Settles a conflict: puts back the value that lost, with all of its edit, or puts it aside.
    ///
    /// - Returns: What became of it; it reaches the hub like an edit.
    /// - Throws: ``LinkError/ended``.
    public func settle(_ conflict: RandomID, restoring: Bool) async throws -> WatchEngine.Answer {
        try await client.request { .settle($0, conflict: conflict, restoring: restoring) }
    }

    /// What the watch shows now.
    ///
    /// - Throws: ``LinkError/ended``.
    public func view() async throws -> View {
        try await client.view()
    }

    /// Asks something of the transfers, such as to queue user info, and waits for the answer.
    ///
    /// - Parameter input: Makes the request of its name.
    /// - Returns: What became of it.
    /// - Throws: ``LinkError/ended``.
    public func transfer(_ input: (RequestID) -> TransferInput) async throws -> TransferAnswer {
        try await client.transfer(input, with: hub)
    }

    /// Asks something of the transfers; returns at once.
    ///
    /// Requests of one thread go out in its order.
    ///
    /// - Parameters:
    ///   - input: Makes the request of its name.
    ///   - onAnswer: Called once, with ``LinkError/ended`` when the driver has ended; on the link's thread as a rule, so
    ///     it must return at once.
    public func ask(
        _ input: (RequestID) -> TransferInput,
        onAnswer: @escaping @Sendable (Result<TransferAnswer, LinkError>) -> Void
    ) {
        client.ask(input, with: hub, onAnswer)
    }

    /// Tells the transfers something that has no answer, such as that an item was consumed; returns at once.
    public func tell(_ input: TransferInput) {
        client.requests.post(.input(.transfer(input)))
    }

    /// Tries the link again now instead of waiting.
    public func retry() {
        client.requests.post(.command(.retry))
    }

    /// Follows the same hub at another endpoint from now on; at the same one nothing happens.
    public func follow(_ endpoint: Endpoint) {
        client.requests.post(.command(.follow(endpoint)))
    }

    /// Changes what goes wrong on purpose, from now on; what faults hold back is let go.
    ///
    /// - Parameter faults: What shall go wrong; nil for nothing.
    public func setFaults(_ faults: LinkFaults?) {
        client.requests.post(.faults(faults, for: hub))
    }

    /// What went wrong on purpose so far.
    public var faultCounts: FaultCounts { client.faultCounters.sum }

    /// The hub's wall clock in milliseconds since 1970, nil before the hub told it.
    public func hubMilliseconds(at moment: Moment = .now) -> Int64? {
        hubClock.withLock { $0 }?.milliseconds(at: moment.monotonic)
    }
}
