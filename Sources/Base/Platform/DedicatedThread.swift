internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A thread of the operating system, for work that blocks; to be joined or detached exactly once.
package struct DedicatedThread {
    /// Identifies a thread for as long as the process runs; the system gives the numbers of ended threads to new ones.
    package struct ID: Equatable, Sendable {
        fileprivate let number: UInt

        fileprivate static func next() -> ID {
            ID(number: counter.add(1, ordering: .relaxed).newValue)
        }

        private static let counter = Atomic<UInt>(0)
    }

    /// The system's identifier of the thread, as a number that is only passed back to it.
    private let number: UInt

    /// Starts a thread that runs `body` and ends with it.
    ///
    /// - Throws: `Errno`, if the system has no threads left.
    package init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
        let work = unsafe Unmanaged.passRetained(ThreadWork(body))
        #if canImport(Glibc)
            var thread: pthread_t = 0
            let result = unsafe pthread_create(&thread, nil, { unsafe doWork($0) }, work.toOpaque())
            number = thread
        #else
            var thread: pthread_t?
            let result = unsafe pthread_create(&thread, nil, { unsafe doWork($0) }, work.toOpaque())
            number = UInt(bitPattern: unsafe thread)
        #endif
        guard result == 0 else {
            // There is no thread that could take it over.
            unsafe work.release()
            throw Errno(rawValue: result)
        }
    }

    /// Starts a thread without waiting for its end.
    ///
    /// The process ends if the system has no threads left: the work could never be done.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        do {
            try DedicatedThread(body).detach()
        } catch {
            preconditionFailure("the system gave no thread: \(error)")
        }
    }

    /// The identifier of the calling thread; nil if it is not one of these.
    package static var current: ID? {
        // Only numbers are kept there, no addresses.
        let number = UInt(bitPattern: unsafe pthread_getspecific(key))
        return number == 0 ? nil : ID(number: number)
    }

    /// Waits until the thread has ended.
    package func join() {
        #if canImport(Glibc)
            let result = pthread_join(number, nil)
        #else
            let result = unsafe pthread_t(bitPattern: number).map { unsafe pthread_join($0, nil) } ?? ESRCH
        #endif
        // It fails only for a thread that was joined or detached before, or for the calling one.
        precondition(result == 0, "pthread_join failed (\(result))")
    }

    /// Detaches the thread, which then ends by itself.
    package func detach() {
        #if canImport(Glibc)
            let result = pthread_detach(number)
        #else
            let result = unsafe pthread_t(bitPattern: number).map { unsafe pthread_detach($0) } ?? ESRCH
        #endif
        precondition(result == 0, "pthread_detach failed (\(result))")
    }

    /// The key under which each thread stores its number.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key, nil)
        precondition(result == 0, "pthread_key_create failed (\(result))")
        return key
    }()

    /// Assigns the number to the calling thread, until it ends.
    fileprivate static func adopt(_ id: ID) {
        let result = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: id.number))
        precondition(result == 0, "pthread_setspecific failed (\(result))")
    }
}

private final class ThreadWork: Sendable {
    let id = DedicatedThread.ID.next()
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// The start routine of the thread; it takes over the ownership of the work.
private func doWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { preconditionFailure("a thread was started without its work") }
    let work = unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue()
    DedicatedThread.adopt(work.id)
    work.body()
    return nil
}

/// Blocks this thread for a time.
package func blockThread(for duration: Duration) {
    let parts = duration.components
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    // A signal may end it early, which does no harm where it is used.
    _ = unsafe nanosleep(&time, nil)
}
