import Platform
package import ZeroMQ

/// Sends requests to a ``ControlServer`` on the same machine.
package enum ControlClient {
    /// The interval between two checks whether the server still exists.
    private static let lookInterval = Duration.seconds(1)

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - endpoint: The server's endpoint.
    ///   - patience: The time limit for the answer.
    ///   - isThere: Whether it makes sense to wait; called each second, on a separate thread.
    /// - Returns: The answer; nil if none came in time, because the server does not exist or is busy.
    /// - Throws: ``LinkError/transport(_:)``; `CancellationError` as soon as the task is cancelled.
    package static func ask(
        _ request: [UInt8], at endpoint: Endpoint, patience: Duration,
        while isThere: @escaping @Sendable () -> Bool = { true }
    ) async throws -> [UInt8]? {
        let wakePipe = try WakePipe()
        let answer = try await runOnThread(stop: { wakePipe.raise() }) {
            do throws(ZeroMQError) {
                return try exchange(request, at: endpoint, patience: patience, until: wakePipe, while: isThere)
            } catch {
                throw LinkError.transport(error)
            }
        }
        try Task.checkCancellation()
        return answer
    }

    private static func exchange(
        _ request: [UInt8], at endpoint: Endpoint, patience: Duration, until wakePipe: WakePipe,
        while isThere: () -> Bool
    ) throws(ZeroMQError) -> [UInt8]? {
        let context = try Context()
        var options = SocketOptions()
        options.maxMessageSize = 16 * 1_048_576
        let socket = try Socket(context, .req, options: options)
        try socket.connect(to: endpoint)
        _ = try socket.send([request])
        var poller = Poller()
        let incoming = poller.add(socket, for: .input)
        let end = poller.add(fileDescriptor: wakePipe.fileDescriptor, for: .input)
        let deadline = ContinuousClock.now + patience
        while true {
            let left = max(.zero, deadline - .now)
            _ = try poller.wait(timeout: min(left, lookInterval))
            if poller[incoming].contains(.input) { return try socket.receive()?.frames.first }
            guard left > .zero, !poller[end].contains(.input), isThere() else { return nil }
        }
    }
}
