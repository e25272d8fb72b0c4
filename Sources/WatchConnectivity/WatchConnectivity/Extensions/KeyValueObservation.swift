// Foundation on Linux has nothing of key-value observing (trap T1). On Apple's systems it has all of this.
#if !canImport(ObjectiveC)
    public import Foundation
    import Synchronization

    /// What an observer wants to be told.
    public struct NSKeyValueObservingOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt

        /// Creates options of bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The new value.
        public static let new = NSKeyValueObservingOptions(rawValue: 0x01)
        /// The value before.
        public static let old = NSKeyValueObservingOptions(rawValue: 0x02)
        /// A first call at once, with the value as it is.
        public static let initial = NSKeyValueObservingOptions(rawValue: 0x04)
        /// A call of its own ahead of the one that tells of the change; here both come after it.
        public static let prior = NSKeyValueObservingOptions(rawValue: 0x08)
    }

    /// How a property changed.
    public enum NSKeyValueChange: UInt, Sendable {
        /// It has another value; the only way here.
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
        /// The value now, if the observer wants it.
        public let newValue: Value?
        /// The value before, if the observer wants it.
        public let oldValue: Value?
        /// Which elements changed; never here.
        public let indexes: IndexSet?
        /// Whether this is the call ahead of the one that tells of the change.
        public let isPrior: Bool
    }

    /// An observation, which lasts as long as somebody holds this.
    public final class NSKeyValueObservation: NSObject, Sendable {
        private let ending: Mutex<(@Sendable () -> Void)?>

        init(_ end: @escaping @Sendable () -> Void) {
            ending = Mutex(end)
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
