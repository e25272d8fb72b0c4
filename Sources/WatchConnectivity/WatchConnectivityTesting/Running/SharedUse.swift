import CSharedUse
import Platform
import SyncSimulation
import WatchConnectivity

/// What both sides of a pair have in common although two devices do not: objects of the process that code of a side uses.
enum SharedUse: Sendable {
    case userDefaults
    case notificationCenter

    private var warning: String {
        switch self {
        case .userDefaults:
            """
            two sides use UserDefaults.standard, which is the same here: what one side stores, the other one reads although \
            nothing was sent; give each side its own, such as UserDefaults(suiteName:)
            """
        case .notificationCenter:
            """
            two sides use NotificationCenter.default, which is the same here: what one side posts, observers of the other one \
            get although nothing was sent; give each side its own NotificationCenter()
            """
        }
    }

    /// Looks out for it from now on, in the whole process.
    static let isWatched: Bool = {
        shared_use_observe { object in
            let use: SharedUse = object == shared_user_defaults.rawValue ? .userDefaults : .notificationCenter
            (SessionRegistry.ofRunningCode?.host as? PairRunnerHost)?.uses(use)
        }
        return true
    }()

    /// Who of a pair's devices was seen to use what.
    struct Users: Sendable {
        private var devices: [SharedUse: Set<DeviceID>] = [:]

        /// Adds a device.
        ///
        /// - Returns: The warning when it is the second one.
        mutating func add(_ device: DeviceID, of use: SharedUse) -> String? {
            let isNew = devices[use, default: []].insert(device).inserted
            return isNew && devices[use]?.count == 2 ? use.warning : nil
        }
    }
}
