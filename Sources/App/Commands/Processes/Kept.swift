import Platform

/// A value that a task finds.
package final class Kept<Value: Sendable>: Sendable {
    private let kept = Lock<Value?>(nil)

    /// Nothing is found yet.
    package init() {}

    /// The value; nil until it is found.
    package var value: Value? {
        get { kept.withLock(\.self) }
        set { kept.withLock { $0 = newValue } }
    }
}
