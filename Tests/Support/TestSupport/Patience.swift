internal import Dispatch
internal import Platform
internal import Synchronization

/// How long tests wait for what does not come.
///
/// It decides nothing where things come: it is far longer than the slowest machine takes. It is there so that a test that waits
/// in vain fails, and says for what, instead of standing still forever.
enum Patience {
    private static let first = Duration.seconds(20 * 60)
    /// After something did not come, what waits for its consequences shall not take as long again.
    private static let further = Duration.seconds(60)
    private static let isExhausted = Atomic(false)

    /// The moment at which one who begins to wait now gives up.
    static var deadline: ContinuousClock.Instant {
        .now + (isExhausted.load(ordering: .relaxed) ? further : first)
    }

    /// Calls when somebody who begins to wait now gives up, unless the alarm is cancelled before.
    static func begin(_ onEnd: @escaping @Sendable () -> Void) -> Alarm {
        let alarm = Alarm {
            exhaust()
            onEnd()
        }
        alarm.start(in: ContinuousClock.now.duration(to: deadline))
        return alarm
    }

    /// Somebody waited in vain.
    static func exhaust() { isExhausted.store(true, ordering: .relaxed) }
}

/// Calls once after a time, on a thread of the system.
final class Alarm: Sendable {
    private let call: Lock<(@Sendable () -> Void)?>

    fileprivate init(_ call: @escaping @Sendable () -> Void) {
        self.call = Lock(call)
    }

    fileprivate func start(in duration: Duration) {
        let end = DispatchTime.now() + .seconds(Int(duration.components.seconds))
        DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in self?.call.withLock { $0.take() }?() }
    }

    /// Nobody waits any more.
    func cancel() { call.withLock { $0 = nil } }
}
