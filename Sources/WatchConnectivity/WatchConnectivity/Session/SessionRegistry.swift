import Platform

/// The peers of a process, and the one that its default session talks to.
///
/// A phone has a peer client for each of its watches, one of which is active; a watch has one for its phone.
package final class SessionRegistry: Sendable {
    /// The registry that the running code uses: that of the surrounding test or delegate call, or else the one that stands
    /// in for the process, or else the process's own.
    package static var current: SessionRegistry {
        if let override { return override }
        let (standIn, isMeant) = strays.withLock { ($0.standIn, $0.isMeant) }
        if let standIn, isMeant() { return standIn }
        return process
    }

    /// The registry of the test or of the delegate call that the running code belongs to; nil for other code.
    package static var ofRunningCode: SessionRegistry? { override }

    /// The session that `WCSession.default` is for the running code.
    static var currentSession: WCSession {
        let registry = current
        if override == nil, registry.isProcess { strays.withLock(\.observer)?() }
        return registry.defaultSession
    }

    /// The process's own registry.
    package static let process = SessionRegistry(isProcess: true)

    /// The registry of the test or of the delegate call that this code runs in.
    @TaskLocal private static var override: SessionRegistry?

    /// What code gets that runs within no use of a registry, and who wants to know of it.
    private struct Strays: Sendable {
        weak var standIn: SessionRegistry?
        /// Whether the running code may be that registry's.
        var isMeant: @Sendable () -> Bool = { true }
        var observer: (@Sendable () -> Void)?
    }

    private static let strays = Lock(Strays())

    /// Whether this is the registry of the process, which gets its peers from the process's ``SessionSetup``.
    let isProcess: Bool
    let start = SessionStart()
    /// The records that the app's devices share.
    package let records = RecordsBoard()
    /// The streams of the counterparts.
    let watchLists = WatchLists()
    let state: Lock<State>

    // Unchecked: sessions are not Sendable, because clients may subclass them; their own state is locked.
    struct State: @unchecked Sendable {
        var role = PeerState.Role.phone
        var entries: [Entry] = []
        /// The watch that the default session talks to, or will talk to after its next activation.
        var active: String?
        /// The host that runs the peers, if any.
        weak var host: (any DeviceHost)?
        var defaultSession: WCSession?
        /// A default session that owns this registry, instead of the other way round.
        weak var ownSession: WCSession?
        var endingHold = Duration.zero
    }

    // Unchecked: see above.
    struct Entry: @unchecked Sendable {
        var watch: SessionWatch
        var client: PeerClient
        var session: WCSession?
    }

    /// Creates a registry without peers: its default session is unpaired.
    package convenience init(role: PeerState.Role) {
        self.init(isProcess: false)
        state.withLock { $0.role = role }
    }

    private init(isProcess: Bool) {
        self.isProcess = isProcess
        state = Lock(State())
        // Clients need a short delay; 20 ms were enough in practice.
        if isProcess { endingHold = .milliseconds(20) }
    }

    /// Runs code that gets this registry's session as `WCSession.default`, also in its child tasks.
    package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$override.withValue(self, operation: body)
    }

    /// Runs code that gets this registry's session as `WCSession.default`, also in its child tasks.
    package nonisolated(nonsending) func use<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$override.withValue(self, operation: body)
    }

    /// Gives this registry's session to all code of the process that uses no other one, until ``standDown()`` or until
    /// another registry does so.
    ///
    /// - Parameter isMeant: Whether the running code may be this registry's; other code gets the process's own session.
    package func standIn(where isMeant: @escaping @Sendable () -> Bool) {
        Self.strays.withLock { strays in
            strays.standIn = self
            strays.isMeant = isMeant
        }
    }

    /// The process's own registry is used again, if this one stood in for it.
    package func standDown() {
        Self.strays.withLock { strays in
            if strays.standIn === self { strays.standIn = nil }
        }
    }

    /// Calls an observer each time when code that uses no registry gets the process's session.
    package static func observeStrays(_ observer: @escaping @Sendable () -> Void) {
        strays.withLock { $0.observer = observer }
    }

    /// The kind of device that the process is.
    package var role: PeerState.Role { state.withLock(\.role) }

    /// The host, which gets facts about the whole device; held weakly.
    ///
    /// Without a host, the present peers get them.
    package var host: (any DeviceHost)? {
        get { state.withLock(\.host) }
        set { state.withLock { $0.host = newValue } }
    }

    /// The least delay between the return of the call that starts a transfer and the notification of its end, on the
    /// machine's clock; see ``TransferStart``.
    ///
    /// Zero if the calls wait for the test anyway; then the return of the call is not waited for either.
    package var endingHold: Duration {
        get { state.withLock(\.endingHold) }
        set { state.withLock { $0.endingHold = newValue } }
    }

    /// The session that `WCSession.default` returns; always the same one.
    package var defaultSession: WCSession {
        if isProcess { start.once(self) }
        return state.withLock { state in
            if let known = state.defaultSession ?? state.ownSession { return Unlocked(known) }
            let client = state.entries.first { $0.watch.id == state.active }?.client
            let session = WCSession(
                backing: SessionBacking(role: state.role, client: client, registry: self, followsActiveWatch: true))
            state.defaultSession = session
            return Unlocked(session)
        }.value
    }

    /// Passes a fact about the whole device on.
    package func tell(_ input: PeerState.Input) {
        if let host { return host.tell(input) }
        for client in state.withLock({ $0.entries.map(\.client) }) { client.peerDriver.handle(input) }
    }

    /// Adds a peer; the first one becomes the active one.
    ///
    /// The default session uses it at once, unless it is already active with another one.
    package func add(_ watch: SessionWatch, _ client: PeerClient) {
        let follower = state.withLock { state -> Unlocked<WCSession?> in
            state.entries.removeAll { $0.watch.id == watch.id }
            state.entries.append(Entry(watch: watch, client: client, session: nil))
            guard state.active == nil || state.active == watch.id else { return Unlocked(nil) }
            state.active = watch.id
            return Unlocked(state.defaultSession)
        }
        tellChoice()
        watchLists.update(watches)
        follower.value.map { $0.backing.leave($0, for: client) }
    }

    /// Changes the name of a counterpart.
    package func rename(_ watch: SessionWatch) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.watch.id == watch.id }) else { return }
            state.entries[index].watch = watch
        }
        watchLists.update(watches)
    }

    /// Removes a peer; if it was the active one, the next one becomes active.
    package func remove(_ id: String) {
        let change = state.withLock { state -> Unlocked<(WCSession?, PeerClient?)> in
            state.entries.removeAll { $0.watch.id == id }
            guard state.active == id else { return Unlocked((nil, nil)) }
            state.active = state.entries.first?.watch.id
            return Unlocked((state.defaultSession, state.entries.first?.client))
        }
        tellChoice()
        watchLists.update(watches)
        let (follower, next) = change.value
        if let follower { follower.backing.leave(follower, for: next) }
    }

    /// The counterparts, the active one first.
    package var watches: [SessionWatch] { entries.map(\.watch) }

    /// The counterpart that the default session talks to, or will talk to after its next activation.
    package var activeWatch: SessionWatch? {
        state.withLock { state in state.entries.first { $0.watch.id == state.active }?.watch }
    }

    /// The counterparts' own sessions, that of the active one first.
    package var sessions: [WCSession] { watches.compactMap { session(for: $0.id) } }

    /// The session of one counterpart; always the same one while it is paired.
    package func session(for id: String) -> WCSession? {
        state.withLock { state -> Unlocked<WCSession?> in
            guard let index = state.entries.firstIndex(where: { $0.watch.id == id }) else { return Unlocked(nil) }
            if let known = state.entries[index].session ?? state.ownSession { return Unlocked(known) }
            let session = WCSession(
                backing: SessionBacking(role: state.role, client: state.entries[index].client, registry: self))
            state.entries[index].session = session
            return Unlocked(session)
        }.value
    }

    /// Makes another watch the one that the default session talks to.
    ///
    /// An active session becomes inactive, then deactivated, and must be activated again. A session that is not
    /// active talks to the new watch from its next activation on.
    package func switchActiveWatch(to id: String) throws(SessionWatchError) {
        guard role == .phone else { throw .onlyOnPhone }
        let known = watches.map(\.id)
        let change = state.withLock { state -> Unlocked<(WCSession?, PeerClient?)> in
            let client = state.entries.first { $0.watch.id == id }?.client
            if client != nil { state.active = id }
            return Unlocked((state.defaultSession, client))
        }
        guard let client = change.value.1 else { throw .unknownWatch(id, known: known) }
        tellChoice()
        watchLists.update(watches)
        // Nothing happens if the session already talks to that watch.
        if let follower = change.value.0 { follower.backing.leave(follower, for: client) }
    }

    /// Tells the peers of a phone which watch its default session is for.
    private func tellChoice() {
        let choice = state.withLock { state in
            state.role == .phone ? state.entries.map { ($0.client, $0.watch.id == state.active) } : []
        }
        for (client, isChosen) in choice { client.peerDriver.handle(.chosen(isChosen)) }
    }

    /// Makes the watch after the active one the active one, in the order of pairing; after the last comes the first.
    func switchToNextWatch() {
        let known = watches.filter { !$0.name.isEmpty }.sorted { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) }
        guard let place = known.firstIndex(where: { $0 == activeWatch }) else { return }
        do {
            try switchActiveWatch(to: known[(place + 1) % known.count].id)
        } catch {
            // This device is a watch, which has one phone.
        }
    }

    /// The client that the default session should have.
    var activeClient: PeerClient? {
        state.withLock { state in state.entries.first { $0.watch.id == state.active }?.client }
    }

    private var entries: [Entry] {
        state.withLock { state in
            state.entries.filter { $0.watch.id == state.active } + state.entries.filter { $0.watch.id != state.active }
        }
    }
}
