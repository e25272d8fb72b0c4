import Dispatch
import Foundation
import Platform

/// The call that starts a transfer.
///
/// The delegate is notified of the transfer's end only after the call has returned, plus a short delay.
///
/// Clients store their data about a transfer only after the call has returned it. On a fast link, or if the transfer
/// is refused, the delegate would otherwise be called before that. This class waits until the call has returned,
/// however long its disk access takes. How long the client then needs is unknown, so there is a fixed delay as well.
final class TransferStart: Sendable {
    private let call = DispatchGroup()
    private let returned = Lock<ContinuousClock.Instant?>(nil)

    /// Marks the beginning of the call; ``end()`` must follow.
    init() {
        call.enter()
    }

    /// Marks the return of the call.
    func end() {
        returned.withLock { $0 = .now }
        call.leave()
    }

    /// Waits until the call has returned and the delay has passed since.
    ///
    /// - Parameter moment: The delay. With zero it does not wait at all; use that if the caller waits for the client
    ///   anyway.
    func wait(_ moment: Duration) {
        guard moment > .zero else { return }
        call.wait()
        guard let returned = returned.withLock(\.self) else { return }
        let rest = moment - (.now - returned)
        if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
    }
}
