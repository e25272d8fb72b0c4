/// An engine as a loop drives it: a value that takes inputs, produces outputs, and has a deadline for the next input.
///
/// After each ``handle(_:at:)``, drain ``nextOutput()`` until it returns nil.
package protocol SyncEngine: Sendable {
    associatedtype Input: EngineInput
    associatedtype Output: Sendable
    associatedtype Answer: Sendable

    mutating func handle(_ input: Input, at moment: Moment)
    mutating func nextOutput() -> Output?
    var nextDeadline: Instant? { get }
}

/// The inputs that every engine has.
package protocol EngineInput: Sendable {
    /// The process is about to stop.
    static var farewell: Self { get }
    /// A deadline has passed, or may have.
    static var timeReached: Self { get }
}

extension HubEngine: SyncEngine {}
extension HubEngine.Input: EngineInput {}
extension WatchEngine: SyncEngine {}
extension WatchEngine.Input: EngineInput {}
