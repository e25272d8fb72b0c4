import Foundation
import SyncCore

/// Which transfer an object stands for, and whose it is.
struct TransferIdentity: Sendable {
    /// Nil for an object that stands for none.
    let id: RandomID?
    /// Why it cannot be sent, if so.
    let culprit: String?
    private weak let line: SessionLine?
    /// When the app was given the object by the call that began the transfer; nil for one that it found.
    let start: ContinuousClock.Instant?

    init(
        id: RandomID? = nil, line: SessionLine? = nil, culprit: String? = nil, start: ContinuousClock.Instant? = nil
    ) {
        self.id = id
        self.line = line
        self.culprit = culprit
        self.start = start
    }

    /// Waits until so much time has passed since the transfer began.
    func waitForStart(_ hold: Duration) {
        guard let start else { return }
        let rest = hold - (.now - start)
        guard rest > .zero else { return }
        Thread.sleep(forTimeInterval: rest / .seconds(1))
    }

    var outstandingUserInfo: Companion.OutstandingUserInfo? { id.flatMap { line?.shell.userInfo($0) } }

    var outstandingFile: Companion.OutstandingFile? { id.flatMap { line?.shell.file($0) } }

    func isSame(as other: TransferIdentity) -> Bool { id != nil && id == other.id }

    func cancel() {
        guard let id, let line else { return }
        line.shell.handle(.cancel(id))
        line.transfers.loosen(id)
    }
}
