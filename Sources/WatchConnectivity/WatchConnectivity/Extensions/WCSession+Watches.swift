// Support for several watches, of which Apple's session shows an app one at a time. Not part of Apple's API.
extension WCSession {
    /// Defines which device this process is; call it before any other use of the session.
    ///
    /// - Throws: ``SessionSetupError``; the default session is unpaired then.
    public static func setUp(_ setup: SessionSetup) throws(SessionSetupError) {
        try SessionRegistry.process.start.start(setup, .process)
    }

    /// The counterparts, the active one first: on a phone its watches, on a watch its phone.
    public static var watches: [SessionWatch] {
        _ = WCSession.default
        // The session also exists before a counterpart is paired; that entry has no name.
        return SessionRegistry.current.watches.filter { !$0.name.isEmpty }
    }

    /// The watch that the default session talks to, or will talk to after its next activation.
    public static var activeWatch: SessionWatch? {
        _ = WCSession.default
        return SessionRegistry.current.activeWatch.flatMap { $0.name.isEmpty ? nil : $0 }
    }

    /// The sessions of all watches, that of the active one first.
    public static var sessions: [WCSession] { watches.compactMap { session(forWatch: $0.id) } }

    /// The session of one watch; always the same one while the watch is paired, nil if there is no such watch.
    ///
    /// It talks to its watch whether that is active or not. What its watch sends goes to the session that was
    /// activated last: this one, or the default one if the watch is the active one.
    public static func session(forWatch id: String) -> WCSession? {
        _ = WCSession.default
        return SessionRegistry.current.session(for: id)
    }

    /// Makes another watch the active one.
    ///
    /// The default session goes through the same steps as on a phone: it becomes inactive, what has arrived is
    /// delivered, then it is deactivated. Activate it again to talk to the new watch.
    ///
    /// - Throws: ``SessionWatchError``.
    public static func switchActiveWatch(to id: String) throws(SessionWatchError) {
        _ = WCSession.default
        try SessionRegistry.current.switchActiveWatch(to: id)
    }

    /// The device that this session is on, for code that acts as its operating system.
    public var device: SessionDevice {
        let client = backing.usableClient(of: self)
        let registry = backing.registry
        return SessionDevice(
            tell: { input in
                // The session of a mock is in no registry: only its own peer gets the input.
                guard let registry, !registry.watches.isEmpty else { return client.peerDriver.handle(input) }
                registry.tell(input)
            }, side: client.role)
    }
}
