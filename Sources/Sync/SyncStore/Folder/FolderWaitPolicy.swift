/// How long to wait for a folder that another process holds, such as a short command.
package struct FolderWaitPolicy: Sendable {
    /// The pause between two attempts.
    package static let pause = Duration.milliseconds(50)
    /// The number of attempts before `onWait` is called: half a second.
    private static let attemptsBeforeNotice = 10

    /// The number of attempts after the first one.
    private let attempts: Int
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - attempts: The attempts after the first one; 60 by default, which take 3 s.
    ///   - sleep: Waits for one pause.
    package init(
        attempts: Int = 60,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.attempts = attempts
        self.sleep = sleep
    }

    /// Opens a folder, and tries again as long as that can help.
    ///
    /// - Parameters:
    ///   - open: Opens the folder.
    ///   - mayHelp: Whether an error of `open` means that the folder is held by a process that will release it soon.
    ///   - onWait: Called at most once, with the error of `open`, when the wait is long enough for a user to notice.
    /// - Returns: What `open` returned.
    /// - Throws: The last error of `open`, or an error of the pause.
    package func open<Folder: ~Copyable>(
        _ open: () throws -> Folder, while mayHelp: (any Error) throws -> Bool,
        onWait: (any Error) -> Void = { _ in }
    ) async throws -> Folder {
        for attempt in 0..<attempts {
            do {
                return try open()
            } catch {
                guard try mayHelp(error) else { throw error }
                if attempt == Self.attemptsBeforeNotice { onWait(error) }
            }
            try await sleep(Self.pause)
        }
        return try open()
    }
}
