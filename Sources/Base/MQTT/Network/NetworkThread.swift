internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A name of a ``NetworkThread`` that no other thread ever gets; the system's own names are used again.
struct ThreadIdentity: Equatable, Sendable {
    fileprivate let number: UInt

    /// A name that was not there before.
    fileprivate static func next() -> ThreadIdentity {
        ThreadIdentity(number: counter.add(1, ordering: .relaxed).newValue)
    }

    /// The calling thread; nil if it is not one of this module's.
    static var current: ThreadIdentity? {
        // Only numbers are kept there, no addresses.
        let number = UInt(bitPattern: unsafe pthread_getspecific(key))
        return number == 0 ? nil : ThreadIdentity(number: number)
    }

    /// Names the calling thread, until its very end.
    fileprivate func adopt() {
        let result = unsafe pthread_setspecific(Self.key, UnsafeRawPointer(bitPattern: number))
        precondition(result == 0, "pthread_setspecific failed (\(result))")
    }

    private static let counter = Atomic<UInt>(0)

    /// Where each thread keeps its number.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key, nil)
        precondition(result == 0, "pthread_key_create failed (\(result))")
        return key
    }()
}

/// A thread of the operating system, to be joined or detached exactly once.
struct NetworkThread {
    /// The system's name of the thread, as a number that is only handed back to it.
    private let number: UInt

    /// Starts a thread.
    ///
    /// - Throws: ``MQTTError/systemCall(function:_:)`` when the system has none left.
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
            // There is no thread that could take it over.
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

    /// Lets the thread end by itself.
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

/// What the new thread does first; it takes the work over from the thread that started it.
private func doWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { preconditionFailure("a thread was started without its work") }
    let work = unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue()
    work.identity.adopt()
    work.body()
    return nil
}
