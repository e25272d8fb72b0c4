import Foundation

extension WCError {
    /// An error as the framework gives it: with its texts (rule R154).
    ///
    /// What was wrong in particular, such as the key path of a value, is in the user info as `NSDebugDescription`.
    init(_ code: Code, culprit: String?) {
        var userInfo = [NSLocalizedDescriptionKey: code.text]
        userInfo[NSLocalizedFailureReasonErrorKey] = code.reason
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = code.wayOut
        userInfo["NSDebugDescription"] = culprit
        self.init(_nsError: NSError(domain: WCErrorDomain, code: code.rawValue, userInfo: userInfo))
    }
}

extension WCError.Code {
    /// What went wrong; tests of clients compare with some of these.
    fileprivate var text: String {
        switch self {
        case .genericError: "Unknown WatchConnectivity error."
        case .sessionNotSupported: "WatchConnectivity session is not available on this device."
        case .sessionMissingDelegate: "WatchConnectivity session has no delegate."
        case .sessionNotActivated: "WatchConnectivity session has not been activated."
        case .deviceNotPaired: "Device is not paired."
        case .watchAppNotInstalled: "Watch app is not installed."
        case .notReachable: "WatchConnectivity session on paired device is not reachable."
        case .invalidParameter: "Invalid parameter passed to WatchConnectivity API."
        case .payloadTooLarge: "Payload is too large."
        case .payloadUnsupportedTypes: "Payload contains unsupported type."
        case .messageReplyFailed: "Message reply failed."
        case .messageReplyTimedOut: "Message reply took too long."
        case .fileAccessDenied: "WatchConnectivity session cannot access the file."
        case .deliveryFailed: "Payload could not be delivered."
        case .insufficientSpace: "The payload could not be sent because there isn’t enough space."
        case .sessionInactive: "WatchConnectivity session is inactive."
        case .transferTimedOut: "Transfer timed out."
        case .companionAppNotInstalled: "Companion app is not installed."
        case .watchOnlyApp: "Watch app has no companion app."
        }
    }

    /// Why, for the codes that say so.
    fileprivate var reason: String? {
        switch self {
        case .sessionNotSupported: "This device cannot be paired with a watch."
        case .sessionMissingDelegate: "The delegate is nil."
        case .sessionNotActivated: "activate() has not been called."
        case .messageReplyTimedOut: "Reply timeout occurred."
        case .fileAccessDenied: "There is no such file, or it may not be read."
        case .insufficientSpace: "The receiving device has not enough space."
        case .sessionInactive: "The session is on its way to being deactivated."
        case .genericError, .deviceNotPaired, .watchAppNotInstalled, .notReachable, .invalidParameter, .payloadTooLarge,
            .payloadUnsupportedTypes, .messageReplyFailed, .deliveryFailed, .transferTimedOut,
            .companionAppNotInstalled, .watchOnlyApp:
            nil
        }
    }

    /// What can be done about it, for the codes that say so.
    fileprivate var wayOut: String? {
        switch self {
        case .sessionNotSupported: "Ask isSupported() first."
        case .sessionMissingDelegate: "Set a delegate."
        case .sessionNotActivated: "Activate the session."
        case .deviceNotPaired: "Pair the device with a watch."
        case .watchAppNotInstalled: "Install the watch app."
        case .invalidParameter: "Pass parameters of the right type."
        case .payloadTooLarge: "Send less at once."
        case .payloadUnsupportedTypes: "Send texts, numbers, dates, data, arrays and dictionaries of them."
        case .fileAccessDenied: "See to it that the file can be read."
        case .insufficientSpace: "Make room on the receiving device and try again."
        case .sessionInactive: "Wait until the session is deactivated, and activate it again."
        case .companionAppNotInstalled: "Install the phone app."
        case .genericError, .notReachable, .messageReplyFailed, .messageReplyTimedOut, .deliveryFailed,
            .transferTimedOut, .watchOnlyApp:
            nil
        }
    }
}
