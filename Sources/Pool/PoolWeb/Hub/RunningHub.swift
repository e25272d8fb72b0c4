package import PoolControl
import PoolHub
import WebServer

/// The hub that runs on a folder of this machine.
package struct RunningHub: HubAsking {
    /// How long the hub may take: a page waits no longer.
    private static let patience = Duration.seconds(20)

    let path: String

    /// Creates the way to the hub of a folder.
    package init(path: String) { self.path = path }

    package func perform(_ command: HubCommand) async throws -> HubReply {
        try await HubClient.performAtRunning(command, path: path, patience: Self.patience)
    }
}
