import Platform

/// Counts the changes of a state, and signals them to its observers.
package final class ChangeSignal: Sendable {
    private struct State {
        package var count: UInt64 = 1
        var last: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Lock(State())

    /// Creates a signal without observers.
    package init() {}

    /// The number of changes, starting with 1.
    package var count: UInt64 { state.withLock(\.count) }

    /// The number of observers.
    package var listenerCount: Int { state.withLock(\.listeners.count) }

    /// Signals a change; called on any thread, returns at once.
    package func signal() {
        let listeners = state.withLock { state in
            state.count += 1
            return state.listeners.values.map(\.self)
        }
        for listener in listeners { listener.yield() }
    }

    /// Yields after each change from now on; several changes may yield once.
    package func changes() -> AsyncStream<Void> {
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

extension AsyncStream<Void> {
    /// Returns after the next element, or after a time without one.
    package func next(within patience: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self { return } }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }
}
