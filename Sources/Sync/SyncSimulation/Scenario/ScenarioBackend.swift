/// Where a scenario runs: in virtual time, or on real processes.
///
/// Its functions are called one after the other.
public protocol ScenarioBackend {
    /// Performs a step that is not an expectation; returns when it has taken effect at the device that performs it.
    ///
    /// - Throws: ``ScenarioFailure`` if it cannot be performed, or has another outcome than the step says.
    mutating func perform(_ action: ScenarioAction) async throws

    /// What can be seen of a device now.
    mutating func observation(of device: String) async throws -> DeviceObservation

    /// Lets time pass until something may have changed.
    ///
    /// - Parameter remaining: The time that is left.
    /// - Returns: The time that passed; zero if nothing can change any more.
    /// - Throws: What keeps the backend from continuing.
    mutating func pass(atMost remaining: Duration) async throws -> Duration

    /// The time limit for something that a scenario expects within a time.
    func limit(for duration: Duration) -> Duration
}

/// Why a scenario does not continue as written.
public struct ScenarioFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened instead, as text.
    public var description: String

    /// Creates a failure.
    public init(_ description: String) {
        self.description = description
    }
}
