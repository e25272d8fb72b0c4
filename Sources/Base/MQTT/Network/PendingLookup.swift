internal import Platform

/// A name lookup on a separate thread, because it can neither be interrupted nor limited in time.
///
/// To give up on the result, release this object; the thread ends when the system gives up.
final class PendingLookup: Sendable {
    private let outcome = Lock<Result<[NumericAddress], NameLookup.Failure>?>(nil)

    /// Starts the lookup.
    ///
    /// - Parameters:
    ///   - host: The name.
    ///   - lookup: The lookup function.
    ///   - wake: Raised when the result is available.
    /// - Throws: ``MQTTError/systemCall(function:_:)`` when no thread can be created.
    init(of host: String, by lookup: NameLookup, wake: WakePipe) throws(MQTTError) {
        let thread = try startThread { [self] in
            let result = lookup.addresses(host)
            outcome.withLock { $0 = result }
            wake.raise()
        }
        thread.detach()
    }

    /// The addresses or the failure; nil while the lookup runs.
    var result: Result<[NumericAddress], NameLookup.Failure>? { outcome.withLock { $0 } }
}

/// Starts a thread.
///
/// - Throws: ``MQTTError/systemCall(function:_:)`` when the system has none left.
func startThread(_ body: @escaping @Sendable () -> Void) throws(MQTTError) -> DedicatedThread {
    do {
        return try DedicatedThread(body)
    } catch {
        throw .systemCall(function: "pthread_create", error)
    }
}
