import Synchronization

extension SessionRegistry {
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
