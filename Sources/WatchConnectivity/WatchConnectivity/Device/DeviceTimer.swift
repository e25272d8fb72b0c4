import Dispatch
import Platform
import SyncCore

/// Calls a closure at an instant of the monotonic clock; without an instant it costs nothing.
// Unchecked: a dispatch source may be used on any thread, but it is not declared Sendable.
final class DeviceTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    /// Creates a timer that calls its closure on a queue.
    init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: work)
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Sets the instant of the next call, and replaces the one before; nil for no call.
    func set(_ deadline: Instant?) {
        guard let deadline else { return source.schedule(deadline: .distantFuture) }
        let wait = max(Moment.now.monotonic.duration(to: deadline).wholeNanoseconds, 0)
        // A wait of centuries would overflow the queue's clock.
        let nanoseconds = Int(min(wait, 86_400_000_000_000))
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .milliseconds(1))
    }
}
