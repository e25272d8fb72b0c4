internal import Platform

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Listens for notifications on a connection of its own, and connects again when that breaks.
///
/// A notification may be lost while there is no connection, so it only wakes: the reader also looks whenever the connection
/// is new, and at times without any.
package final class Notifications: Sendable {
    private let string: String
    private let stopSignal: WakePipe
    private let isStopped = Lock(false)

    /// Prepares a listener.
    ///
    /// - Parameter string: A connection string or address of libpq.
    /// - Throws: `Errno`, if the process has no descriptors left.
    package init(_ string: String) throws {
        self.string = string
        stopSignal = try WakePipe()
    }

    /// Listens until the task is cancelled; call it once.
    ///
    /// - Parameters:
    ///   - statement: The statement that begins it, such as `LISTEN changes`.
    ///   - onTrouble: Called with the reason whenever there is no connection, on the listener's thread.
    ///   - onWake: Called after notifications and after each connect, on the listener's thread.
    /// - Throws: Nothing but what ends the thread; a connection that breaks is made again.
    package func run(
        _ statement: StaticString, onTrouble: @escaping @Sendable (PostgresError) -> Void,
        onWake: @escaping @Sendable () -> Void
    ) async throws {
        try await runOnThread(stop: { [self] in
            isStopped.withLock { $0 = true }
            stopSignal.raise()
        }) { [self] in
            var pause: Int32 = 50
            while !isStopped.withLock(\.self) {
                do throws(PostgresError) {
                    let connection = try Connection(string)
                    try connection.execute(statement)
                    pause = 50
                    onWake()
                    while !isStopped.withLock(\.self) {
                        wait(for: connection.socket, milliseconds: -1)
                        if try connection.takeNotifications() { onWake() }
                    }
                } catch {
                    guard !isStopped.withLock(\.self) else { break }
                    onTrouble(error)
                    wait(for: -1, milliseconds: pause)
                    pause = min(pause * 2, 1000)
                }
            }
        }
    }

    /// Waits for input, for the end, or for some time; without a limit if it is negative.
    private func wait(for socket: Int32, milliseconds: Int32) {
        var files = [
            pollfd(fd: stopSignal.fileDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        // A negative descriptor is skipped; whatever ends the wait, the caller looks again.
        _ = unsafe poll(&files, nfds_t(files.count), milliseconds)
    }
}
