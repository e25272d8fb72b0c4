#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Lets a thread sleep until it is signalled; a signal that comes before the wait is kept.
@safe
package final class Semaphore: Sendable {
    // The pointers are used only in pthread's own calls, which order all access to them and to `count`.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // As above.
    nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // As above: read and written only while the mutex is held.
    nonisolated(unsafe) private var count = 0

    package init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        unsafe count += 1
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        while unsafe count == 0 {
            unsafe pthread_cond_wait(condition, mutex)
        }
        unsafe count -= 1
        unsafe pthread_mutex_unlock(mutex)
    }
}
