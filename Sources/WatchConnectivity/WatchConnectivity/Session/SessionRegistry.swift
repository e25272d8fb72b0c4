import Synchronization

/// Which companions a process has, and which of them its default session speaks to.
///
/// A phone has a line for each of its watches, of which one is active; a watch has one for its phone.
package final class SessionRegistry: Sendable {
    /// The board that the running code uses: the process's own, or that of the test around it.
    package static var current: SessionRegistry { override ?? process }

    /// The process's own board.
    package static let process = SessionRegistry(isProcess: true)

    /// The board of the test, or of the delegate's call, that this code runs in.
    @TaskLocal private static var override: SessionRegistry?

    /// Whether this is the board of the process, which finds its companions by the process's ``SessionSetup``.
    let isProcess: Bool
    let start = SessionStart()
    let state: Mutex<State>

    // Unchecked: sessions are not Sendable, because clients may subclass them; what they keep themselves is locked.
    struct State: @unchecked Sendable {
        var role = PeerState.Role.phone
        var entries: [Entry] = []
        /// The watch that the default session speaks to, or will speak to when it is activated again.
        var active: String?
        /// What runs the companions, if anything does.
        weak var host: (any DeviceHost)?
        var defaultSession: WCSession?
        /// A default session that owns this board, instead of the other way round.
        weak var ownSession: WCSession?
        var endingHold = Duration.zero
    }

    // Unchecked: see above.
    struct Entry: @unchecked Sendable {
        var watch: SessionWatch
        var line: PeerClient
        var session: WCSession?
    }

    /// Creates a board without companions: its default session is unpaired.
    package convenience init(role: PeerState.Role) {
        self.init(isProcess: false)
        state.withLock { $0.role = role }
    }

    private init(isProcess: Bool) {
        self.isProcess = isProcess
        state = Mutex(State())
        // What the clients' rule asks for; 20 ms were enough there.
        if isProcess { endingHold = .milliseconds(20) }
    }

    /// Runs something that uses this board wherever it says `WCSession.default`, in its child tasks too.
    package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$override.withValue(self, operation: body)
    }

    /// Runs something that uses this board wherever it says `WCSession.default`, in its child tasks too.
    package nonisolated(nonsending) func use<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$override.withValue(self, operation: body)
    }

    /// Which device the process is.
    package var role: PeerState.Role { state.withLock(\.role) }

    /// What is told of everything that is true of the whole device; held weakly.
    ///
    /// Without one, the companions that there are are told.
    package var host: (any DeviceHost)? {
        get { state.withLock(\.host) }
        set { state.withLock { $0.host = newValue } }
    }

    /// The time from the return of the call that began a transfer until its delegate is told of its end, at least, on
    /// the clock of the machine: see ``TransferStart``.
    ///
    /// Zero where the calls wait for the test anyway: then the return of the call is not waited for either.
    package var endingHold: Duration {
        get { state.withLock(\.endingHold) }
        set { state.withLock { $0.endingHold = newValue } }
    }

    /// The session that `WCSession.default` is, always the same one (rule R1).
    package var defaultSession: WCSession {
        if isProcess { start.once(self) }
        return state.withLock { state in
            if let known = state.defaultSession ?? state.ownSession { return Unlocked(known) }
            let line = state.entries.first { $0.watch.id == state.active }?.line
            let session = WCSession(
                seat: SessionBacking(role: state.role, line: line, board: self, followsActiveWatch: true))
            state.defaultSession = session
            return Unlocked(session)
        }.value
    }

    /// Tells the whole device something.
    package func tell(_ input: PeerState.Input) {
        if let host { return host.tell(input) }
        for line in state.withLock({ $0.entries.map(\.line) }) { line.shell.handle(input) }
    }
}
