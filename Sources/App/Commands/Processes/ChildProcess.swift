package import Foundation
import Platform

/// A process that this one started.
///
/// It is waited for from the beginning, so that it never becomes a zombie, and a signal never reaches another process
/// with the same number.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum End: Equatable, Sendable {
        /// By itself, with a status.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
    }

    private struct State {
        var end: End?
        var waiters: [CheckedContinuation<End, Never>] = []
    }

    /// Its number.
    package let processIdentifier: pid_t
    private let state = Lock(State())

    /// Starts a program.
    ///
    /// The child has the default action for every signal, whatever this process does with it, and inherits only the
    /// given files.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Its environment variables.
    ///   - files: The descriptors that become its standard input, output and error; nil for nothing.
    ///   - hasOwnGroup: Whether to protect it from signals of the terminal.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    package init(
        _ path: String, _ arguments: [String], environment: Environment,
        files: (input: Int32?, output: Int32?, error: Int32?), hasOwnGroup: Bool = true
    ) throws {
        processIdentifier = try Spawning.withoutSpawning {
            try spawn(
                path, [path] + arguments, environment.map { "\($0.key)=\($0.value)" }, files: files,
                hasOwnGroup: hasOwnGroup)
        }
        // A thread that only waits: the C library has no other method that works everywhere.
        Thread.detachNewThread { [self] in wait() }
    }

    /// How it ended; nil while it runs.
    package var end: End? { state.withLock(\.end) }

    /// Waits for its end.
    package func ended() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.waiters.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Sends a signal, unless it has ended.
    package func signal(_ number: Int32) {
        state.withLock { state in
            guard state.end == nil else { return }
            _ = Foundation.kill(processIdentifier, number)
        }
    }

    /// Asks it to end, and kills it if it does not end in time.
    ///
    /// - Returns: How it ended.
    @discardableResult
    package func stop(patience: Duration) async -> End {
        signal(SIGTERM)
        let deadline = Task { [self] in
            try await Task.sleep(for: patience)
            signal(SIGKILL)
        }
        let end = await ended()
        deadline.cancel()
        return end
    }

    private func wait() {
        // First without removing it, so that its number is not reused before the lock is held.
        var facts = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(processIdentifier), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (end, waiters) = state.withLock { state in
            var status: Int32 = 0
            while unsafe waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
            let end = status & 0x7F == 0 ? End.exited(status >> 8 & 0xFF) : End.signalled(status & 0x7F)
            state.end = end
            defer { state.waiters = [] }
            return (end, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: end) }
    }
}

extension ChildProcess.End: CustomStringConvertible {
    /// The end as text.
    package var description: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .signalled(let number): "was ended by signal \(number)"
        }
    }
}

/// Prevents descriptors that are being created from being inherited by children that are started at the same time.
package enum Spawning {
    private static let lock = Lock<Void>(())

    /// Calls a closure; meanwhile no child is started, except by the closure.
    package static func withoutSpawning<Result>(_ body: () throws -> Result) rethrows -> Result {
        try lock.withLock { _ in try body() }
    }
}

/// Starts a program with posix_spawn(3).
private func spawn(
    _ path: String, _ arguments: [String], _ environment: [String],
    files: (input: Int32?, output: Int32?, error: Int32?), hasOwnGroup: Bool
) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // Every call gets structures of this stack frame, which are valid longer than the call.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
    }
    for (place, file) in [files.input, files.output, files.error].enumerated() {
        if let file {
            unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
        }
    }
    #if os(Linux)
        // What a library opened without the flag to close it would keep a connection open as long as the child lives. No
        // descriptor is too many to close, also if it is not open.
        for descriptor in 3..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 4096)) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    #endif
    var defaults = sigset_t()
    var mask = sigset_t()
    unsafe sigfillset(&defaults)
    unsafe sigemptyset(&mask)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setsigmask(&attributes, &mask)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var identifier: pid_t = 0
    let number = unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(environment) { environment in
            unsafe posix_spawn(&identifier, path, &actions, &attributes, arguments, environment)
        }
    }
    guard number == 0 else { throw CommandFailure("cannot start \(path): \(SystemErrorText.of(number: number))") }
    return identifier
}

/// Passes texts as a C array with a null at the end, valid during the call.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe texts.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
    return unsafe pointers.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("a list with a null at its end has a start") }
        return unsafe body(start)
    }
}
