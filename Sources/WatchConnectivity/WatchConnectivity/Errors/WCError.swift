@_exported public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the framework's errors.
public let WCErrorDomain: String = "WCErrorDomain"

/// An error of a session.
///
/// As on Apple's systems it is a value over an `NSError`: `error as? WCError`, `catch WCError.notReachable` and
/// `(error as NSError).code` all work. On Linux an `NSError` that somebody else made does not become a `WCError` by a
/// cast; use `init(_nsError:)`.
/// Source: Apple's WatchConnectivity, `WCError` (rules R152 and R154).
public struct WCError: _BridgedStoredNSError {
    /// The error as Objective-C would see it.
    public let _nsError: NSError

    /// Takes over an error of the domain ``WCErrorDomain``; another domain traps.
    public init(_nsError error: NSError) {
        precondition(error.domain == WCErrorDomain, "an error of \(error.domain) is no WCError")
        _nsError = error
    }

    /// The domain of the framework's errors.
    public static var _nsErrorDomain: String { WCErrorDomain }

    /// Feeds domain and code.
    ///
    /// Foundation's own hash of an `NSError` on Linux recurses until the stack overflows.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// What went wrong.
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
        /// An argument is of the wrong form.
        case invalidParameter = 7008
        /// The payload is over the limit.
        case payloadTooLarge = 7009
        /// The payload holds what a property list cannot.
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
