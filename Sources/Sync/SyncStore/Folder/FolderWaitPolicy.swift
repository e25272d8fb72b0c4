/// How long to wait for a folder that another process holds, as a command does that works on it for a moment.
public struct FolderWaitPolicy: Sendable {
    /// The pause between two attempts.
    public static let pause = Duration.milliseconds(50)
    /// The attempts after which somebody is told why nothing happens: half a second.
    private static let silentAttempts = 10

    /// The attempts after the first one.
    private let attempts: Int
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Waits in pauses.
    ///
    /// - Parameters:
    ///   - attempts: The attempts after the first one; 60 by default, which take 3 s.
    ///   - sleep: Lets a pause pass.
    public init(
        attempts: Int = 60,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.attempts = attempts
        self.sleep = sleep
    }

    /// Opens a folder, again and again as long as that may help.
    ///
    /// - Parameters:
    ///   - open: Opens it.
    ///   - mayHelp: Whether what it threw is that the folder is held, and by somebody who lets it go soon.
    ///   - onWait: Called once with what it threw, when it takes so long that a person may wonder.
    /// - Returns: What was opened.
    /// - Throws: What `open` throws at last, and what ends the pauses.
    public func open<Folder: ~Copyable>(
        _ open: () throws -> Folder, while mayHelp: (any Error) throws -> Bool,
        onWait: (any Error) -> Void = { _ in }
    ) async throws -> Folder {
        for attempt in 0..<attempts {
            do {
                return try open()
            } catch {
                guard try mayHelp(error) else { throw error }
                if attempt == Self.silentAttempts { onWait(error) }
            }
            try await sleep(Self.pause)
        }
        return try open()
    }
}
