import Platform
import Primitives
import TarsApp
import TarsModel
package import TarsPhone
import Text
import WebServer

/// Follows the phone that runs on a folder of this machine, and asks it for what people want on the page.
package final class HomeWatcher: Sendable {
    /// What is known of the phone.
    struct Known: Sendable {
        /// The home as it was said last; nil before that.
        var view: HomeView?
        /// Whether the phone answered last.
        var isRunning = false
        /// Counts the changes of both.
        var change: UInt64 = 0
    }

    /// How long it waits before it asks a phone again that did not answer.
    private static let pause = Duration.seconds(1)

    private let exchange: @Sendable (HomeRequest) async throws -> HomeReply
    private let known = Lock(Known())
    private let readers = Lock<[Int: AsyncStream<Void>.Continuation]>([:])

    /// Creates the way to a phone.
    ///
    /// - Parameter exchange: Asks the phone; throws if none answers.
    package init(exchange: @escaping @Sendable (HomeRequest) async throws -> HomeReply) { self.exchange = exchange }

    /// Follows the phone until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                guard case .view(let view) = try await exchange(.next(after: known.withLock(\.view)?.madeAt)) else {
                    continue
                }
                change { known in
                    known.view = view
                    known.isRunning = true
                }
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
            guard known.view != before.view || known.isRunning != before.isRunning else { return false }
            known.change += 1
            return true
        }
        if isNew { for reader in readers.withLock({ Array($0.values) }) { reader.yield() } }
    }

    /// What is known now.
    var now: Known { known.withLock(\.self) }

    /// Something after each change.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = readers.withLock { readers in
            let number = (readers.keys.max() ?? 0) + 1
            readers[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in _ = self?.readers.withLock { $0.removeValue(forKey: number) } }
        return stream
    }

    /// The home as it is now.
    ///
    /// - Throws: ``Problem`` while no phone answers.
    func view() throws(Problem) -> HomeView {
        let known = now
        guard let view = known.view, known.isRunning else { throw Self.absent }
        return view
    }

    /// Asks the phone.
    ///
    /// - Throws: ``Problem`` with the phone's sentence if it cannot do it, or that it does not answer.
    func ask(_ request: HomeRequest) async throws(Problem) -> HomeReply {
        let reply: HomeReply
        do {
            reply = try await exchange(request)
        } catch {
            throw Self.absent
        }
        if case .problem(let sentence) = reply { throw Problem(.refused, sentence) }
        return reply
    }

    private static let absent = Problem(
        .hubAbsent, "the phone does not run: start it with `tars phone`",
        french: "le téléphone ne tourne pas : lancez-le avec `tars phone`")
}
