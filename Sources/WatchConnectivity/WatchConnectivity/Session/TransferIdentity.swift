import Foundation
import SyncCore

/// Which transfer an object stands for, and whose it is.
struct TransferIdentity: Sendable {
    /// Nil for an object that stands for none.
    let id: RandomID?
    /// Why it cannot be sent, if so.
    let culprit: String?
    private weak let line: PeerClient?
    /// The call that began the transfer; nil for an object that the app found.
    let beginning: TransferStart?

    init(
        id: RandomID? = nil, line: PeerClient? = nil, culprit: String? = nil, beginning: TransferStart? = nil
    ) {
        self.id = id
        self.line = line
        self.culprit = culprit
        self.beginning = beginning
    }

    var outstandingUserInfo: PeerState.OutstandingUserInfo? { id.flatMap { line?.shell.userInfo($0) } }

    var outstandingFile: PeerState.OutstandingFile? { id.flatMap { line?.shell.file($0) } }

    func isSame(as other: TransferIdentity) -> Bool { id != nil && id == other.id }

    func cancel() {
        guard let id, let line else { return }
        line.shell.handle(.cancel(id))
        line.transfers.loosen(id)
    }
}

/// An object that stands for a transfer.
protocol IdentifiedTransfer: ObservationKeeping {
    var identity: TransferIdentity { get }
    var observations: ObserverTable { get }
}

extension IdentifiedTransfer {
    var observationBook: ObserverTable? { observations }
}

extension WCSessionUserInfoTransfer: IdentifiedTransfer {}

extension WCSessionFileTransfer: IdentifiedTransfer {}
