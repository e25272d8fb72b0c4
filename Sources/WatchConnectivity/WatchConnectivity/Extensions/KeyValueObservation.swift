// Foundation on Linux has no key-value observing. On Apple's systems, Foundation has all of this.
#if !canImport(ObjectiveC)
    public import Foundation
    import Platform

    /// Which calls and which values an observer wants.
    public struct NSKeyValueObservingOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt

        /// Creates options from bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The new value.
        public static let new = NSKeyValueObservingOptions(rawValue: 0x01)
        /// The previous value.
        public static let old = NSKeyValueObservingOptions(rawValue: 0x02)
        /// An additional first call at once, with the present value.
        public static let initial = NSKeyValueObservingOptions(rawValue: 0x04)
        /// An additional call before the one that reports the change; here both come after the change.
        public static let prior = NSKeyValueObservingOptions(rawValue: 0x08)
    }

    /// How a property changed.
    public enum NSKeyValueChange: UInt, Sendable {
        /// It has another value; the only kind that occurs here.
        case setting = 1
        /// Elements were inserted.
        case insertion = 2
        /// Elements were removed.
        case removal = 3
        /// Elements were replaced.
        case replacement = 4
    }

    /// A change of a property.
    public struct NSKeyValueObservedChange<Value> {
        /// How a property changed.
        public typealias Kind = NSKeyValueChange

        /// How it changed.
        public let kind: Kind
        /// The new value, if the observer wants it.
        public let newValue: Value?
        /// The previous value, if the observer wants it.
        public let oldValue: Value?
        /// The elements that changed; always nil here.
        public let indexes: IndexSet?
        /// Whether this is the call before the one that reports the change.
        public let isPrior: Bool
    }

    /// An observation; it lasts as long as this object exists.
    public final class NSKeyValueObservation: NSObject, Sendable {
        private let ending: Lock<(@Sendable () -> Void)?>

        init(_ end: @escaping @Sendable () -> Void) {
            ending = Lock(end)
            super.init()
        }

        deinit { invalidate() }

        /// Ends the observation.
        public func invalidate() {
            let end = ending.withLock { ending in
                defer { ending = nil }
                return ending
            }
            end?()
        }
    }
#endif
