internal import CZeroMQ

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The result of a libzmq call that did not fail.
enum Outcome: Equatable {
    /// The call succeeded; with the function's result, which is never negative.
    case done(Int32)
    /// The call would have to wait (EAGAIN).
    case wouldBlock
    /// There is no connection to that peer (EHOSTUNREACH).
    case unroutable
}

/// Calls a libzmq function; no other code reads libzmq's error numbers.
///
/// An interrupted call is repeated. An invalid handle, or lack of memory, traps.
@inline(__always)
func outcome(
    of function: StaticString, on subject: @autoclosure () -> String, _ call: () -> Int32
) throws(ZeroMQError) -> Outcome {
    while true {
        let result = call()
        if result >= 0 { return .done(result) }
        let number = zmq_errno()
        switch number {
        case EINTR: continue
        case EAGAIN: return .wouldBlock
        case EHOSTUNREACH: return .unroutable
        default: throw failure(of: function, on: subject(), number)
        }
    }
}

/// Calls a libzmq function that neither waits nor routes, and returns its result.
@discardableResult
func perform(
    _ function: StaticString, on subject: @autoclosure () -> String, _ call: () -> Int32
) throws(ZeroMQError) -> Int32 {
    switch try outcome(of: function, on: subject(), call) {
    case .done(let result): return result
    case .wouldBlock: throw failure(of: function, on: subject(), EAGAIN)
    case .unroutable: throw failure(of: function, on: subject(), EHOSTUNREACH)
    }
}

/// The error for an error number.
func failure(of function: StaticString, on subject: String, _ number: Int32) -> ZeroMQError {
    let call = FailedCall(function: "\(function)", subject: subject, number: number)
    switch number {
    case ENOTSOCK, EFAULT, EBADF: preconditionFailure("\(function) failed on \(call)")
    case czeromq_eterm: return .contextTerminated
    case EADDRINUSE: return .addressInUse(call)
    case EADDRNOTAVAIL, ENODEV: return .addressNotAvailable(call)
    case EACCES, EPERM: return .permissionDenied(call)
    case ENOENT, ENOTDIR: return .notFound(call)
    case EMFILE, ENFILE: return .tooManySockets(call)
    case EINVAL: return .invalidArgument(call)
    case czeromq_efsm: return .outOfTurn(call)
    case ENOTSUP, EPROTONOSUPPORT: return .notSupported(call)
    default: return .other(call)
    }
}

extension FailedCall: CustomStringConvertible {
    /// The subject, and libzmq's message for the number; the name of the function means nothing to most readers.
    public var description: String { "\(subject): \(reason)" }

    /// libzmq's message for the number.
    var reason: String {
        // libzmq returns a constant, or the thread's own buffer, which is copied at once.
        unsafe String(cString: zmq_strerror(number))
    }
}
