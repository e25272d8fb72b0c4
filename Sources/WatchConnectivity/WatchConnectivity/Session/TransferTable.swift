import SyncCore
import Synchronization

/// The transfer objects that an app of one process was given: one per transfer, the same one everywhere (rule 13 of
/// the clients).
final class TransferTable: Sendable {
    // Unchecked: the transfers are open classes, but what they keep is immutable or locked.
    private struct Objects: @unchecked Sendable {
        var kept: [RandomID: AnyObject] = [:]
        /// What was cancelled is kept only by the app: most of them are not heard of any more.
        var loose: [RandomID: Loose] = [:]
    }

    private struct Loose {
        weak var object: AnyObject?
    }

    private let objects = Mutex(Objects())

    /// The transfer of this id, made if the app does not have it.
    func object<Transfer: AnyObject>(_ id: RandomID, orMake make: () -> Transfer) -> Transfer {
        if let known: Transfer = known(id) { return known }
        let made = Unlocked(make())
        // Another thread may have made it in between: the first one stays.
        return objects.withLock { objects in
            let object = objects.kept[id] as? Transfer ?? made.value
            objects.kept[id] = object
            return Unlocked(object)
        }.value
    }

    /// The transfer of this id, if the app has it.
    func known<Transfer: AnyObject>(_ id: RandomID) -> Transfer? {
        objects.withLock { Unlocked(($0.kept[id] ?? $0.loose[id]?.object) as? Transfer) }.value
    }

    /// A transfer was cancelled: its object is kept on only by the code that has it.
    func loosen(_ id: RandomID) {
        objects.withLock { objects in
            objects.loose = objects.loose.filter { $0.value.object != nil }
            if let object = objects.kept.removeValue(forKey: id) { objects.loose[id] = Loose(object: object) }
        }
    }

    /// A transfer has ended: the code that wants the object has it by now.
    func forget(_ id: RandomID) {
        objects.withLock { objects in
            objects.kept[id] = nil
            objects.loose[id] = nil
        }
    }

    /// The process that had the objects has ended (rule R95).
    func forgetAll() {
        objects.withLock { $0 = Objects() }
    }

    /// How many objects are kept.
    var count: Int { objects.withLock { $0.kept.count } }
}
