public import Foundation
import SyncCore

/// A file on its way to the counterpart.
///
/// Two are equal if they are of the same transfer, also across a relaunch (rule R95).
/// Source: Apple's WatchConnectivity, `WCSessionFileTransfer`.
open class WCSessionFileTransfer: NSObject {
    let identity: TransferIdentity
    let steps: TransferProgress
    let observations = ObserverTable()
    private let sent: WCSessionFile

    /// Creates a transfer of nothing, which is not on its way; for mocks.
    public override init() {
        identity = TransferIdentity()
        sent = WCSessionFile()
        steps = TransferProgress(byteCount: nil)
        super.init()
    }

    init(
        _ id: RandomID, _ file: WCSessionFile, byteCount: UInt64?, on line: PeerClient, culprit: String? = nil,
        beginning: TransferStart? = nil
    ) {
        identity = TransferIdentity(id: id, line: line, culprit: culprit, beginning: beginning)
        sent = file
        steps = TransferProgress(byteCount: byteCount)
        super.init()
    }

    /// The file as the app gave it.
    open var file: WCSessionFile { sent }

    /// How much of the file has arrived, in bytes; it is complete when the delegate is told of the success (rule R125).
    open var progress: Progress { steps }

    /// Whether it has not arrived, failed or been cancelled (rule R92).
    open var isTransferring: Bool { identity.outstandingFile != nil }

    /// Takes it out of the queue, if it is still there (rules R97, R98 and R131).
    open func cancel() {
        identity.cancel()
        observations.reread()
    }

    /// Whether the other is of the same transfer.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? WCSessionFileTransfer else { return false }
        return self === other || identity.isSame(as: other.identity)
    }

    /// The hash of the transfer.
    open override var hash: Int { identity.id?.hashValue ?? ObjectIdentifier(self).hashValue }
}
