public import Foundation
import SyncCore
import Synchronization

/// User info on its way to the counterpart.
///
/// Two are equal if they are of the same transfer, also across a relaunch (rule R95).
/// Source: Apple's WatchConnectivity, `WCSessionUserInfoTransfer`.
open class WCSessionUserInfoTransfer: NSObject, NSSecureCoding {
    let identity: TransferIdentity
    private let list: AppDictionary
    let observations = ObserverTable()
    /// Whether it was the complication's newest when it ended.
    private let wasCurrent = Mutex(false)

    /// Creates a transfer of nothing, which is not on its way; for mocks.
    public override init() {
        identity = TransferIdentity()
        list = AppDictionary(bytes: [])
        super.init()
    }

    init(
        _ id: RandomID, _ userInfo: AppDictionary, on line: PeerClient, culprit: String? = nil,
        beginning: TransferStart? = nil
    ) {
        identity = TransferIdentity(id: id, line: line, culprit: culprit, beginning: beginning)
        list = userInfo
        super.init()
    }

    /// What is transferred.
    open var userInfo: [String: Any] { list.value }

    /// Whether it is the complication's newest, or was when it ended (rule R111).
    open var isCurrentComplicationInfo: Bool {
        identity.outstandingUserInfo?.isCurrentComplicationInfo ?? wasCurrent.withLock(\.self)
    }

    /// Whether it has not arrived, failed or been cancelled (rule R92).
    open var isTransferring: Bool { identity.outstandingUserInfo != nil }

    /// Takes it out of the queue, if it is still there (rules R97 and R98).
    open func cancel() {
        identity.cancel()
        observations.reread()
    }

    /// Keeps what is known of it at its end.
    func end(isCurrent: Bool) {
        wasCurrent.withLock { $0 = isCurrent }
    }

    // MARK: - Secure coding

    /// Whether it can be archived; it can.
    open class var supportsSecureCoding: Bool { true }

    /// Writes down which transfer it is, and what is transferred.
    open func encode(with coder: NSCoder) {
        if let id = identity.id { coder.encode(NSString(string: id.hexadecimal), forKey: "id") }
        if let bytes = list.bytes { coder.encode(NSData(data: Data(bytes)), forKey: "userInfo") }
    }

    /// Reads what ``encode(with:)`` wrote; it is on its way if the default session still has the transfer.
    public required init?(coder: NSCoder) {
        let id = coder.decodeObject(of: NSString.self, forKey: "id").flatMap { RandomID(hexadecimal: "\($0)") }
        let bytes = coder.decodeObject(of: NSData.self, forKey: "userInfo").map { [UInt8](Data(referencing: $0)) }
        identity = TransferIdentity(id: id, line: id == nil ? nil : SessionRegistry.current.defaultSession.seat.line)
        list = AppDictionary(bytes: bytes ?? [])
        super.init()
    }

    // MARK: - Equality

    /// Whether the other is of the same transfer.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? WCSessionUserInfoTransfer else { return false }
        return self === other || identity.isSame(as: other.identity)
    }

    /// The hash of the transfer.
    open override var hash: Int { identity.id?.hashValue ?? ObjectIdentifier(self).hashValue }
}
