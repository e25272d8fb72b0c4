#if !canImport(ObjectiveC)
    public import Foundation

    /// An object whose properties can be observed, as those of every `NSObject` on Apple's systems.
    ///
    /// Here these are sessions, transfers, and progress objects. For a `Progress` that is not a file transfer's own,
    /// changes are reported when a transfer makes progress: those of a progress that contains transfers.
    public protocol KeyValueObservable: NSObject {}

    extension WCSession: KeyValueObservable {}
    extension WCSessionUserInfoTransfer: KeyValueObservable {}
    extension WCSessionFileTransfer: KeyValueObservable {}
    extension Progress: KeyValueObservable {}

    extension KeyValueObservable {
        /// Calls a handler for every change of a property, for as long as the result is held.
        ///
        /// With the option `initial` it calls the handler at once, on the caller's thread. Later calls come on the
        /// session's queue, before the delegate is notified of the same change.
        @preconcurrency
        public func observe<Value>(
            _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            let observation = KeyPathObservation(self, keyPath, options, changeHandler)
            let table = (self as? any ObservationKeeping)?.observationBook
            let end = table?.add(observation)
            observation.begin()
            return NSKeyValueObservation { end?() }
        }
    }
#endif
