internal import Foundation
import Platform

#if canImport(Glibc)
    internal import Glibc
#endif

/// Starts a program.
///
/// Foundation's `Process` would not do: it hands on the signal mask of the calling thread, and libdispatch blocks
/// nearly all signals on the threads of tasks, so that a broker would never see SIGTERM. The program gets an empty
/// mask, the default actions, and a process group of its own: Ctrl-C at the terminal is not for it. It inherits no
/// descriptor but three: Swift Testing, for one, waits on threads of tasks until nobody holds the end of a pipe.
///
/// - Parameters:
///   - path: The program.
///   - arguments: Its arguments, without its name.
///   - files: Its standard input, output and error.
/// - Returns: Its process, whose end must be waited for with ``waitForEnd(of:)``.
/// - Throws: The system's error, such as `POSIXError.ENOENT`.
func spawn(_ path: String, _ arguments: [String], files: (input: Int32, output: Int32, error: Int32)) throws -> pid_t {
    #if canImport(Glibc)
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
    #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
    #endif
    // These fail for a lack of memory only; all of them work on the variables above, which outlive the calls.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
    }
    for (place, file) in [files.input, files.output, files.error].enumerated() {
        unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
    }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    #if canImport(Glibc)
        // No descriptor is too many to close, also if it is not open.
        for descriptor in 3..<min(4096, descriptorLimit) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    #else
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var process: pid_t = 0
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let result = unsafe withCStrings([path] + arguments) { arguments in
        unsafe withCStrings(environment) { environment in
            unsafe posix_spawn(&process, path, &actions, &attributes, arguments, environment)
        }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
    return process
}

/// Waits until the program has ended; once for each.
///
/// - Returns: Its exit status; minus the signal that ended it, if one did.
func waitForEnd(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
}

/// Opens a pipe.
func openPipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw lastSystemError() }
    for end in ends { closeOnExec(end) }
    return (ends[0], ends[1])
}

/// Keeps programs that others start from inheriting the descriptor; ``spawn(_:_:files:)`` hands on none anyway.
func closeOnExec(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

#if canImport(Glibc)
    /// The number below which the system gives out descriptors.
    private var descriptorLimit: Int32 {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int32(clamping: limit.rlim_cur)
    }
#endif

/// Lends texts as C wants lists of them, with a null at the end.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
    return unsafe pointers.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("a list with a null at its end has a start") }
        return unsafe body(start)
    }
}
