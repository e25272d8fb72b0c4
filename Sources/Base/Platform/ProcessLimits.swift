#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the system lets this process have.
public enum ProcessLimits {
    /// The number of files, connections among them, that may be open; 1024 if the system does not say it.
    public static var openFiles: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        // The call gets a structure of the type that it expects.
        guard unsafe getrlimit(kind, &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }
}
