import Synchronization

extension WCSession {
    /// Creates the session of a companion, with a board of its own.
    ///
    /// Code that its delegate runs, or that its board is used by, finds it as `WCSession.default`.
    ///
    /// - Parameters:
    ///   - shell: The companion; nil for a session that is unpaired (trap T11).
    ///   - role: Which device it is on.
    package convenience init(shell: PeerDriver?, role: PeerState.Role) {
        let line = shell.map { PeerClient(shell: $0, role: role) }
        let board = SessionRegistry(role: role)
        self.init(seat: SessionBacking(role: role, line: line))
        seat.own(board)
        board.belong(to: self, line)
    }

    /// The board that code of this session's app uses.
    package var board: SessionRegistry? { seat.board }

    /// Notes that the delegate lacks a method, during a call of it.
    func note(lacking method: String) {
        seat.note(lacking: method)
    }
}

extension SessionRegistry {
    /// The session owns this board, which has one companion at most.
    fileprivate func belong(to session: WCSession, _ line: PeerClient?) {
        let given = Unlocked(session)
        state.withLock { state in
            state.ownSession = given.value
            guard let line else { return }
            let watch = SessionWatch(id: "1", name: state.role == .phone ? "watch" : "phone")
            state.entries = [Entry(watch: watch, line: line, session: nil)]
            state.active = watch.id
        }
    }
}
