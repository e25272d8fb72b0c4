internal import Synchronization

/// A lookup of a name on a thread of its own, because it can be neither interrupted nor limited in time.
///
/// Who loses interest lets go of this object; the thread ends when the system gives up.
final class PendingLookup: Sendable {
    private let outcome = Mutex<Result<[NumericAddress], NameLookup.Failure>?>(nil)

    /// Starts the lookup.
    ///
    /// - Parameters:
    ///   - host: The name.
    ///   - lookup: How to find its addresses.
    ///   - wake: Raised when the result is there.
    /// - Throws: ``MQTTError/systemCall(function:_:)`` when there is no thread to be had.
    init(of host: String, by lookup: NameLookup, wake: WakeSignal) throws(MQTTError) {
        let thread = try NetworkThread { [self] in
            let result = lookup.addresses(host)
            outcome.withLock { $0 = result }
            wake.raise()
        }
        thread.detach()
    }

    /// The addresses or the failure; nil while the lookup runs.
    var result: Result<[NumericAddress], NameLookup.Failure>? { outcome.withLock { $0 } }
}
