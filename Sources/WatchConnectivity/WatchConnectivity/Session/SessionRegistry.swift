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

    /// Adds a companion; the first one is the active one.
    ///
    /// The default session takes it over at once if it is not active yet with another one.
    package func add(_ watch: SessionWatch, _ line: PeerClient) {
        let follower = state.withLock { state -> Unlocked<WCSession?> in
            state.entries.removeAll { $0.watch.id == watch.id }
            state.entries.append(Entry(watch: watch, line: line, session: nil))
            guard state.active == nil || state.active == watch.id else { return Unlocked(nil) }
            state.active = watch.id
            return Unlocked(state.defaultSession)
        }
        follower.value.map { $0.seat.leave($0, for: line) }
    }

    /// Gives a counterpart another name.
    package func rename(_ watch: SessionWatch) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.watch.id == watch.id }) else { return }
            state.entries[index].watch = watch
        }
    }

    /// Removes a companion; if it was the active one, the next one becomes it.
    package func remove(_ id: String) {
        let change = state.withLock { state -> Unlocked<(WCSession?, PeerClient?)> in
            state.entries.removeAll { $0.watch.id == id }
            guard state.active == id else { return Unlocked((nil, nil)) }
            state.active = state.entries.first?.watch.id
            return Unlocked((state.defaultSession, state.entries.first?.line))
        }
        let (follower, next) = change.value
        if let follower { follower.seat.leave(follower, for: next) }
    }

    /// The counterparts, the active one first.
    package var watches: [SessionWatch] { entries.map(\.watch) }

    /// The counterpart that the default session speaks to, or will speak to when it is activated again.
    package var activeWatch: SessionWatch? {
        state.withLock { state in state.entries.first { $0.watch.id == state.active }?.watch }
    }

    /// The counterparts' own sessions, the active one's first.
    package var sessions: [WCSession] { watches.compactMap { session(for: $0.id) } }

    /// The session of one counterpart, always the same one while it is paired.
    package func session(for id: String) -> WCSession? {
        state.withLock { state -> Unlocked<WCSession?> in
            guard let index = state.entries.firstIndex(where: { $0.watch.id == id }) else { return Unlocked(nil) }
            if let known = state.entries[index].session ?? state.ownSession { return Unlocked(known) }
            let session = WCSession(
                seat: SessionBacking(role: state.role, line: state.entries[index].line, board: self))
            state.entries[index].session = session
            return Unlocked(session)
        }.value
    }

    /// Makes another watch the one that the default session speaks to.
    ///
    /// A session that is active goes through rules R22–R26 and must be activated again; one that is not speaks to the
    /// new watch from its next activation on.
    package func switchActiveWatch(to id: String) throws(SessionWatchError) {
        guard role == .phone else { throw .onlyOnPhone }
        let known = watches.map(\.id)
        let change = state.withLock { state -> Unlocked<(WCSession?, PeerClient?)> in
            let line = state.entries.first { $0.watch.id == id }?.line
            if line != nil { state.active = id }
            return Unlocked((state.defaultSession, line))
        }
        guard let line = change.value.1 else { throw .unknownWatch(id, known: known) }
        // Nothing happens if the session speaks to that watch already.
        if let follower = change.value.0 { follower.seat.leave(follower, for: line) }
    }

    /// The line that the default session is to have.
    var activeLine: PeerClient? {
        state.withLock { state in state.entries.first { $0.watch.id == state.active }?.line }
    }

    private var entries: [Entry] {
        state.withLock { state in
            state.entries.filter { $0.watch.id == state.active } + state.entries.filter { $0.watch.id != state.active }
        }
    }
}
