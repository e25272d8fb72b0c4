public import Foundation
import Platform
import SyncCore

/// User info on its way to the counterpart.
///
/// Two objects are equal if they stand for the same transfer, even across a relaunch. Source: Apple's
/// WatchConnectivity, `WCSessionUserInfoTransfer`.
open class WCSessionUserInfoTransfer: NSObject, NSSecureCoding {
    let identity: TransferIdentity
    private let list: AppDictionary
    let observations = ObserverTable()
    /// Whether it was the newest complication user info when it ended.
    private let wasCurrent = Lock(false)

    /// Creates an object without a transfer; for mocks.
    public override init() {
        identity = TransferIdentity()
        list = AppDictionary(bytes: [])
        super.init()
    }

    init(
        _ id: RandomID, _ userInfo: AppDictionary, on client: PeerClient, unsendablePath: String? = nil,
        beginning: TransferStart? = nil
    ) {
        identity = TransferIdentity(id: id, client: client, unsendablePath: unsendablePath, beginning: beginning)
        list = userInfo
        super.init()
    }

    /// The user info that is transferred.
    open var userInfo: [String: Any] { list.value }

    /// Whether it is the newest complication user info, or was when it ended.
    open var isCurrentComplicationInfo: Bool {
        identity.outstandingUserInfo?.isCurrentComplicationInfo ?? wasCurrent.withLock(\.self)
    }

    /// Whether the user info has not arrived, failed or been cancelled yet.
    open var isTransferring: Bool { identity.outstandingUserInfo != nil }

    /// Cancels the transfer, if it is still in the queue.
    open func cancel() {
        identity.cancel()
        observations.reread()
    }

    /// Records the transfer's state at its end.
    func end(isCurrent: Bool) {
        wasCurrent.withLock { $0 = isCurrent }
    }

    // MARK: - Secure coding

    /// Whether it can be archived; always true.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the transfer's identifier and the user info.
    open func encode(with coder: NSCoder) {
        if let id = identity.id { coder.encode(NSString(string: id.hexadecimal), forKey: "id") }
        if let bytes = list.bytes { coder.encode(NSData(data: Data(bytes)), forKey: "userInfo") }
    }

    /// Reads what ``encode(with:)`` wrote.
    ///
    /// The transfer is outstanding if the default session still has it.
    public required init?(coder: NSCoder) {
        let id = coder.decodeObject(of: NSString.self, forKey: "id").flatMap { RandomID(hexadecimal: "\($0)") }
        let bytes = coder.decodeObject(of: NSData.self, forKey: "userInfo").map { [UInt8](Data(referencing: $0)) }
        identity = TransferIdentity(
            id: id, client: id == nil ? nil : SessionRegistry.current.defaultSession.backing.client)
        list = AppDictionary(bytes: bytes ?? [])
        super.init()
    }

    // MARK: - Equality

    /// Whether the other object stands for the same transfer.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? WCSessionUserInfoTransfer else { return false }
        return self === other || identity.isSame(as: other.identity)
    }

    /// The hash of the transfer.
    open override var hash: Int { identity.id?.hashValue ?? ObjectIdentifier(self).hashValue }
}
