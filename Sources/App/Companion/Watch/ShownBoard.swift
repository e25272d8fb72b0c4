import Platform

/// What the face of a watch shows: it is changed by the app, and read by the thread that draws.
package final class ShownBoard<Shown: Sendable>: Sendable {
    private let state: Lock<Shown>
    private let ticks = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Begins with this.
    package init(_ shown: Shown) { state = Lock(shown) }

    /// What is shown now; on any thread.
    package var shown: Shown { state.withLock(\.self) }

    /// Yields after a change; for one reader.
    package var changes: AsyncStream<Void> { ticks.stream }

    /// Changes it; on any thread.
    package func change(_ body: (inout Shown) -> Void) {
        state.withLock { body(&$0) }
        ticks.continuation.yield()
    }
}
