import CommandSupport
import Foundation
import MQTT
import Platform
import PoolModel
import ZeroMQ

/// The bare counterpart of the hub: a subscriber that forwards each message at once.
enum DeliveryRelay {
    /// Runs until it is stopped.
    ///
    /// - Parameters:
    ///   - task: The part.
    ///   - path: The file in which each message is a row before it is sent; nil to store nothing.
    /// - Throws: ``CommandFailure``, `MQTTError`, `ZeroMQError`.
    static func run(_ task: DeliveryTask, path: String?) async throws {
        let relay = try BareRouter(table: try path.map { try BareTable(path: $0) })
        var options = Client.Options()
        options.clientIdentifier = "bench-relay-\(UInt64.random(in: 0...(.max)))"
        options.session = .persistent(expirySeconds: 3600)
        let client = try Client(options)
        let listening = AsyncStream<Void>.makeStream()
        try client.connect(to: BrokerAddress(host: "127.0.0.1", port: task.port)) { [weak client] event in
            switch event {
            case .connected:
                // After a failure the benchmark never begins, and ends by its timeout.
                _ = try? client?.subscribe(to: [TopicFilter(task.topic)])
            case .subscribed: listening.continuation.yield()
            case .message(let message) where !message.isRetained:
                if !relay.send(message.payload) { client?.abort() }
            case .message, .pause, .published, .unsubscribed, .ended: break
            }
        }
        _ = await listening.stream.first { _ in true }
        try await relay.welcome()
        await DeliveryPartCommand.cancellation()
        client.close()
    }
}

/// A ROUTER with one watch.
// Unchecked: until the watch is connected only one task uses the socket, afterwards only the network thread; the lock
// separates the two.
final class BareRouter: @unchecked Sendable {
    private let context: Context
    private let router: Socket
    private let table: BareTable?
    private let watch = Lock<RoutingID?>(nil)
    private let endpoint: String

    init(table: BareTable?) throws {
        self.table = table
        context = try Context(maxSockets: 64)
        router = try Socket(context, .router, options: try BenchSockets.hub())
        endpoint = try router.bind(try Endpoint("tcp://127.0.0.1:*")).text
    }

    /// Reports its endpoint, and waits until the watch has sent its first message.
    func welcome() async throws {
        PartReport.send(DeliveryStart(address: endpoint))
        while true {
            if let message = try router.receive(), let name = message.routingID {
                _ = try router.send([LoadMark.hello], to: name)
                return watch.withLock { $0 = name }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Forwards a message, after storing it if there is a table; false if it could not be stored.
    func send(_ payload: [UInt8]) -> Bool {
        if let table, !table.insert(payload) { return false }
        guard let name = watch.withLock(\.self) else { return true }
        do {
            while try router.send([payload], to: name) == .wouldBlock { usleep(20) }
        } catch {
            // The watch then never receives the last message, and the benchmark ends by its timeout.
            Output.errors.line("synclab: the relay cannot send: \(error)")
        }
        return true
    }
}

/// A bare DEALER in place of the watch.
enum BareDeliveryWatch {
    /// Receives messages on a separate thread, without end.
    static func run(_ task: DeliveryTask) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try take(task) }) }
        }
    }

    private static func take(_ task: DeliveryTask) throws {
        guard let address = task.address else { throw CommandFailure("a watch of the benchmark needs an endpoint") }
        let context = try Context(maxSockets: 64)
        let socket = try Socket(context, .dealer, options: try BenchSockets.watch(0))
        try socket.connect(to: try Endpoint(address))
        var poller = Poller()
        _ = poller.add(socket, for: .input)
        _ = try socket.send([LoadMark.hello])
        var findings = DeliveryFindings()
        while true {
            _ = try poller.wait(timeout: nil)
            while let frame = try socket.receive()?.frames.first {
                guard frame != LoadMark.hello else {
                    PartReport.send(DeliveryReady())
                    continue
                }
                // The model of this watch is the four numbers and the time.
                let message = BareMessage(frame)
                findings.moments.append(ProcessFacts.now)
                findings.numbers.append(Int((message.sampledAt - task.messages.start.milliseconds) / 1000) + 1)
                if findings.numbers.last == task.count { PartReport.send(findings) }
            }
        }
    }
}
