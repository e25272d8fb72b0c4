public import Logging
public import SyncCore
import Synchronization
public import ZeroMQ

/// Runs a `WatchEngine` on real sockets: one DEALER, one thread, one disk thread.
///
/// It keeps trying for ever: a hub that is not there, does not admit the watch or has another key is an event, not an
/// end.
public final class WatchDriver: Sendable {
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

        /// Creates a configuration.
        public init(
            endpoint: Endpoint, hubKey: CurvePublicKey, keys: CurveKeyPair, engine: WatchEngine.Configuration
        ) {
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

    /// The state of the connection below a session.
    public enum Transport: Hashable, Sendable {
        /// The state while the first attempt runs.
        case connecting
        /// The state while nothing answers at the endpoint.
        case unreachable
        /// The state after the hub refused this watch's key; it is tried again after a while.
        case notAdmitted
        /// The state while something answers that is not this hub: another key, or no CURVE at all.
        case notThisHub
        /// The state while an encrypted connection stands.
        case connected
    }

    private let configuration: Configuration
    private let state: WatchEngine.State
    private let storage: any WatchStorage
    private let logger: Logger
    private let onEvent: @Sendable (Event) -> Void
    private let mailbox = Mailbox<WatchLoop.Letter>()
    private let hubClock = Mutex<WatchEngine.HubTime?>(nil)

    /// Creates a driver that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: What the driver is told.
    ///   - state: What `storage` holds.
    ///   - storage: Where records become durable; called on the driver's disk thread.
    ///   - logger: Gets what happens at `debug`, and trouble at `info`.
    ///   - onEvent: Called on the link's thread, in order; it must return at once.
    public init(
        configuration: Configuration, state: WatchEngine.State, storage: any WatchStorage, logger: Logger,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.configuration = configuration
        self.state = state
        self.storage = storage
        self.logger = logger
        self.onEvent = onEvent
    }

    /// Follows the hub until the task is cancelled, then says goodbye; once in a driver's life.
    ///
    /// - Throws: ``LinkError``.
    public func run() async throws {
        let loop = WatchLoop(
            configuration: configuration, state: state, storage: storage, mailbox: mailbox, logger: logger,
            onEvent: onEvent,
            onHubTime: { [self] time in hubClock.withLock { $0 = time } })
        try await runOnThread(stop: { [mailbox] in mailbox.post(.stop) }) {
            try loop.run()
        }
    }

    /// Tries the link again now instead of waiting.
    public func retry() {
        mailbox.post(.input(.retry))
    }

    /// The hub's wall clock in milliseconds since 1970, nil before the hub told it.
    public func hubMilliseconds(at moment: Moment = .now) -> Int64? {
        hubClock.withLock { $0 }?.milliseconds(at: moment.monotonic)
    }
}
