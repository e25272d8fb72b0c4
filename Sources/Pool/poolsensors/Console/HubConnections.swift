import Commands
import PoolControl
import PoolHub
import PoolScreens
import SyncTransport

/// The connection to a hub in this process.
struct InProcessHubConnection: HubConnection {
    let hub: PoolHub

    var isOwn: Bool { true }
    var changes: AsyncStream<Void> { hub.changes }

    func perform(_ command: HubCommand) async throws -> HubReply { try await hub.perform(command) }
}

/// The connection to a hub in another process of this machine, through the socket in its folder.
struct RemoteHubConnection: HubConnection {
    /// How often the hub is asked whether anything changed.
    private static let interval = Duration.milliseconds(500)
    /// How long a busy hub may take to answer with its state before the screens say that it does not answer.
    ///
    /// Commands of a person wait longer: the hub would carry them out after the screens have said that they failed.
    private static let lookPatience = Duration.seconds(3)

    /// The hub's folder.
    let path: String

    var isOwn: Bool { false }

    var changes: AsyncStream<Void> {
        let (stream, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ticking = Task {
            while !Task.isCancelled {
                source.yield()
                // Cancellation ends the sleep and the loop.
                try? await Task.sleep(for: Self.interval)
            }
        }
        source.onTermination = { _ in ticking.cancel() }
        return stream
    }

    func perform(_ command: HubCommand) async throws -> HubReply {
        if case .look = command {
            return try await HubClient.performAtRunning(command, path: path, patience: Self.lookPatience)
        }
        return try await HubClient.performAtRunning(command, path: path)
    }
}

extension InProcessHubConnection {
    func complete(invitation code: String, validForSeconds seconds: Int64) -> (code: String, notes: [String]) {
        completed(code, validForSeconds: seconds, isService: false)
    }
}

extension RemoteHubConnection {
    func complete(invitation code: String, validForSeconds seconds: Int64) -> (code: String, notes: [String]) {
        completed(code, validForSeconds: seconds, isService: path == HubFolder.ofService)
    }
}

/// Completes a code of a hub on this machine, which a watch reaches at the machine's addresses.
private func completed(
    _ code: String, validForSeconds seconds: Int64, isService: Bool
) -> (code: String, notes: [String]) {
    // A code that cannot be read is shown as it came.
    guard let found = try? InvitationSummary.complete(code, valid: .seconds(seconds), isService: isService) else {
        return (code, [])
    }
    return (found.code.text, found.summary.notes)
}
