package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Errno {
    /// The error that the calling thread's last system call left.
    package static var last: Errno { Errno(rawValue: errno) }
}
