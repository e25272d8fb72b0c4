public import ZeroMQ

/// Asks a ``ControlServer`` of the same machine.
public enum ControlClient {
    /// Sends a request and waits for its answer.
    ///
    /// - Returns: The answer, nil if none came in time: the server is not there, or busy.
    /// - Throws: ``LinkError/transport(_:)``.
    public static func ask(_ request: [UInt8], at endpoint: Endpoint, patience: Duration) async throws -> [UInt8]? {
        // The wait is bounded, so there is nothing to stop.
        try await runOnThread(stop: {}) {
            do throws(ZeroMQError) {
                return try exchange(request, at: endpoint, patience: patience)
            } catch {
                throw LinkError.transport(error)
            }
        }
    }

    private static func exchange(
        _ request: [UInt8], at endpoint: Endpoint, patience: Duration
    ) throws(ZeroMQError) -> [UInt8]? {
        let context = try Context()
        var options = SocketOptions()
        options.maxMessageSize = 16 * 1_048_576
        let socket = try Socket(context, .req, options: options)
        try socket.connect(to: endpoint)
        _ = try socket.send([request])
        var poller = Poller()
        _ = poller.add(socket, for: .input)
        guard try poller.wait(timeout: patience) > 0 else { return nil }
        return try socket.receive()?.frames.first
    }
}
