import Platform
import PoolControl
import PoolModel

/// What waits for the alert service; its one reader takes all of it at once.
///
/// The code that posts returns at once. Of what ingest learned at most ``limit`` events wait: beyond that the oldest is
/// dropped and counted, because a newer value of the water says more than an older one. Everything else is never
/// dropped; each kind of it is bounded by those who post it.
final class AlertInbox: Sendable {
    /// Something for the service.
    enum Letter: Sendable {
        case event(IngestEvent)
        case server(Server, BrokerState)
        case configuration(PoolConfiguration)
        /// How many watches are paired.
        case watches(Int)
        case outcome(AlertNotice.ID, AlertChannel, AlertOutcome)
        case authorization(AlertChannel, AlertAuthorization)
        case test
        case report(CheckedContinuation<AlertReport, any Error>)
        /// A deadline has come, or may have.
        case time
    }

    private struct Waiting {
        var letters: [Letter] = []
        var eventCount = 0
        var droppedCount: UInt64 = 0
        var isClosed = false
    }

    /// The most events of ingest that wait.
    static let limit = 8192

    /// Yields when there is something to take.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Lock(Waiting())

    init() {
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many events of ingest were dropped because too many waited.
    var droppedCount: UInt64 { waiting.withLock(\.droppedCount) }

    /// Puts something in; called on any thread.
    ///
    /// - Returns: Whether somebody will read it.
    @discardableResult
    func post(_ letter: Letter) -> Bool {
        let isOpen = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            if case .event = letter {
                if waiting.eventCount == Self.limit { Self.dropOldest(&waiting) }
                waiting.eventCount += 1
            }
            waiting.letters.append(letter)
            return true
        }
        if isOpen { signal.yield() }
        return isOpen
    }

    /// Takes all that waits, in the order in which it came.
    func takeAll() -> [Letter] {
        waiting.withLock { waiting in
            defer {
                waiting.letters = []
                waiting.eventCount = 0
            }
            return waiting.letters
        }
    }

    /// Takes the last letters; nothing is taken in any more.
    func close() -> [Letter] {
        waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.letters = [] }
            return waiting.letters
        }
    }

    private static func dropOldest(_ waiting: inout Waiting) {
        let oldest = waiting.letters.firstIndex { letter in
            guard case .event = letter else { return false }
            return true
        }
        guard let oldest else { return }
        waiting.letters.remove(at: oldest)
        waiting.eventCount -= 1
        waiting.droppedCount += 1
    }
}
