/// An engine as a loop drives it: a value that takes inputs, gives outputs, and says when it wants to be asked again.
///
/// After each ``handle(_:at:)`` the outputs are drained by ``nextOutput()`` until it gives nil.
package protocol SyncEngine: Sendable {
    associatedtype Input: EngineInput
    associatedtype Output: Sendable
    associatedtype Answer: Sendable

    mutating func handle(_ input: Input, at moment: Moment)
    mutating func nextOutput() -> Output?
    var nextDeadline: Instant? { get }
}

/// What every engine is told.
package protocol EngineInput: Sendable {
    /// The process is about to end.
    static var farewell: Self { get }
    /// A deadline has come, or may have.
    static var timeReached: Self { get }
}

extension HubEngine: SyncEngine {}
extension HubEngine.Input: EngineInput {}
extension WatchEngine: SyncEngine {}
extension WatchEngine.Input: EngineInput {}
