import CommandSupport
import Foundation
import Logging
import Platform
import SyncStore
import TestSupport
import Testing

@testable import poolsensors

/// A watch that starts while a command uses its folder.
@Suite struct WatchWaitTests {
    private let folder: TemporaryFolder
    private let options: WatchSession.Options

    init() throws {
        folder = try TemporaryFolder()
        options = WatchSession.Options(
            path: folder.path("watch"), name: "wrist", logger: Logger(label: "watch"))
    }

    @Test(arguments: [false, true])
    func `a watch waits while a command has its folder, and opens it then`(asksRunning: Bool) async throws {
        let held = Lock<StateFolder?>(try StateFolder(path: options.path))
        let pauses = Lock(0)
        let patience = FolderWaitPolicy { _ in
            let count = pauses.withLock { pauses in
                pauses += 1
                return pauses
            }
            // The command has finished.
            if count == 30 { held.withLock { $0 = nil } }
        }
        let session = try await WatchSession.waiting(options, asksRunning: asksRunning, patience: patience)
        #expect(pauses.withLock(\.self) == 30)
        #expect(!session.isPaired)
    }

    @Test func `a folder that stays in use is refused in the end, by who has it`() async throws {
        let held = try StateFolder(path: options.path)
        let pauses = Lock(0)
        let patience = FolderWaitPolicy(attempts: 7) { _ in pauses.withLock { $0 += 1 } }
        let error = await #expect(throws: WatchSession.InUse.self) {
            try await WatchSession.waiting(options, asksRunning: false, patience: patience)
        }
        #expect(error?.failure.description.contains("in use by process \(getpid())") == true)
        #expect(pauses.withLock(\.self) == 7)
        withExtendedLifetime(held) {}
    }

    @Test func `what no waiting mends is told at once`() async throws {
        let wrong = WatchSession.Options(
            path: folder.path("missing/watch"), name: "wrist", logger: Logger(label: "watch"))
        let patience = FolderWaitPolicy { _ in Issue.record("it waits") }
        await #expect(throws: CommandFailure.self) {
            try await WatchSession.waiting(wrong, asksRunning: false, patience: patience)
        }
    }
}
