import SyncCore
import SyncLink
import Testing

/// What is asked of a driver at its end.
@Suite struct LifeTests {
    @Test func `whatever is asked while a hub stops is answered, or told that it has ended`() async throws {
        for _ in 0..<20 {
            let hub = try TestHub()
            _ = try await hub.start()
            let driver = try hub.driver
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            _ = try await driver.status()
                        } catch LinkError.ended {
                            // The other outcome that there is.
                        }
                    }
                }
                group.addTask { try await hub.stop() }
                try await group.waitForAll()
            }
        }
    }
}
