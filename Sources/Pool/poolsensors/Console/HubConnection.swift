import Foundation
import PoolControl
import PoolHub
import PoolModel

/// The way of a console to its hub.
protocol HubConnection: Sendable {
    /// Whether the hub belongs to this process, and ends with the console.
    var isOwn: Bool { get }
    /// Yields when it is worth while to look again; a second is waited for anyway.
    var rings: AsyncStream<Void> { get }
    /// Asks the hub.
    ///
    /// - Throws: What is wrong with the request, in words; `HubClient.Failure` if there is no hub any more.
    func perform(_ request: HubCommand) async throws -> HubReply
}

/// The hub of this process.
struct InProcessHubConnection: HubConnection {
    let hub: PoolHub

    var isOwn: Bool { true }
    var rings: AsyncStream<Void> { hub.rings }

    func perform(_ request: HubCommand) async throws -> HubReply { try await hub.perform(request) }
}

/// A hub that runs elsewhere on this machine, asked through the socket of its folder.
struct RemoteHubConnection: HubConnection {
    /// How often it is asked whether anything changed.
    private static let interval = Duration.milliseconds(500)
    /// How long a look at a busy hub may take before a person is told that it does not answer.
    ///
    /// What a person orders waits longer: it would be done all the same after it was said to be refused.
    private static let lookPatience = Duration.seconds(3)

    /// The hub's folder.
    let path: String

    var isOwn: Bool { false }

    var rings: AsyncStream<Void> {
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

    func perform(_ request: HubCommand) async throws -> HubReply {
        if case .look = request {
            return try await HubClient.performAtRunning(request, path: path, patience: Self.lookPatience)
        }
        return try await HubClient.performAtRunning(request, path: path)
    }
}
