import Dispatch
import SyncCore
import SyncTransport

/// Calls back at an instant of the monotonic clock; without an instant it costs nothing.
// Unchecked: a source of the system's queues may be used on any thread, but the library does not say so to the compiler.
final class DeviceTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    /// Creates a timer that calls on a queue.
    init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: work)
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Calls at this instant or soon after, and not at the one that was wished before; nil for not at all.
    func set(_ deadline: Instant?) {
        guard let deadline else { return source.schedule(deadline: .distantFuture) }
        let wait = max(Moment.now.monotonic.duration(to: deadline).wholeNanoseconds, 0)
        // A wait of centuries would overflow the queue's clock.
        let nanoseconds = Int(min(wait, 86_400_000_000_000))
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .milliseconds(1))
    }
}
