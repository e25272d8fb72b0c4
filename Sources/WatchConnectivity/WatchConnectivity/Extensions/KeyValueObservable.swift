#if !canImport(ObjectiveC)
    public import Foundation

    /// An object whose properties can be observed, as every `NSObject`'s on Apple's systems.
    ///
    /// Here they are sessions, transfers, and the progress of transferred files. Of another `Progress` only the first
    /// value is told.
    public protocol KeyValueObservable: NSObject {}

    extension WCSession: KeyValueObservable {}
    extension WCSessionUserInfoTransfer: KeyValueObservable {}
    extension WCSessionFileTransfer: KeyValueObservable {}
    extension Progress: KeyValueObservable {}

    extension KeyValueObservable {
        /// Calls a handler with every change of a property, for as long as the result is held.
        ///
        /// With the option `initial` it is called at once, on the caller's thread; after that on the session's queue,
        /// before the delegate is told of the same change (rule R34).
        @preconcurrency
        public func observe<Value>(
            _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            let observation = KeyPathObservation(self, keyPath, options, changeHandler)
            let book = (self as? any ObservationKeeping)?.observationBook
            let end = book?.add(observation)
            observation.begin()
            return NSKeyValueObservation { end?() }
        }
    }
#endif
