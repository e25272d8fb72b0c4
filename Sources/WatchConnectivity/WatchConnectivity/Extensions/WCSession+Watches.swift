// Several watches, which Apple's session lets an app see one at a time. Ours.
extension WCSession {
    /// Says which device this process is, before anything else is done with its session.
    ///
    /// - Throws: ``SessionSetupError``; the default session is unpaired then.
    public static func setUp(_ setup: SessionSetup) throws(SessionSetupError) {
        try SessionRegistry.process.start.start(setup, .process)
    }

    /// The counterparts, the active one first: on a phone its watches, on a watch its phone.
    public static var watches: [SessionWatch] {
        _ = WCSession.default
        // The session is there before anybody is paired.
        return SessionRegistry.current.watches.filter { !$0.name.isEmpty }
    }

    /// The watch that the default session speaks to, or will speak to when it is activated again.
    public static var activeWatch: SessionWatch? {
        _ = WCSession.default
        return SessionRegistry.current.activeWatch.flatMap { $0.name.isEmpty ? nil : $0 }
    }

    /// The sessions of all watches, that of the active one first.
    public static var sessions: [WCSession] { watches.compactMap { session(forWatch: $0.id) } }

    /// The session of one watch; always the same one while the watch is paired, nil if there is no such watch.
    ///
    /// It speaks to its watch whether that is active or not. What its watch sends comes to the session that was
    /// activated last: this one, or the default one if the watch is the active one.
    public static func session(forWatch id: String) -> WCSession? {
        _ = WCSession.default
        return SessionRegistry.current.session(for: id)
    }

    /// Makes another watch the active one.
    ///
    /// The default session goes through what a switch is on a phone: it becomes inactive, what has arrived is
    /// delivered, it is deactivated; activate it again to speak to the new watch (rules R21–R27).
    ///
    /// - Throws: ``SessionWatchError``.
    public static func switchActiveWatch(to id: String) throws(SessionWatchError) {
        _ = WCSession.default
        try SessionRegistry.current.switchActiveWatch(to: id)
    }

    /// The device that this session is on, for the code that plays its system.
    public var device: SessionDevice {
        let line = seat.usableLine(of: self)
        let board = seat.board
        return SessionDevice(
            tell: { input in
                // A session of a mock is on no board: only its own line is told.
                guard let board, !board.watches.isEmpty else { return line.shell.handle(input) }
                board.tell(input)
            }, side: line.role)
    }
}
