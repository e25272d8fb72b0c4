import Logging
import Platform
package import ZeroMQ

/// Answers requests from processes of the same user on the same machine, such as a hub's commands.
///
/// The permissions of the folder of the `ipc` file decide who may connect; deny access to other users. Requests and
/// answers are bytes; those of one process alternate.
package final class ControlServer: Sendable {
    private enum SocketRequest: Sendable {
        case answer([UInt8], to: RoutingID)
        case stop
    }

    /// A request, and the process that sent it.
    private struct Request: Sendable {
        let bytes: [UInt8]
        let sender: RoutingID
    }

    private let endpoint: Endpoint
    private let atOnce: Int
    private let answer: @Sendable ([UInt8]) async -> [UInt8]
    private let socketRequests = RequestQueue<SocketRequest>()

    /// Creates a server that does nothing until ``run(onReady:)``.
    ///
    /// - Parameters:
    ///   - endpoint: Where processes connect.
    ///   - atOnce: How many requests are in progress at a time; further ones wait. With one, they are answered one after the
    ///     other.
    ///   - answer: Answers a request.
    package init(endpoint: Endpoint, atOnce: Int = 1, answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {
        self.endpoint = endpoint
        self.atOnce = atOnce
        self.answer = answer
    }

    /// Answers requests until the task is cancelled.
    ///
    /// - Parameter onReady: Called when the server accepts requests.
    /// - Throws: ``LinkError``.
    package func run(onReady: @escaping @Sendable () -> Void = {}) async throws {
        let (requests, source) = AsyncStream<Request>.makeStream(bufferingPolicy: .bufferingOldest(atOnce))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [self] in
                defer { source.finish() }
                try await runOnThread(stop: { [socketRequests] in socketRequests.post(.stop) }) { [self] in
                    try serve(onReady: onReady) { source.yield($0) }
                }
            }
            // No more of them come than may be in progress, so the stream never drops one.
            for await request in requests {
                group.addTask { [self] in
                    socketRequests.post(.answer(await answer(request.bytes), to: request.sender))
                }
            }
        }
    }

    private func serve(onReady: () -> Void, ask: (Request) -> Void) throws {
        do {
            let context = try Context()
            var options = SocketOptions()
            options.maxMessageSize = 1_048_576
            let socket = try Socket(context, .router, options: options)
            do {
                try socket.bind(endpoint)
            } catch {
                throw LinkError.endpoint(endpoint.text, error)
            }
            onReady()
            var poller = Poller()
            let wakePipe = poller.add(fileDescriptor: socketRequests.wakePipe.fileDescriptor, for: .input)
            let incoming = poller.add(socket, for: .input)
            var inProgress = 0
            while true {
                _ = try poller.wait(timeout: nil)
                if poller[wakePipe].contains(.input) {
                    for request in socketRequests.takeAll() {
                        guard case .answer(let bytes, let sender) = request else { return }
                        // A process that ended meanwhile gets nothing.
                        _ = try socket.send([[], bytes], to: sender)
                        inProgress -= 1
                        poller.setEvents(.input, of: incoming)
                    }
                }
                // A request stands behind an empty frame.
                if poller[incoming].contains(.input), let message = try socket.receive(),
                    let sender = message.routingID, message.frames.count > 1, message.frames[0].isEmpty
                {
                    inProgress += 1
                    // The next requests wait inside libzmq until one is answered.
                    if inProgress >= atOnce { poller.setEvents([], of: incoming) }
                    ask(Request(bytes: message.frames[1], sender: sender))
                }
            }
        } catch let error as ZeroMQError {
            throw LinkError.transport(error)
        }
    }
}
