public import Logging
import Platform
public import SyncCore
public import ZeroMQ

/// Runs a `HubEngine` on real sockets: one ROUTER, one thread, one disk thread.
///
/// The link is encrypted from its first byte, and only keys that the engine admits can finish the handshake. At its
/// start, the transport tests this with an unknown key, and refuses to run if that key can connect.
///
/// All methods can be called from any task and any thread; requests of one task are handled in its order. A request
/// waits for ``run(onReady:)`` if that was not called yet, and is answered also if the task that made it is cancelled.
/// After `run` has returned, requests throw ``LinkError/ended``.
public final class HubTransport: Sendable {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// Where watches connect; a wildcard port lets the system choose.
        public var endpoint: Endpoint
        /// The hub's keys.
        public var keys: CurveKeyPair
        /// The engine's configuration.
        public var engine: HubEngine.Configuration
        /// The deliberate faults on the links of all watches; nil for none.
        package var faults: LinkFaults?
        /// Records the engine's inputs and outputs; nil for no recording.
        package var recording: (any HubRecording)?

        /// Creates a configuration.
        public init(endpoint: Endpoint, keys: CurveKeyPair, engine: HubEngine.Configuration) {
            self.init(endpoint: endpoint, keys: keys, engine: engine, faults: nil, recording: nil)
        }

        /// Creates a configuration with faults, or for a recording.
        package init(
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

    /// The hub's state as other threads see it.
    public struct Status: Sendable {
        /// The actual endpoint.
        public var endpoint: Endpoint
        /// The version of the configuration.
        public var version: Version
        /// All cells, deleted ones included.
        public var cells: SortedMap<CellKey, Cell>
        /// The open conflicts, in the order of their identifiers.
        public var conflicts: [Conflict]
        /// The status of each watch.
        public var watches: [HubEngine.WatchStatus]
        /// The time of this status; the watches' times are on its monotonic clock.
        public var moment: Moment
    }

    /// The most registers that may wait for the thread; beyond that a newer value replaces an older one of its
    /// register.
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

    /// Creates a transport that does nothing until ``run(onReady:)``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - state: The contents of `storage`.
    ///   - transfers: What `storage` holds about the transfers with each watch.
    ///   - storage: Makes transactions durable; called on the transport's disk thread.
    ///   - files: Returns the storage of the files exchanged with a watch, nil for no files; called on the file
    ///     thread.
    ///   - logger: Logs events at level `debug`, and problems at level `info`; nil for no log.
    ///   - onTransfer: Called on the link's thread for each event of the transfers with a watch; it must return at
    ///     once.
    ///   - onEvent: Called on the link's thread for each event of the engine; it must return at once.
    public init(
        configuration: Configuration, state: LedgerState, transfers: [PeerKey: TransferState] = [:],
        storage: any HubStorage, files: @escaping @Sendable (PeerKey) -> (any FileStorage)? = { _ in nil },
        logger: Logger? = nil, onTransfer: @escaping @Sendable (PeerKey, TransferEvent) -> Void = { _, _ in },
        onEvent: @escaping @Sendable (HubEngine.Event) -> Void = { _ in }
    ) {
        self.transfers = transfers
        self.files = files
        self.onTransfer = onTransfer
        self.configuration = configuration
        self.state = state
        self.storage = storage
        self.logger = logger ?? .discarding
        self.onEvent = onEvent
    }

    /// Serves watches until the task is cancelled; may be called once.
    ///
    /// When it returns, all pending writes are done, and it does not touch the storage or files any more.
    ///
    /// - Parameter onReady: Called on the link's thread when watches can connect, with the actual endpoint.
    /// - Throws: ``LinkError``.
    public func run(onReady: @escaping @Sendable (Endpoint) -> Void = { _ in }) async throws {
        try await client.run { [self] in
            let sockets = try HubSockets(
                configuration, wakePipe: client.requests.wakePipe, logger: logger, onEvent: onEvent)
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
    /// The watches that are linked get a new snapshot at once, the others when they connect.
    ///
    /// - Parameters:
    ///   - changes: The cells and their values; at most `Cell.valueByteCountMax` bytes for a cell that watches see,
    ///     `Edit.valueByteCountMax` for one that they may change, and `HubEngine.cellByteCountMax` for all of them.
    ///   - expected: The version that the caller read; if it is no longer the current one, nothing is changed.
    ///   - author: Who wants it, for the log; nil to name nobody.
    /// - Returns: The version afterwards.
    /// - Throws: ``LinkError/refused(_:)``, ``LinkError/ended``.
    public func transact(
        _ changes: [CellChange], expected: Version? = nil, author: String? = nil
    ) async throws -> Version {
        try await request(by: author) { .transact($0, changes, expected: expected) }
    }

    /// Settles a conflict: restores the losing value together with its whole edit, or dismisses the conflict.
    ///
    /// - Parameters:
    ///   - conflict: The identifier of an open conflict.
    ///   - restoring: Whether to restore the losing value.
    ///   - author: Who wants it, for the log; nil to name nobody.
    /// - Returns: The version afterwards.
    /// - Throws: ``LinkError/refused(_:)``, ``LinkError/ended``.
    public func settle(_ conflict: RandomID, restoring: Bool, author: String? = nil) async throws -> Version {
        try await request(by: author) { .settle($0, conflict: conflict, restoring: restoring) }
    }

    /// Starts a new epoch, because the store was restored to an earlier state; has an effect only once in each run.
    ///
    /// - Returns: The version afterwards.
    /// - Throws: ``LinkError/refused(_:)``, ``LinkError/ended``.
    public func beginEpoch() async throws -> Version {
        try await request { .beginEpoch($0) }
    }

    /// Sends a request to the transfers with a watch, such as to queue user info, and waits for the answer.
    ///
    /// - Parameters:
    ///   - input: Creates the input for a request identifier.
    ///   - watch: The watch.
    /// - Returns: The result.
    /// - Throws: ``LinkError/refused(_:)`` for a watch that is not paired, ``LinkError/ended``.
    public func transfer(
        _ input: (RequestID) -> TransferInput, with watch: PeerKey
    ) async throws -> TransferAnswer {
        try await client.transfer(input, with: watch)
    }

    /// Sends a request to the transfers with a watch; returns at once.
    ///
    /// Requests of one thread are sent in its order.
    ///
    /// - Parameters:
    ///   - input: Creates the input for a request identifier.
    ///   - watch: The watch.
    ///   - onAnswer: Called once; with ``LinkError/refused(_:)`` for a watch that is not paired, with
    ///     ``LinkError/ended`` when the transport has ended. It is usually called on the link's thread, so it must
    ///     return at once.
    package func ask(
        _ input: (RequestID) -> TransferInput, with watch: PeerKey,
        onAnswer: @escaping @Sendable (Result<TransferAnswer, LinkError>) -> Void
    ) {
        client.ask(input, with: watch, onAnswer)
    }

    /// Sends an input without an answer to the transfers with a watch, such as that an item was consumed; returns at
    /// once.
    public func tell(_ input: TransferInput, to watch: PeerKey) {
        client.requests.post(.input(.transfer(watch, input)))
    }

    /// Gives a register a newer value; returns at once.
    ///
    /// It is not stored here: publish the newest value of each register again after a restart. A value whose order is
    /// not greater than the present one is ignored; one that is too large, or of one register too many, is reported as
    /// `HubEngine.Event.registerRefused`.
    public func publish(_ register: Register) {
        client.requests.post(.input(.publish(register)), limit: Self.waitingRegisterLimit) { request in
            guard case .input(.publish(let waiting)) = request else { return false }
            return waiting.key == register.key
        }
    }

    /// Invites one watch.
    ///
    /// - Parameters:
    ///   - name: The name for the watch, 1…64 bytes; nil lets the watch choose.
    ///   - seconds: The validity of the invitation in seconds.
    ///   - author: Who wants it, for the log; nil to name nobody.
    /// - Returns: The invitation; anybody who has it can pair one watch.
    /// - Throws: ``LinkError``.
    public func invite(
        name: String?, validForSeconds seconds: Int64, author: String? = nil
    ) async throws -> InvitationCode {
        let keys: CurveKeyPair
        do {
            keys = try CurveKeyPair()
        } catch {
            throw LinkError.transport(error)
        }
        let version = try await request(by: author) { id in
            .invite(id, key: keys.publicKey.peerKey, name: name, validMilliseconds: seconds * 1000)
        }
        logger.debug("invited a watch", metadata: ["context.revision": "\(version.revision)"])
        return InvitationCode(
            app: configuration.engine.app, endpoint: try await status().endpoint,
            hubKey: configuration.keys.publicKey, secret: keys.secretKey)
    }

    /// Removes a watch, and ends its session.
    ///
    /// - Parameters:
    ///   - watch: The watch.
    ///   - author: Who wants it, for the log; nil to name nobody.
    /// - Throws: ``LinkError``.
    public func unpair(_ watch: PeerKey, author: String? = nil) async throws {
        _ = try await request(by: author) { .unpair($0, watch) }
    }

    /// Changes the deliberate faults from now on, and releases the messages that faults hold.
    ///
    /// For an existing connection, the faults begin with the next message of its watch, so at the latest after a
    /// heartbeat.
    ///
    /// - Parameters:
    ///   - faults: The faults; nil for none.
    ///   - watch: The watch whose link gets them; nil for all watches without faults of their own.
    package func setFaults(_ faults: LinkFaults?, for watch: PeerKey? = nil) {
        client.requests.post(.faults(faults, for: watch))
    }

    /// The counts of deliberate faults so far, on all links together.
    package var faultCounts: FaultCounts { client.faultCounters.sum }

    /// The counts of deliberate faults so far, on the link of one watch.
    package func faultCounts(of watch: PeerKey) -> FaultCounts { client.faultCounters[watch] }

    /// The hub's present state.
    ///
    /// - Throws: ``LinkError/ended``.
    public func status() async throws -> Status {
        try await client.view()
    }

    private func request(
        by author: String? = nil, _ input: (RequestID) -> HubEngine.Input
    ) async throws -> Version {
        let answer = try await client.request { id in
            author.map { .authored(by: $0, input(id)) } ?? input(id)
        }
        switch answer {
        case .done(let version): return version
        case .refused(let fault): throw LinkError.refused(fault)
        }
    }
}
