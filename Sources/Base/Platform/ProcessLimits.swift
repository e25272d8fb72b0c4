#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the system lets this process have.
public enum ProcessLimits {
    /// The number of files, connections among them, that may be open; 1024 if the system does not say it.
    public static var openFiles: Int { Int(clamping: openFileLimit.rlim_cur) }

    /// Allows this process a number of open files, if it is not allowed as many.
    ///
    /// - Returns: The number that may be open now; less than `count` if the system does not allow so many.
    public static func raiseOpenFiles(to count: Int) -> Int {
        var limit = openFileLimit
        guard limit.rlim_cur < rlim_t(count) else { return Int(clamping: limit.rlim_cur) }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        // The call gets a structure of the type that it expects.
        _ = unsafe setrlimit(openFileKind, &limit)
        return openFiles
    }

    #if canImport(Glibc)
        private static let openFileKind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFileKind = RLIMIT_NOFILE
    #endif

    private static var openFileLimit: rlimit {
        var limit = rlimit()
        // The call gets a structure of the type that it expects.
        return unsafe getrlimit(openFileKind, &limit) == 0 ? limit : rlimit(rlim_cur: 1024, rlim_max: 1024)
    }
}
