#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A thread for work that blocks, such as a poll loop or disk access.
enum DedicatedThread {
    /// Starts a thread that runs `body` and ends with it.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Body(run: body))
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let result = unsafe pthread_create(&thread, &attributes, threadMain, box.toOpaque())
        unsafe pthread_attr_destroy(&attributes)
        precondition(result == 0, "the system gave no thread: error \(result)")
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

#if canImport(Glibc)
    private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<DedicatedThread.Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
#else
    private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe Unmanaged<DedicatedThread.Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
#endif
