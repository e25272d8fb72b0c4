import Platform
import Service

/// Follows a process of this machine for a page, and asks it for what people want there.
///
/// The process answers a question for the next view when it has another one than that which is known.
package final class FollowedService<Request: Sendable, Reply: Sendable, View: Equatable & Sendable>: Sendable {
    /// What is known of the process.
    package struct Known: Sendable {
        /// The view as it was said last; nil before that.
        package fileprivate(set) var view: View?
        /// Whether the process answered last.
        package fileprivate(set) var isRunning = false
    }

    /// How long it waits before it asks a process again that did not answer.
    private static var pause: Duration { .seconds(1) }

    private let absence: Problem
    private let exchange: @Sendable (Request) async throws -> Reply
    private let next: @Sendable (View?) -> Request
    private let view: @Sendable (Reply) -> View?
    private let known = Lock(Known())
    private let signal = ChangeSignal()

    /// Creates the way to a process.
    ///
    /// - Parameters:
    ///   - absence: The problem that requests get while it does not answer.
    ///   - next: The question for another view than the one that is known.
    ///   - view: The view of an answer; nil if it is none.
    ///   - exchange: Asks the process; throws if none answers.
    package init(
        absence: Problem, next: @escaping @Sendable (View?) -> Request, view: @escaping @Sendable (Reply) -> View?,
        exchange: @escaping @Sendable (Request) async throws -> Reply
    ) {
        (self.absence, self.next, self.view, self.exchange) = (absence, next, view, exchange)
    }

    /// Follows the process until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                guard let view = view(try await exchange(next(now.view))) else { continue }
                change { $0 = Known(view: view, isRunning: true) }
            } catch {
                change { $0.isRunning = false }
                // Cancellation ends the pause and the loop.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func change(_ body: (inout Known) -> Void) {
        let isNew = known.withLock { known in
            let before = known
            body(&known)
            return known.view != before.view || known.isRunning != before.isRunning
        }
        if isNew { signal.signal() }
    }

    /// What is known now.
    package var now: Known { known.withLock(\.self) }

    /// The number of changes.
    package var changeCount: UInt64 { signal.count }

    /// Something after each change.
    package func changes() -> AsyncStream<Void> { signal.changes() }

    /// The view as it is now.
    ///
    /// - Throws: The absence while the process does not answer.
    package func present() throws(Problem) -> View {
        let known = now
        guard let view = known.view, known.isRunning else { throw absence }
        return view
    }

    /// Asks the process.
    ///
    /// - Throws: The absence if it does not answer.
    package func ask(_ request: Request) async throws(Problem) -> Reply {
        do {
            return try await exchange(request)
        } catch {
            throw absence
        }
    }
}
