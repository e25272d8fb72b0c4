import Dispatch
import Foundation
import Synchronization

/// The call that begins a transfer: its end is told only when that has returned, and a moment later.
///
/// Clients keep what they do at the end only when they have the transfer; on a fast link, or where the transfer is
/// refused, its end would come first (rule 14 of the clients). That the call has returned is certain, however long its
/// disk took. What the client does then is known to nobody, so it is given a moment.
final class TransferStart: Sendable {
    private let call = DispatchGroup()
    private let returned = Mutex<ContinuousClock.Instant?>(nil)

    /// The call has begun; ``end()`` must follow.
    init() {
        call.enter()
    }

    /// The call returns.
    func end() {
        returned.withLock { $0 = .now }
        call.leave()
    }

    /// Waits until the call has returned, and so much time has passed since.
    ///
    /// - Parameter moment: Zero if the caller's calls wait for the client anyway: then there is nothing to wait for.
    func wait(_ moment: Duration) {
        guard moment > .zero else { return }
        call.wait()
        guard let returned = returned.withLock(\.self) else { return }
        let rest = moment - (.now - returned)
        if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
    }
}
