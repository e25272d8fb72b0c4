public import ZeroMQ

/// Asks a ``ControlServer`` of the same machine.
public enum ControlClient {
    /// How often it is asked whether the server is still there.
    private static let lookInterval = Duration.seconds(1)

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - endpoint: Where the server listens.
    ///   - patience: How long to wait for the answer.
    ///   - isThere: Whether waiting is worth while; asked each second, on a thread of its own.
    /// - Returns: The answer, nil if none came in time: the server is not there, or busy.
    /// - Throws: ``LinkError/transport(_:)``.
    public static func ask(
        _ request: [UInt8], at endpoint: Endpoint, patience: Duration,
        while isThere: @escaping @Sendable () -> Bool = { true }
    ) async throws -> [UInt8]? {
        // The wait is bounded, so there is nothing to stop.
        try await runOnThread(stop: {}) {
            do throws(ZeroMQError) {
                return try exchange(request, at: endpoint, patience: patience, while: isThere)
            } catch {
                throw LinkError.transport(error)
            }
        }
    }

    private static func exchange(
        _ request: [UInt8], at endpoint: Endpoint, patience: Duration, while isThere: () -> Bool
    ) throws(ZeroMQError) -> [UInt8]? {
        let context = try Context()
        var options = SocketOptions()
        options.maxMessageSize = 16 * 1_048_576
        let socket = try Socket(context, .req, options: options)
        try socket.connect(to: endpoint)
        _ = try socket.send([request])
        var poller = Poller()
        _ = poller.add(socket, for: .input)
        let deadline = ContinuousClock.now + patience
        while true {
            let left = max(.zero, deadline - .now)
            if try poller.wait(timeout: min(left, lookInterval)) > 0 { return try socket.receive()?.frames.first }
            guard left > .zero, isThere() else { return nil }
        }
    }
}
