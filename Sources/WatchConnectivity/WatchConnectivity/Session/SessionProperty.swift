import Foundation

/// Reads the properties of a session from its views, so that an observer gets each value in turn, even if the session
/// has already changed again.
enum SessionProperty {
    /// The values of a property in two views; nil if views do not contain it.
    static func values(_ keyPath: AnyKeyPath, _ old: SessionView, _ new: SessionView) -> (Any, Any)? {
        switch keyPath {
        case \WCSession.activationState: (old.activationState, new.activationState)
        case \WCSession.hasContentPending: (old.hasContentPending, new.hasContentPending)
        case \WCSession.isPaired: (old.isPaired, new.isPaired)
        case \WCSession.isWatchAppInstalled: (old.isWatchAppInstalled, new.isWatchAppInstalled)
        case \WCSession.isComplicationEnabled: (old.isComplicationEnabled, new.isComplicationEnabled)
        case \WCSession.remainingComplicationUserInfoTransfers:
            (old.remainingComplicationUserInfoTransfers, new.remainingComplicationUserInfoTransfers)
        case \WCSession.isCompanionAppInstalled: (old.isCompanionAppInstalled, new.isCompanionAppInstalled)
        case \WCSession.isReachable: (old.isReachable, new.isReachable)
        case \WCSession.iOSDeviceNeedsUnlockAfterRebootForReachability:
            (
                old.iOSDeviceNeedsUnlockAfterRebootForReachability, new.iOSDeviceNeedsUnlockAfterRebootForReachability
            )
        default: nil
        }
    }

    /// Whether two values are equal, as far as that can be determined.
    static func isSame(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? any Equatable { return isEqual(left, right) }
        if let left = left as? [String: Any], let right = right as? [String: Any] {
            return SessionPayload.payload(left) == SessionPayload.payload(right)
        }
        return false
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { left == right as? Value }
}
