#if PTHREAD_LOCKS
    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif
#else
    public import Synchronization
#endif

/// A value that one thread at a time may use.
///
/// It is the standard library's `Mutex`. Built with `-D PTHREAD_LOCKS` it is a mutex of the C library instead: the
/// thread sanitizer understands that one, and reports races in the other where there are none.
///
/// Use it like `Mutex`; the lock is not recursive. It is public, since the compiler does not specialize
/// `@inlinable package` functions for other modules.
public struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    #if PTHREAD_LOCKS
        private let box: PthreadLocked<Value>
    #else
        @usableFromInline let mutex: Mutex<Value>
    #endif

    #if PTHREAD_LOCKS
        /// Creates a lock with the value that it protects.
        public init(_ value: consuming sending Value) {
            box = PthreadLocked(value)
        }

        /// Waits until no other thread uses the value, and lets `body` use it.
        ///
        /// - Throws: What `body` throws; the value stays as `body` left it.
        public borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try box.withLock(body)
        }
    #else
        /// Creates a lock with the value that it protects.
        @inlinable public init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        /// Waits until no other thread uses the value, and lets `body` use it.
        ///
        /// - Throws: What `body` throws; the value stays as `body` left it.
        @inlinable public borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    #endif
}

#if PTHREAD_LOCKS
    @safe
    // The value is used only while the mutex is held.
    private final class PthreadLocked<Value: ~Copyable>: @unchecked Sendable {
        // It is only used through pthread's own calls.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        // In memory of its own: as a field, an empty value would have the address of whatever follows this object, and the
        // sanitizer would take two locks of nothing for one place that both change.
        private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ value: consuming sending Value) {
            unsafe self.value.initialize(to: value)
            unsafe mutex.initialize(to: pthread_mutex_t())
            unsafe pthread_mutex_init(mutex, nil)
        }

        deinit {
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deallocate()
        }

        func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            unsafe pthread_mutex_lock(mutex)
            defer { unsafe pthread_mutex_unlock(mutex) }
            return try unsafe body(&value.pointee)
        }
    }
#endif
