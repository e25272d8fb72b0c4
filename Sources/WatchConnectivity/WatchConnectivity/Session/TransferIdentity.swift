import Foundation
import SyncCore

/// The transfer that an object stands for, and the client that it belongs to.
struct TransferIdentity: Sendable {
    /// Nil for an object without a transfer.
    let id: RandomID?
    /// The part of the payload that cannot be sent, if any.
    let unsendablePath: String?
    private weak let client: PeerClient?
    /// The call that started the transfer; nil for an object that the app got from a list of outstanding transfers.
    let beginning: TransferStart?

    init(
        id: RandomID? = nil, client: PeerClient? = nil, unsendablePath: String? = nil, beginning: TransferStart? = nil
    ) {
        self.id = id
        self.client = client
        self.unsendablePath = unsendablePath
        self.beginning = beginning
    }

    var outstandingUserInfo: PeerState.OutstandingUserInfo? { id.flatMap { client?.peerDriver.userInfo($0) } }

    var outstandingFile: PeerState.OutstandingFile? { id.flatMap { client?.peerDriver.file($0) } }

    func isSame(as other: TransferIdentity) -> Bool { id != nil && id == other.id }

    func cancel() {
        guard let id, let client else { return }
        client.peerDriver.handle(.cancel(id))
        client.transfers.release(id)
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
