import Foundation
import Platform
import PoolControl
import Service
import SyncStore
import TestSupport
import Testing

@testable import PoolHub

/// Programs that open a hub's folder while another one holds it.
@Suite struct HeldFolderTests {
    private let place: TestHubFolder

    init() throws {
        place = try TestHubFolder()
    }

    /// Releases a folder at the n-th pause; the pauses take no time.
    private final class Holder: Sendable {
        let pauses = Lock(0)
        private let held: Lock<StateFolder?>
        private let count: Int

        init(_ path: String, until count: Int) throws {
            held = Lock(try StateFolder(path: path))
            self.count = count
        }

        var patience: FolderWaitPolicy {
            FolderWaitPolicy { [self] _ in
                let now = pauses.withLock { pauses in
                    pauses += 1
                    return pauses
                }
                if now == count { held.withLock { $0 = nil } }
            }
        }
    }

    @Test func `a hub waits while a command has its folder, says so after a while, and opens it then`() async throws {
        let holder = try Holder(place.path, until: 30)
        var notes: [String] = []
        _ = try await HubFolder.waiting(
            path: place.path, patience: holder.patience, onWait: { notes.append("\($0)") })
        #expect(holder.pauses.withLock(\.self) == 30)
        #expect(notes.count == 1 && notes[0].contains("in use by process \(getpid())"))
    }

    @Test func `a command waits while another one has the hub's folder`() async throws {
        let holder = try Holder(place.path, until: 20)
        let folder = try await HubFolder.service(path: place.path).resting(patience: holder.patience) {
            try HubFolder(path: $0)
        }
        #expect(folder != nil && holder.pauses.withLock(\.self) == 20)
    }

    @Test func `a restore waits while a command has the hub's folder`() async throws {
        let backup = place.path + ".backup"
        _ = try await HubClient.perform(.backUp(backup), path: place.path)
        let holder = try Holder(place.path, until: 10)
        let restore = try await HubRestore.waiting(backup, to: place.path, patience: holder.patience)
        #expect(restore.contents.isSameHub == true)
        #expect(holder.pauses.withLock(\.self) == 10)
    }

    @Test func `nobody waits for a hub that runs`() async throws {
        let hub = TestHub(place)
        try await hub.start()
        let patience = FolderWaitPolicy { _ in Issue.record("it waits") }
        await #expect(throws: FolderError.self) {
            try await HubFolder.waiting(path: hub.folder.path, patience: patience)
        }
        await #expect(throws: FolderError.self) {
            try await HubRestore.waiting(hub.folder.path, to: hub.folder.path, patience: patience)
        }
        try await hub.stop()
    }
}
