import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension ZeroMQError {
    /// Whether the process or the system had no room for another socket; this is temporary.
    var isShortage: Bool {
        switch self {
        case .tooManySockets: true
        case .other(let call): call.number == ENOMEM || call.number == ENOBUFS
        case .contextTerminated, .addressInUse, .addressNotAvailable, .permissionDenied, .notFound, .invalidArgument,
            .outOfTurn, .notSupported:
            false
        }
    }
}
