import SyncCore
import SyncLink
import Testing

/// What is asked of a driver at its end.
@Suite struct LifeTests {
    @Test func `whatever is asked while a hub stops is answered, or told that it has ended`() async throws {
        for _ in 0..<60 {
            let hub = try TestHub()
            _ = try await hub.start()
            let driver = try hub.driver
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Each asks again at once, so that questions lie behind the wish to stop, too.
                for _ in 0..<16 {
                    group.addTask {
                        do {
                            while true { _ = try await driver.status() }
                        } catch LinkError.ended {
                            // That is how it ends.
                        }
                    }
                }
                group.addTask { try await hub.stop() }
                try await group.waitForAll()
            }
        }
    }
}
