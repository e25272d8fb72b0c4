import Platform

extension WCSession {
    /// The counterparts now, the active one first, and again whenever one is added, removed, renamed or made the active one.
    ///
    /// Each use makes a stream of its own. A reader that is slow gets only the newest state.
    public static var watchesDidChange: AsyncStream<[SessionWatch]> {
        _ = WCSession.default
        return SessionRegistry.current.watchLists.stream
    }
}

/// Streams of a registry's counterparts.
final class WatchLists: Sendable {
    private struct State: Sendable {
        var last: [SessionWatch] = []
        var readers: [Int: AsyncStream<[SessionWatch]>.Continuation] = [:]
        var lastReader = 0
    }

    private let state = Lock(State())

    /// A new stream, which begins with the present counterparts.
    var stream: AsyncStream<[SessionWatch]> {
        let (stream, continuation) = AsyncStream<[SessionWatch]>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            continuation.yield(state.last)
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    /// Tells the readers, if the counterparts are others than before.
    ///
    /// Without a name, a counterpart is not paired yet.
    func update(_ watches: [SessionWatch]) {
        let named = watches.filter { !$0.name.isEmpty }
        state.withLock { state in
            guard state.last != named else { return }
            state.last = named
            for reader in state.readers.values { reader.yield(named) }
        }
    }
}
