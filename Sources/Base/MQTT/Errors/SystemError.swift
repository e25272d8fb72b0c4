#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An error number of the operating system, an `errno`.
public struct SystemError: RawRepresentable, Hashable, Sendable {
    /// The number; it differs from system to system.
    public let rawValue: Int32

    /// Creates a system error.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Nothing listens at that address.
    public static let connectionRefused = SystemError(rawValue: ECONNREFUSED)
    /// The other end reset the connection.
    public static let connectionReset = SystemError(rawValue: ECONNRESET)

    /// The other end does not keep to a protocol.
    static let protocolError = SystemError(rawValue: EPROTO)

    /// There was no answer in time.
    static let timedOut = SystemError(rawValue: ETIMEDOUT)

    /// The error that the calling thread's last system call left.
    static var last: SystemError { SystemError(rawValue: errno) }

    /// The words for the number, if it is not an `errno` but one of `getaddrinfo`, which libmosquitto leaves there.
    // The system returns a constant text.
    var asLookupFailure: String { unsafe String(cString: gai_strerror(rawValue)) }
}

extension SystemError: CustomStringConvertible {
    /// The system's words, such as `Connection refused`.
    public var description: String {
        var text = [CChar](repeating: 0, count: 256)
        // strerror_r, because strerror may write into a buffer that all threads share. A text that does not fit, or a
        // number without one, leaves what there is.
        _ = unsafe strerror_r(rawValue, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
