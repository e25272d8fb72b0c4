import Foundation

// The codes by their short names, as in `catch WCError.notReachable`.
extension WCError {
    /// An unknown failure.
    public static var genericError: Code { .genericError }
    /// This device cannot have a session.
    public static var sessionNotSupported: Code { .sessionNotSupported }
    /// The session has no delegate.
    public static var sessionMissingDelegate: Code { .sessionMissingDelegate }
    /// The session was not activated.
    public static var sessionNotActivated: Code { .sessionNotActivated }
    /// The phone has no paired watch.
    public static var deviceNotPaired: Code { .deviceNotPaired }
    /// The watch app is not on the active watch.
    public static var watchAppNotInstalled: Code { .watchAppNotInstalled }
    /// The counterpart is not reachable for live messages.
    public static var notReachable: Code { .notReachable }
    /// An argument is of the wrong form.
    public static var invalidParameter: Code { .invalidParameter }
    /// The payload is over the limit.
    public static var payloadTooLarge: Code { .payloadTooLarge }
    /// The payload holds what a property list cannot.
    public static var payloadUnsupportedTypes: Code { .payloadUnsupportedTypes }
    /// The reply could not be returned.
    public static var messageReplyFailed: Code { .messageReplyFailed }
    /// The receiver did not reply in time.
    public static var messageReplyTimedOut: Code { .messageReplyTimedOut }
    /// A file cannot be read.
    public static var fileAccessDenied: Code { .fileAccessDenied }
    /// The payload could not be delivered.
    public static var deliveryFailed: Code { .deliveryFailed }
    /// The receiver has no room.
    public static var insufficientSpace: Code { .insufficientSpace }
    /// The session is inactive: a watch switch is in progress.
    public static var sessionInactive: Code { .sessionInactive }
    /// The transfer took too long.
    public static var transferTimedOut: Code { .transferTimedOut }
    /// The phone app is not installed.
    public static var companionAppNotInstalled: Code { .companionAppNotInstalled }
    /// The watch app has no phone app by design.
    public static var watchOnlyApp: Code { .watchOnlyApp }
}

extension WCError.Code {
    /// Whether an error is of this code, so that `catch WCError.notReachable` takes bare `NSError`s too.
    ///
    /// Apple's systems turn such an `NSError` into a ``WCError`` by a cast, which Linux cannot (trap T8).
    public static func ~= (code: WCError.Code, error: any Error) -> Bool {
        if let error = error as? WCError { return error.code == code }
        let error = error as NSError
        return error.domain == WCErrorDomain && error.code == code.rawValue
    }
}
