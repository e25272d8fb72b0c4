import Platform
import PoolControl
import PoolModel

/// The inputs that wait for the alert service, which takes all of them at once.
///
/// Any thread may post; posting never blocks. At most ``limit`` events of ingest wait. If there are more, the oldest one
/// is dropped and counted, because a newer value is more useful than an older one. A newer configuration replaces one that
/// waits: watches may change it faster than the alerts are judged by it. Other inputs are never dropped; the code that posts
/// them limits their number.
final class AlertQueue: Sendable {
    /// An input of the service.
    enum Input: Sendable {
        case event(IngestEvent)
        case server(Server, BrokerState)
        case configuration(PoolConfiguration)
        /// The number of paired watches.
        case watches(Int)
        case outcome(AlertNotice.ID, AlertChannel, AlertOutcome)
        case authorization(AlertChannel, AlertAuthorization)
        case test
        case report(CheckedContinuation<AlertReport, any Error>)
        /// A deadline may have come.
        case time
    }

    private struct Waiting {
        var inputs: [Input] = []
        var eventCount = 0
        var droppedCount: UInt64 = 0
        var isClosed = false
    }

    /// The maximum number of waiting events of ingest.
    static let limit = 8192

    /// Yields when there is something to take.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Lock(Waiting())

    init() {
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of events of ingest that were dropped because too many waited.
    var droppedCount: UInt64 { waiting.withLock(\.droppedCount) }

    /// Adds an input; called on any thread.
    ///
    /// - Returns: False if the queue was closed.
    @discardableResult
    func post(_ input: Input) -> Bool {
        let isOpen = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            if case .event = input {
                if waiting.eventCount == Self.limit { Self.dropOldest(&waiting) }
                waiting.eventCount += 1
            }
            if case .configuration = input, let place = waiting.inputs.lastIndex(where: \.isConfiguration) {
                waiting.inputs[place] = input
            } else {
                waiting.inputs.append(input)
            }
            return true
        }
        if isOpen { signal.yield() }
        return isOpen
    }

    /// Takes all waiting inputs, in the order of arrival.
    func takeAll() -> [Input] {
        waiting.withLock { waiting in
            defer {
                waiting.inputs = []
                waiting.eventCount = 0
            }
            return waiting.inputs
        }
    }

    /// Takes the last inputs and closes the queue.
    func close() -> [Input] {
        waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.inputs = [] }
            return waiting.inputs
        }
    }

    private static func dropOldest(_ waiting: inout Waiting) {
        let oldest = waiting.inputs.firstIndex { input in
            guard case .event = input else { return false }
            return true
        }
        guard let oldest else { return }
        waiting.inputs.remove(at: oldest)
        waiting.eventCount -= 1
        waiting.droppedCount += 1
    }
}

extension AlertQueue.Input {
    fileprivate var isConfiguration: Bool {
        guard case .configuration = self else { return false }
        return true
    }
}
