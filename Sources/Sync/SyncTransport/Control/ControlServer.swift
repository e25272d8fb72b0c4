import Logging
import Platform
package import ZeroMQ

/// Answers requests from processes of the same user on the same machine, such as a hub's commands.
///
/// The permissions of the folder of the `ipc` file decide who may connect; deny access to other users. Requests and
/// answers are bytes, and alternate; requests of several processes are answered one after the other.
package final class ControlServer: Sendable {
    private enum SocketRequest: Sendable {
        case answer([UInt8])
        case stop
    }

    private let endpoint: Endpoint
    private let answer: @Sendable ([UInt8]) async -> [UInt8]
    private let socketRequests = RequestQueue<SocketRequest>()

    /// Creates a server that does nothing until ``run(onReady:)``.
    package init(endpoint: Endpoint, answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {
        self.endpoint = endpoint
        self.answer = answer
    }

    /// Answers requests until the task is cancelled.
    ///
    /// - Parameter onReady: Called when the server accepts requests.
    /// - Throws: ``LinkError``.
    package func run(onReady: @escaping @Sendable () -> Void = {}) async throws {
        let (requests, source) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                defer { source.finish() }
                try await runOnThread(stop: { [socketRequests] in socketRequests.post(.stop) }) { [self] in
                    try serve(onReady: onReady) { source.yield($0) }
                }
            }
            // Only one request is in progress at a time, so the stream never holds more than one.
            for await request in requests {
                socketRequests.post(.answer(await answer(request)))
            }
            try await group.waitForAll()
        }
    }

    private func serve(onReady: () -> Void, ask: ([UInt8]) -> Void) throws {
        do {
            let context = try Context()
            var options = SocketOptions()
            options.maxMessageSize = 1_048_576
            let socket = try Socket(context, .rep, options: options)
            do {
                try socket.bind(endpoint)
            } catch {
                throw LinkError.endpoint(endpoint.text, error)
            }
            onReady()
            var poller = Poller()
            let wakePipe = poller.add(fileDescriptor: socketRequests.wakePipe.fileDescriptor, for: .input)
            let incoming = poller.add(socket, for: .input)
            while true {
                _ = try poller.wait(timeout: nil)
                if poller[wakePipe].contains(.input) {
                    for request in socketRequests.takeAll() {
                        guard case .answer(let bytes) = request else { return }
                        _ = try socket.send([bytes])
                        poller.setEvents(.input, of: incoming)
                    }
                }
                if poller[incoming].contains(.input), let message = try socket.receive() {
                    // The next request waits inside libzmq until this one is answered.
                    poller.setEvents([], of: incoming)
                    ask(message.frames.first ?? [])
                }
            }
        } catch let error as ZeroMQError {
            throw LinkError.transport(error)
        }
    }
}
