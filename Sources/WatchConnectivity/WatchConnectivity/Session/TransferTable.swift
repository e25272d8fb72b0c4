import Platform
import SyncCore

/// The transfer objects that the app's process has: for each transfer always the same object.
final class TransferTable: Sendable {
    // Unchecked: the transfers are open classes, but their own state is immutable or locked.
    private struct Objects: @unchecked Sendable {
        var kept: [RandomID: AnyObject] = [:]
        /// The cancelled transfers, held weakly: no end is reported for most of them, so only the app keeps the
        /// object alive.
        var released: [RandomID: Released] = [:]
    }

    private struct Released {
        weak var object: AnyObject?
    }

    private let objects = Lock(Objects())

    /// The object of a transfer; created if the app does not have it.
    func object<Transfer: AnyObject>(_ id: RandomID, orMake make: () -> Transfer) -> Transfer {
        if let known: Transfer = known(id) { return known }
        let made = Unlocked(make())
        // Another thread may have created it meanwhile: the first object stays.
        return objects.withLock { objects in
            let object = objects.kept[id] as? Transfer ?? made.value
            objects.kept[id] = object
            return Unlocked(object)
        }.value
    }

    /// The object of a transfer, if the app has it.
    func known<Transfer: AnyObject>(_ id: RandomID) -> Transfer? {
        objects.withLock { Unlocked(($0.kept[id] ?? $0.released[id]?.object) as? Transfer) }.value
    }

    /// A transfer was cancelled: only the code that has its object keeps it alive from now on.
    func release(_ id: RandomID) {
        objects.withLock { objects in
            objects.released = objects.released.filter { $0.value.object != nil }
            if let object = objects.kept.removeValue(forKey: id) { objects.released[id] = Released(object: object) }
        }
    }

    /// A transfer has ended: code that needs the object has it by now.
    func forget(_ id: RandomID) {
        objects.withLock { objects in
            objects.kept[id] = nil
            objects.released[id] = nil
        }
    }

    /// Removes all objects: their process has ended.
    func forgetAll() {
        objects.withLock { $0 = Objects() }
    }

    /// The number of stored objects.
    var count: Int { objects.withLock { $0.kept.count } }
}
