public import Logging
public import SyncCore
public import ZeroMQ

/// Runs a `HubEngine` on real sockets: one ROUTER, one thread, one disk thread.
///
/// The link is encrypted from its first byte, and only keys that the engine admits get through the handshake; at its
/// start the driver proves that by trying a stranger's key, and refuses to run if it is let in.
public final class HubTransport: Sendable {
    /// What a driver is told.
    public struct Configuration: Sendable {
        /// Where watches connect; a wildcard port lets the system choose.
        public var endpoint: Endpoint
        /// The hub's keys.
        public var keys: CurveKeyPair
        /// What the engine is told.
        public var engine: HubEngine.Configuration
        /// What shall go wrong on purpose on the links of all watches; nil for nothing.
        public var faults: LinkFaults?
        /// Who hears what the engine is told and wants; nil for nobody.
        public var recording: (any HubRecording)?

        /// Creates a configuration.
        public init(
            endpoint: Endpoint, keys: CurveKeyPair, engine: HubEngine.Configuration, faults: LinkFaults? = nil,
            recording: (any HubRecording)? = nil
        ) {
            self.endpoint = endpoint
            self.keys = keys
            self.engine = engine
            self.faults = faults
            self.recording = recording
        }
    }

    /// What the hub shows of itself.
    public struct Status: Sendable {
        /// Where it really listens.
        public var endpoint: Endpoint
        /// The version of the configuration.
        public var version: Version
        /// All cells, deleted ones included.
        public var cells: SortedMap<CellKey, Cell>
        /// The open conflicts, in the order of their names.
        public var conflicts: [Conflict]
        /// What is known of each watch.
        public var watches: [HubEngine.WatchStatus]
        /// The moment on whose clock the watches' times are.
        public var moment: Moment
    }

    /// The registers that may wait for the thread; beyond that a newer value replaces an older one of its register.
    public static let waitingRegisterLimit = 8192

    private let configuration: Configuration
    private let state: LedgerState
    private let transfers: [PeerKey: TransferState]
    private let storage: any HubStorage
    private let files: @Sendable (PeerKey) -> (any FileStorage)?
    private let onTransfer: @Sendable (PeerKey, TransferEvent) -> Void
    private let onEvent: @Sendable (HubEngine.Event) -> Void
    private let logger: Logger
    private let client = LoopClient<HubSockets>()

    /// Creates a driver that does nothing until ``run(onReady:)``.
    ///
    /// - Parameters:
    ///   - configuration: What the driver is told.
    ///   - state: What `storage` holds.
    ///   - transfers: What `storage` holds of the transfers with each watch.
    ///   - storage: Where transactions become durable; called on the driver's disk thread.
    ///   - files: Where the files exchanged with a watch lie, nil for no files; called on the driver's file thread.
    ///   - logger: Gets what happens at `debug`, and trouble at `info`.
    ///   - onTransfer: Called on the link's thread for each event of the transfers with a watch; it must return at
    ///     once.
    ///   - onEvent: Called on the link's thread for each event of the engine; it must return at once.
    public init(
        configuration: Configuration, state: LedgerState, transfers: [PeerKey: TransferState] = [:],
        storage: any HubStorage, files: @escaping @Sendable (PeerKey) -> (any FileStorage)? = { _ in nil },
        logger: Logger, onTransfer: @escaping @Sendable (PeerKey, TransferEvent) -> Void = { _, _ in },
        onEvent: @escaping @Sendable (HubEngine.Event) -> Void
    ) {
        self.transfers = transfers
        self.files = files
        self.onTransfer = onTransfer
        self.configuration = configuration
        self.state = state
        self.storage = storage
        self.logger = logger
        self.onEvent = onEvent
    }

    /// Serves watches until the task is cancelled; once in a driver's life.
    ///
    /// When it returns, all that it had to write is written, and it touches neither the storage nor files any more.
    ///
    /// - Parameter onReady: Called on the link's thread when watches can connect, with the endpoint as it really is.
    /// - Throws: ``LinkError``.
    public func run(onReady: @escaping @Sendable (Endpoint) -> Void = { _ in }) async throws {
        try await client.run { [self] in
            let sockets = try HubSockets(configuration, bell: client.requests.bell, logger: logger, onEvent: onEvent)
            let engine = startEngine()
            try sockets.open(for: engine.engine.admittedKeys, hubKey: configuration.keys.publicKey)
            onReady(sockets.endpoint)
            var loop = EngineLoop(
                engine, sockets: sockets, client: client, write: { [storage] in try $0.write(to: storage) },
                storage: files, onTransfer: onTransfer)
            loop.setFaults(configuration.faults, for: nil)
            try loop.run()
        }
    }

    private func startEngine() -> RecordingTap<HubEngine> {
        var seeds = SystemRandomNumberGenerator()
        let (seed, moment, recording) = (seeds.next(), Moment.now, configuration.recording)
        let engine = HubEngine(
            configuration: configuration.engine, state: state, transfers: transfers, seed: seed, at: moment)
        guard let recording else { return RecordingTap(engine) }
        return RecordingTap(
            engine,
            onStart: { recording.began(state, transfers: transfers, seed: seed, at: moment, outputs: $0) },
            onStep: { recording.stepped($0, at: $1, outputs: $2) })
    }

    /// Changes cells, all or none, durably.
    ///
    /// - Parameters:
    ///   - changes: The cells and their values.
    ///   - expected: The version that the caller looked at; if it is not the current one any more, nothing happens.
    /// - Returns: The version afterwards.
    /// - Throws: ``LinkError/refused(_:)``, ``LinkError/ended``.
    public func transact(_ changes: [CellChange], expected: Version? = nil) async throws -> Version {
        try await request { .transact($0, changes, expected: expected) }
    }

    /// Settles a conflict: puts back the value that lost, with all of its edit, or puts it aside.
    ///
    /// - Returns: The version afterwards.
    /// - Throws: ``LinkError/refused(_:)``, ``LinkError/ended``.
    public func settle(_ conflict: RandomID, restoring: Bool) async throws -> Version {
        try await request { .settle($0, conflict: conflict, restoring: restoring) }
    }

    /// Begins a new epoch, because the store was put back to an earlier state; once in a life.
    ///
    /// - Returns: The version afterwards.
    /// - Throws: ``LinkError/refused(_:)``, ``LinkError/ended``.
    public func beginEpoch() async throws -> Version {
        try await request { .beginEpoch($0) }
    }

    /// Asks something of the transfers with a watch, such as to queue user info, and waits for the answer.
    ///
    /// - Parameters:
    ///   - input: Makes the request of its name.
    ///   - watch: The watch.
    /// - Returns: What became of it.
    /// - Throws: ``LinkError/refused(_:)`` for a watch that is not paired, ``LinkError/ended``.
    public func transfer(
        _ input: (RequestID) -> TransferInput, with watch: PeerKey
    ) async throws -> TransferAnswer {
        try await client.transfer(input, with: watch)
    }

    /// Asks something of the transfers with a watch; returns at once.
    ///
    /// Requests of one thread go out in its order.
    ///
    /// - Parameters:
    ///   - input: Makes the request of its name.
    ///   - watch: The watch.
    ///   - onAnswer: Called once, with ``LinkError/refused(_:)`` for a watch that is not paired, ``LinkError/ended``
    ///     when the driver has ended; on the link's thread as a rule, so it must return at once.
    public func ask(
        _ input: (RequestID) -> TransferInput, with watch: PeerKey,
        onAnswer: @escaping @Sendable (Result<TransferAnswer, LinkError>) -> Void
    ) {
        client.ask(input, with: watch, onAnswer)
    }

    /// Tells the transfers with a watch something that has no answer, such as that an item was consumed; returns at
    /// once.
    public func tell(_ input: TransferInput, to watch: PeerKey) {
        client.requests.post(.input(.transfer(watch, input)))
    }

    /// Gives a register a newer value; returns at once.
    public func publish(_ register: Register) {
        client.requests.post(.input(.publish(register)), limit: Self.waitingRegisterLimit) { request in
            guard case .input(.publish(let waiting)) = request else { return false }
            return waiting.key == register.key
        }
    }

    /// Invites one watch.
    ///
    /// - Parameters:
    ///   - name: The name that the watch shall have; nil lets it choose.
    ///   - seconds: How long the invitation holds.
    /// - Returns: The invitation; anybody who has it can pair one watch.
    /// - Throws: ``LinkError``.
    public func invite(name: String?, validForSeconds seconds: Int64) async throws -> InvitationCode {
        let keys: CurveKeyPair
        do {
            keys = try CurveKeyPair()
        } catch {
            throw LinkError.transport(error)
        }
        let version = try await request { id in
            .invite(id, key: keys.publicKey.peerKey, name: name, validMilliseconds: seconds * 1000)
        }
        logger.debug("invited a watch", metadata: ["context.revision": "\(version.revision)"])
        return InvitationCode(
            app: configuration.engine.app, endpoint: try await status().endpoint,
            hubKey: configuration.keys.publicKey, secret: keys.secretKey)
    }

    /// Forgets a watch and ends its session.
    ///
    /// - Throws: ``LinkError``.
    public func unpair(_ watch: PeerKey) async throws {
        _ = try await request { .unpair($0, watch) }
    }

    /// Changes what goes wrong on purpose, from now on; what faults hold back is let go.
    ///
    /// The faults of a connection that stands already begin with the next message of its watch, so at the latest after
    /// a heartbeat.
    ///
    /// - Parameters:
    ///   - faults: What shall go wrong; nil for nothing.
    ///   - watch: The watch on whose link; nil for those of all watches that were given none of their own.
    public func setFaults(_ faults: LinkFaults?, for watch: PeerKey? = nil) {
        client.requests.post(.faults(faults, for: watch))
    }

    /// What went wrong on purpose so far, on all links together.
    public var faultCounts: FaultCounts { client.faultCounters.sum }

    /// What went wrong on purpose so far on the link of one watch.
    public func faultCounts(of watch: PeerKey) -> FaultCounts { client.faultCounters[watch] }

    /// What the hub shows of itself now.
    ///
    /// - Throws: ``LinkError/ended``.
    public func status() async throws -> Status {
        try await client.view()
    }

    private func request(_ input: (RequestID) -> HubEngine.Input) async throws -> Version {
        switch try await client.request(input) {
        case .done(let version): return version
        case .refused(let fault): throw LinkError.refused(fault)
        }
    }
}
