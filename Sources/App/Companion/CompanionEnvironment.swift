public import Foundation

/// The time, and the place for what developers should look at.
public struct CompanionEnvironment: Sendable {
    /// The present time by the machine's calendar.
    public var now: @Sendable () -> Date
    /// Waits; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Gets a sentence about something that no call can report, on any thread; by default nobody does.
    public var notice: @Sendable (String) -> Void

    /// Creates an environment, by default the machine's.
    public init(
        now: @escaping @Sendable () -> Date = { Date.now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.now = now
        self.sleep = sleep
        self.notice = notice
    }
}
