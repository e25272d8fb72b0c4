@_exported public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the framework's errors.
public let WCErrorDomain: String = "WCErrorDomain"

/// An error of a session.
///
/// As on Apple's systems it is a value around an `NSError`: `error as? WCError`, `catch WCError.notReachable` and
/// `(error as NSError).code` all work. On Linux, a cast does not convert an `NSError` from elsewhere to a `WCError`;
/// use `init(_nsError:)`. Source: Apple's WatchConnectivity, `WCError`.
public struct WCError: _BridgedStoredNSError {
    /// The underlying error object.
    public let _nsError: NSError

    /// Wraps an error of the domain ``WCErrorDomain``; an error of another domain traps.
    public init(_nsError error: NSError) {
        precondition(error.domain == WCErrorDomain, "an error of \(error.domain) is not a WCError")
        _nsError = error
    }

    /// The domain of the framework's errors.
    public static var _nsErrorDomain: String { WCErrorDomain }

    /// Feeds domain and code.
    ///
    /// Foundation's own hash of an `NSError` recurses on Linux until the stack overflows.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// The kinds of errors.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that codes of this kind belong to.
        public typealias _ErrorType = WCError

        /// An unknown failure.
        case genericError = 7001
        /// This device cannot have a session.
        case sessionNotSupported = 7002
        /// The session has no delegate.
        case sessionMissingDelegate = 7003
        /// The session was not activated.
        case sessionNotActivated = 7004
        /// The phone has no paired watch.
        case deviceNotPaired = 7005
        /// The watch app is not on the active watch.
        case watchAppNotInstalled = 7006
        /// The counterpart is not reachable for live messages.
        case notReachable = 7007
        /// An argument is malformed.
        case invalidParameter = 7008
        /// The payload exceeds the limit.
        case payloadTooLarge = 7009
        /// The payload contains a value that a property list cannot contain.
        case payloadUnsupportedTypes = 7010
        /// The reply could not be returned.
        case messageReplyFailed = 7011
        /// The receiver did not reply in time.
        case messageReplyTimedOut = 7012
        /// A file cannot be read.
        case fileAccessDenied = 7013
        /// The payload could not be delivered.
        case deliveryFailed = 7014
        /// The receiver has no room.
        case insufficientSpace = 7015
        /// The session is inactive: a watch switch is in progress.
        case sessionInactive = 7016
        /// The transfer took too long.
        case transferTimedOut = 7017
        /// The phone app is not installed.
        case companionAppNotInstalled = 7018
        /// The watch app has no phone app by design.
        case watchOnlyApp = 7019
    }
}

// Short names of the codes, as in `catch WCError.notReachable`.
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
    /// An argument is malformed.
    public static var invalidParameter: Code { .invalidParameter }
    /// The payload exceeds the limit.
    public static var payloadTooLarge: Code { .payloadTooLarge }
    /// The payload contains a value that a property list cannot contain.
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
    /// Whether an error has this code; this makes `catch WCError.notReachable` match plain `NSError`s as well.
    ///
    /// On Apple's systems a cast turns such an `NSError` into a ``WCError``; on Linux that does not work.
    public static func ~= (code: WCError.Code, error: any Error) -> Bool {
        if let error = error as? WCError { return error.code == code }
        let error = error as NSError
        return error.domain == WCErrorDomain && error.code == code.rawValue
    }
}

extension WCError {
    /// Creates an error with the framework's texts.
    ///
    /// Details, such as the key path of an unsupported value, are in the user info under `NSDebugDescription`.
    init(_ code: Code, unsendablePath: String?) {
        var userInfo = [NSLocalizedDescriptionKey: code.text]
        userInfo[NSLocalizedFailureReasonErrorKey] = code.reason
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = code.wayOut
        userInfo["NSDebugDescription"] = unsendablePath
        self.init(_nsError: NSError(domain: WCErrorDomain, code: code.rawValue, userInfo: userInfo))
    }
}

extension WCError.Code {
    /// The description of the error; tests of clients compare with some of these.
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

    /// The failure reason, for the codes that have one.
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

    /// The recovery suggestion, for the codes that have one.
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
