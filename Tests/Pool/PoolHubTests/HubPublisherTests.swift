import Logging
import MQTT
import Platform
import PoolControl
import PoolStore
import TestSupport
import Testing

@testable import PoolDecoding
@testable import PoolHub
@testable import PoolModel

/// What is told to Home Assistant of alerts, without a broker.
@Suite struct HubPublisherTests {
    /// A publisher of a hub with some devices on one server that announces to Home Assistant; it runs until the end of the
    /// test.
    private final class Stage {
        let messages = Recorder<PublishedMessage>()
        let inputs = PublisherQueue()
        let topics: HubTopics
        let server: Server
        private let place: TestHubFolder
        private let configuration: PoolConfiguration
        private let publisher: HubPublisher
        private var running: Task<Void, Never>?

        init(
            _ ids: [DeviceID],
            pause: @escaping @Sendable (Duration, Recorder<PublishedMessage>) async throws -> Void = { _, _ in
                // Values are not repeated.
                throw CancellationError()
            }
        ) throws {
            place = try TestHubFolder()
            let folder = try HubFolder(path: place.path)
            var server = try Server.sample()
            server.announcementPrefix = "ha"
            self.server = server
            topics = folder.topics
            configuration = try ids.reduce(try PoolConfiguration().adding(server)) { configuration, id in
                try configuration.adding(
                    Device(id: id, name: "Probe \(id)", serverID: server.id, topic: "pool/\(id)"))
            }
            publisher = try HubPublisher(
                inputs: inputs, store: folder.history.alerts, topics: folder.topics, logger: Logger(label: "test"),
                publish: { [messages] message, _ in
                    messages.record(message)
                    return nil
                }, pause: { [messages] duration in try await pause(duration, messages) })
        }

        deinit { running?.cancel() }

        /// Runs it, connected.
        func run() async {
            running = Task { [publisher] in await publisher.run(newest: []) }
            await publisher.use(configuration)
            inputs.note(server, BrokerState(phase: .connected, since: Timestamp(milliseconds: 1)))
        }
    }

    @Test func `each of more alerts than a watch is shown has its state, and so has the hub's storage`() async throws {
        let ids = (1...(AlertState.countMax + 8)).map { DeviceID(high: 1, low: UInt64($0)) }
        let stage = try Stage(ids)
        let (messages, inputs, topics) = (stage.messages, stage.inputs, stage.topics)
        func waitForState(_ words: String, on topics: [String]) async {
            await messages.wait { messages in
                topics.allSatisfy { topic in
                    guard let last = messages.last(where: { $0.topic == topic }) else { return false }
                    return String(decoding: last.payload, as: UTF8.self).contains(words)
                }
            }
        }
        await stage.run()
        await waitForState("OFF", on: ids.map { topics.alert(of: $0) } + [topics.storageAlert])

        inputs.note(ids.map { Self.alert(.fault($0, nil)) } + [Self.alert(.hub(.storage))])
        await waitForState("ON", on: ids.map { topics.alert(of: $0) } + [topics.storageAlert])
        // Some that no watch is shown end, while too many go on.
        inputs.note(ids.dropLast(2).map { Self.alert(.fault($0, nil)) })
        await waitForState("OFF", on: ids.suffix(2).map { topics.alert(of: $0) } + [topics.storageAlert])
        await waitForState("ON", on: ids.dropLast(2).map { topics.alert(of: $0) })
        withExtendedLifetime(stage) {}
    }

    @Test func `when Home Assistant starts, what it was told is told again`() async throws {
        let id = DeviceID(high: 1, low: 1)
        let stage = try Stage([id])
        let (messages, inputs, topics) = (stage.messages, stage.inputs, stage.topics)
        @Sendable func count(_ items: [PublishedMessage]) -> Int { items.count { $0.topic == topics.storageAlert } }
        await stage.run()
        await messages.wait { count($0) == 1 }

        let birth = Message(
            topic: try TopicName("ha/status"), payload: Array("online".utf8), qualityOfService: .atMostOnce,
            isRetained: false, packetIdentifier: nil, properties: MessageProperties())
        inputs.note(birth: birth, of: stage.server)
        // It is published behind what the birth led to.
        inputs.note([Self.alert(.fault(id, nil))])
        await messages.wait { items in
            items.contains { message in
                message.topic == topics.alert(of: id) && String(decoding: message.payload, as: UTF8.self).contains("ON")
            }
        }
        #expect(count(messages.items) == 2)
        withExtendedLifetime(stage) {}
    }

    @Test func `the values of a device that is new to Home Assistant come again, and its "offline" at once`()
        async throws
    {
        let id = DeviceID(high: 1, low: 1)
        let pauses = Recorder<Duration>()
        @Sendable func valuesAfterAnnouncement(_ items: [PublishedMessage]) -> Int {
            guard let announced = items.lastIndex(where: { $0.topic.hasPrefix("ha/") && $0.topic.contains("\(id)") })
            else { return 0 }
            return items[announced...].count { $0.topic.hasSuffix("/\(id)/values") }
        }
        // A pause ends when the values before it have been published, so that a slow machine joins none.
        let stage = try Stage([id]) { duration, messages in
            pauses.record(duration)
            let wanted = duration == .seconds(2) ? 1 : 2
            _ = await messages.comes { valuesAfterAnnouncement($0) >= wanted }
            try Task.checkCancellation()
        }
        let (messages, inputs, topics) = (stage.messages, stage.inputs, stage.topics)
        await stage.run()
        let now = Timestamp.now
        var readings = DeviceReadings(deviceID: id)
        readings.follow(
            Reading(deviceID: id, values: [.ph: 7.2], sampledAt: now, timeQuality: .device, receivedAt: now))
        inputs.note(readings)
        // With the announcement, and twice after it without another reading.
        await messages.wait { valuesAfterAnnouncement($0) >= 3 }
        // The announcement before the first reading may have begun a pause, too.
        #expect(pauses.items.suffix(2) == [.seconds(2), .seconds(6)])
        readings.note(absentSince: .now)
        inputs.note(readings)
        await messages.wait { items in
            [topics.availability(of: id), topics.availability(of: id, .ph)].allSatisfy { topic in
                items.last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) } == "offline"
            }
        }
        withExtendedLifetime(stage) {}
    }

    private static func alert(_ key: AlertKey) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 1), key: key, name: "Probe", severity: .warning,
            since: Timestamp(milliseconds: 1), isAcknowledged: false)
    }
}
