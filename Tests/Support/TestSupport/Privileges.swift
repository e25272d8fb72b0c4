internal import Foundation

/// A user who owns nothing, by the custom of most systems.
public let unprivilegedUser: UInt32 = 65534

/// Makes this process an ordinary one, for which permissions count; only for the child of an exit test.
public func giveUpPrivileges() {
    guard geteuid() == 0 else { return }
    precondition(setgid(unprivilegedUser) == 0 && setuid(unprivilegedUser) == 0, "errno \(errno)")
}

/// Lets no file of this process grow beyond a size, as a full disk does; only for the child of an exit test.
public func limitFileSize(to byteCount: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    #if canImport(Glibc)
        let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        let kind = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    precondition(unsafe getrlimit(kind, &limit) == 0)
    limit.rlim_cur = rlim_t(byteCount)
    precondition(unsafe setrlimit(kind, &limit) == 0, "errno \(errno)")
}
