internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An identifier of a ``NetworkThread`` that is never reused; the system reuses its own identifiers.
struct ThreadIdentity: Equatable, Sendable {
    fileprivate let number: UInt

    /// A new identifier.
    fileprivate static func next() -> ThreadIdentity {
        ThreadIdentity(number: counter.add(1, ordering: .relaxed).newValue)
    }

    /// The identifier of the calling thread; nil if this module did not create the thread.
    static var current: ThreadIdentity? {
        // The value is a number, not an address.
        let number = UInt(bitPattern: unsafe pthread_getspecific(key))
        return number == 0 ? nil : ThreadIdentity(number: number)
    }

    /// Assigns this identifier to the calling thread, until it ends.
    fileprivate func adopt() {
        let result = unsafe pthread_setspecific(Self.key, UnsafeRawPointer(bitPattern: number))
        precondition(result == 0, "pthread_setspecific failed (\(result))")
    }

    private static let counter = Atomic<UInt>(0)

    /// The key under which each thread stores its number.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key, nil)
        precondition(result == 0, "pthread_key_create failed (\(result))")
        return key
    }()
}

/// A thread of the operating system, to be joined or detached exactly once.
struct NetworkThread {
    /// The system's identifier of the thread, as a number that is only passed back to it.
    private let number: UInt

    /// Starts a thread.
    ///
    /// - Throws: ``MQTTError/systemCall(function:_:)`` when no thread can be created.
    init(_ body: @escaping @Sendable () -> Void) throws(MQTTError) {
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
            // There is no thread that could take over the ownership.
            unsafe work.release()
            throw .systemCall(function: "pthread_create", SystemError(rawValue: result))
        }
    }

    /// Waits until the thread has ended.
    func join() {
        #if canImport(Glibc)
            let result = pthread_join(number, nil)
        #else
            let result = unsafe pthread_t(bitPattern: number).map { unsafe pthread_join($0, nil) } ?? ESRCH
        #endif
        // It fails only for a thread that was joined or detached before, or for the calling one.
        precondition(result == 0, "pthread_join failed (\(result))")
    }

    /// Detaches the thread, which then ends by itself.
    func detach() {
        #if canImport(Glibc)
            let result = pthread_detach(number)
        #else
            let result = unsafe pthread_t(bitPattern: number).map { unsafe pthread_detach($0) } ?? ESRCH
        #endif
        precondition(result == 0, "pthread_detach failed (\(result))")
    }
}

private final class ThreadWork: Sendable {
    let identity = ThreadIdentity.next()
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// The start routine of the thread; it takes over the ownership of the work.
private func doWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { preconditionFailure("a thread was started without its work") }
    let work = unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue()
    work.identity.adopt()
    work.body()
    return nil
}
