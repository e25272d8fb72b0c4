public import Foundation
import SyncCore

/// A file on its way to the counterpart.
///
/// Two objects are equal if they stand for the same transfer, even across a relaunch. Source: Apple's
/// WatchConnectivity, `WCSessionFileTransfer`.
open class WCSessionFileTransfer: NSObject {
    let identity: TransferIdentity
    let steps: TransferProgress
    let observations = ObserverTable()
    private let sent: WCSessionFile

    /// Creates an object without a transfer; for mocks.
    public override init() {
        identity = TransferIdentity()
        sent = WCSessionFile()
        steps = TransferProgress(byteCount: nil)
        super.init()
    }

    init(
        _ id: RandomID, _ file: WCSessionFile, byteCount: UInt64?, on client: PeerClient, unsendablePath: String? = nil,
        beginning: TransferStart? = nil
    ) {
        identity = TransferIdentity(id: id, client: client, unsendablePath: unsendablePath, beginning: beginning)
        sent = file
        steps = TransferProgress(byteCount: byteCount)
        super.init()
        steps.whenCancelled { [identity, observations] in
            identity.cancel()
            observations.reread()
        }
    }

    /// The file that the app passed in.
    open var file: WCSessionFile { sent }

    /// The bytes of the file that have arrived; complete when the delegate is notified of the success.
    ///
    /// Its `cancel()` cancels the transfer.
    open var progress: Progress { steps }

    /// Whether the file has not arrived, failed or been cancelled yet.
    open var isTransferring: Bool { identity.outstandingFile != nil }

    /// Cancels the transfer and its progress, if it is still in the queue.
    open func cancel() {
        // The progress cancels the transfer, too.
        if identity.outstandingFile != nil { return steps.cancel() }
        identity.cancel()
        observations.reread()
    }

    /// Whether the other object stands for the same transfer.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? WCSessionFileTransfer else { return false }
        return self === other || identity.isSame(as: other.identity)
    }

    /// The hash of the transfer.
    open override var hash: Int { identity.id?.hashValue ?? ObjectIdentifier(self).hashValue }
}
