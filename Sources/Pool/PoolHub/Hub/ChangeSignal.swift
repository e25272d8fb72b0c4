import Platform

/// Counts the changes of what a hub shows, and wakes those who look.
final class ChangeSignal: Sendable {
    private struct State {
        var count: UInt64 = 1
        var last: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Lock(State())

    /// How often it rang, beginning with 1.
    var count: UInt64 { state.withLock(\.count) }

    /// Says that something changed; called on any thread, returns at once.
    func ring() {
        let listeners = state.withLock { state in
            state.count += 1
            return state.listeners.values.map(\.self)
        }
        for listener in listeners { listener.yield() }
    }

    /// Yields after each change from now on; changes before the next look are one.
    func rings() -> AsyncStream<Void> {
        let (stream, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = source
            return state.last
        }
        source.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
