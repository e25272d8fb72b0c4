#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An error number (`errno`) of the operating system.
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

    /// The other end violated a protocol.
    static let protocolError = SystemError(rawValue: EPROTO)

    /// There was no answer in time.
    static let timedOut = SystemError(rawValue: ETIMEDOUT)

    /// The error of the calling thread's last system call.
    static var last: SystemError { SystemError(rawValue: errno) }

    /// The message for the number, if it is not an `errno` but an error of `getaddrinfo`, which libmosquitto stores
    /// there.
    // The system returns a constant text.
    var asLookupFailure: String { unsafe String(cString: gai_strerror(rawValue)) }
}

extension SystemError: CustomStringConvertible {
    /// The system's message, such as `Connection refused`.
    public var description: String {
        var text = [CChar](repeating: 0, count: 256)
        // strerror_r is used because strerror may write to a buffer that all threads share. If the text does not fit,
        // or the number has none, the buffer contains what there is.
        _ = unsafe strerror_r(rawValue, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
