import CommandSupport
import Foundation
import MQTT

/// A broker for a measurement, which keeps all messages that its subscribers have not acknowledged yet.
final class IngestBroker: Sendable {
    let port: Int
    private let child: ChildProcess

    /// Starts it; it ends with the lifeline of the benchmark.
    ///
    /// - Throws: ``CommandFailure`` if mosquitto is not installed.
    init(_ bench: Bench) throws {
        let folder = bench.folder
        guard let mosquitto = LocalTools.path(of: "mosquitto", environment: bench.environment) else {
            throw CommandFailure(
                "the MQTT broker mosquitto is not installed: install it (apt-get install mosquitto), then try again")
        }
        port = try LocalTools.freePorts(1)[0]
        let lines = [
            "listener \(port) 127.0.0.1", "allow_anonymous true", "log_dest none", "max_queued_messages 0",
            "persistence false",
        ]
        try PrivateFile.write(lines.map { $0 + "\n" }.joined(), to: "\(folder)/mosquitto.conf")
        child = try ChildProcess(
            LocalTools.ownPath,
            ["guard", "--lifeline", "\(folder)/lifeline", "--", mosquitto, "-c", "\(folder)/mosquitto.conf"],
            environment: LocalTools.childEnvironment(bench.environment, of: .poolsensors), files: (nil, nil, 2))
    }

    /// Ends it.
    func stop() async {
        await child.stop(patience: .seconds(3))
    }

    /// A client that is connected; tried again while the broker starts.
    ///
    /// - Throws: ``CommandFailure``, `MQTTError`.
    func publisher() async throws -> IngestPublisher {
        for _ in 0..<100 {
            if let publisher = try await IngestPublisher(port: port) { return publisher }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure("the broker of the benchmark does not answer at port \(port)")
    }
}

/// Publishes as fast as the broker accepts messages.
final class IngestPublisher: Sendable {
    private static let outstandingMax = 200

    private let client: Client
    private let answers: AsyncStream<Client.Event>

    /// Connects; nil if the broker does not listen yet.
    fileprivate init?(port: Int) async throws {
        var options = Client.Options()
        options.maximumOutstandingPublishes = Self.outstandingMax
        client = try Client(options)
        let (events, source) = AsyncStream<Client.Event>.makeStream()
        answers = events
        try client.connect(to: BrokerAddress(host: "127.0.0.1", port: port)) { event in
            source.yield(event)
            if case .ended = event { source.finish() }
        }
        guard case .connected = await events.first(where: { _ in true }) else { return nil }
    }

    /// Publishes messages, and waits for the acknowledgement of each.
    func publish(_ messages: [(topic: TopicName, payload: [UInt8])]) async throws {
        var answers = answers.makeAsyncIterator()
        var outstanding = 0
        for message in messages {
            while outstanding >= Self.outstandingMax {
                guard let event = await answers.next() else { throw CommandFailure("the broker hung up") }
                if case .published = event { outstanding -= 1 }
            }
            try client.publish(message.payload, to: message.topic)
            outstanding += 1
        }
        while outstanding > 0 {
            guard let event = await answers.next() else { throw CommandFailure("the broker hung up") }
            if case .published = event { outstanding -= 1 }
        }
    }

    /// Publishes a message without waiting; false if so many acknowledgements are outstanding that it would have to
    /// wait.
    func post(_ payload: [UInt8], to topic: TopicName) throws -> Bool {
        do throws(MQTTError) {
            try client.publish(payload, to: topic)
            return true
        } catch .tooManyOutstanding {
            return false
        }
    }

    /// Waits for the acknowledgement of this many posted messages.
    func settle(_ count: Int) async throws {
        var answers = answers.makeAsyncIterator()
        var outstanding = count
        while outstanding > 0 {
            guard let event = await answers.next() else { throw CommandFailure("the broker hung up") }
            if case .published = event { outstanding -= 1 }
        }
    }

    /// Publishes a retained text, and waits for the acknowledgement.
    func publishRetained(_ word: String, to topic: TopicName) async throws {
        var answers = answers.makeAsyncIterator()
        try client.publish(Array(word.utf8), to: topic, isRetained: true)
        while let event = await answers.next() {
            if case .published = event { return }
        }
        throw CommandFailure("the broker hung up")
    }

    func close() { client.close() }
}
