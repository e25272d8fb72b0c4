public import WatchConnectivity

extension WCSession {
    /// What happens on the device of a pair's session: all events since the pair was made, then each one when it happens.
    ///
    /// The stream ends when the pair is released. Events happen while the pair runs, so run it before you wait for one,
    /// or in another task. A session of no pair has no events.
    ///
    ///     for await event in pair.phone.events where event.kind == .call { print(event.line) }
    public var events: AsyncStream<TestPair.Event> {
        guard let host = registry?.host as? PairRunnerHost else { return AsyncStream { $0.finish() } }
        return host.events
    }
}
