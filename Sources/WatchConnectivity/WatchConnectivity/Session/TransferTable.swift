import SyncCore
import Synchronization

/// The transfer objects that an app of one process was given: one per transfer, the same one everywhere (rule 13 of
/// the clients).
final class TransferTable: Sendable {
    // Unchecked: the transfers are open classes, but what they keep is immutable or locked.
    private struct Objects: @unchecked Sendable {
        var userInfo: [RandomID: WCSessionUserInfoTransfer] = [:]
        var files: [RandomID: WCSessionFileTransfer] = [:]
        /// What was cancelled is kept only by the app: most of them are not heard of any more.
        var loose: [RandomID: Loose] = [:]
    }

    private struct Loose {
        weak var object: AnyObject?
    }

    private let objects = Mutex(Objects())

    /// The transfer of this id, made if the app does not have it.
    func userInfo(_ id: RandomID, orMake make: () -> WCSessionUserInfoTransfer) -> WCSessionUserInfoTransfer {
        if let known = known(id, \.userInfo) { return known }
        let made = Unlocked(make())
        // Another thread may have made it in between: the first one stays.
        return objects.withLock { objects in
            let object = objects.userInfo[id] ?? made.value
            objects.userInfo[id] = object
            return Unlocked(object)
        }.value
    }

    /// The transfer of this id, made if the app does not have it.
    func file(_ id: RandomID, orMake make: () -> WCSessionFileTransfer) -> WCSessionFileTransfer {
        if let known = known(id, \.files) { return known }
        let made = Unlocked(make())
        return objects.withLock { objects in
            let object = objects.files[id] ?? made.value
            objects.files[id] = object
            return Unlocked(object)
        }.value
    }

    /// The file's transfer, if the app has it.
    func knownFile(_ id: RandomID) -> WCSessionFileTransfer? { known(id, \.files) }

    /// A transfer was cancelled: its object is kept on only by the code that has it.
    func loosen(_ id: RandomID) {
        objects.withLock { objects in
            objects.loose = objects.loose.filter { $0.value.object != nil }
            let object: AnyObject? = objects.userInfo.removeValue(forKey: id) ?? objects.files.removeValue(forKey: id)
            if let object { objects.loose[id] = Loose(object: object) }
        }
    }

    /// A transfer has ended: the code that wants the object has it by now.
    func forget(_ id: RandomID) {
        objects.withLock { objects in
            objects.userInfo[id] = nil
            objects.files[id] = nil
            objects.loose[id] = nil
        }
    }

    /// The process that had the objects has ended (rule R95).
    func forgetAll() {
        objects.withLock { $0 = Objects() }
    }

    /// How many objects are kept.
    var count: Int { objects.withLock { $0.userInfo.count + $0.files.count } }

    private func known<Object: AnyObject>(
        _ id: RandomID, _ table: KeyPath<Objects, [RandomID: Object]>
    ) -> Object? {
        objects.withLock { Unlocked($0[keyPath: table][id] ?? $0.loose[id]?.object as? Object) }.value
    }
}
