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
    @Test func `each of more alerts than a watch is shown has its state, and so has the hub's storage`() async throws {
        let place = try TestHubFolder()
        let folder = try HubFolder(path: place.path)
        let server = try Server.sample()
        var announcing = server
        announcing.announcementPrefix = "ha"
        var configuration = try PoolConfiguration().adding(announcing)
        let ids = (1...(AlertState.countMax + 8)).map { DeviceID(high: 1, low: UInt64($0)) }
        for id in ids {
            configuration = try configuration.adding(
                Device(id: id, name: "Probe \(id)", serverID: server.id, topic: "pool/\(id)"))
        }
        let messages = Recorder<PublishedMessage>()
        let inputs = PublisherQueue()
        let publisher = try HubPublisher(
            inputs: inputs, store: folder.history.alerts, topics: folder.topics, logger: Logger(label: "test"),
            publish: { message, _ in
                messages.record(message)
                return nil
            })
        func waitForState(_ words: String, on topics: [String]) async {
            await messages.wait { messages in
                topics.allSatisfy { topic in
                    guard let last = messages.last(where: { $0.topic == topic }) else { return false }
                    return String(decoding: last.payload, as: UTF8.self).contains(words)
                }
            }
        }
        let topics = folder.topics
        let running = Task { await publisher.run(newest: []) }
        defer { running.cancel() }
        await publisher.use(configuration)
        inputs.note(announcing, BrokerState(phase: .connected, since: Timestamp(milliseconds: 1)))
        await waitForState("OFF", on: ids.map { topics.alert(of: $0) } + [topics.storageAlert])

        inputs.note(ids.map { Self.alert(.fault($0, nil)) } + [Self.alert(.hub(.storage))])
        await waitForState("ON", on: ids.map { topics.alert(of: $0) } + [topics.storageAlert])
        // Some that no watch is shown end, while too many go on.
        inputs.note(ids.dropLast(2).map { Self.alert(.fault($0, nil)) })
        await waitForState("OFF", on: ids.suffix(2).map { topics.alert(of: $0) } + [topics.storageAlert])
        await waitForState("ON", on: ids.dropLast(2).map { topics.alert(of: $0) })
    }

    @Test func `when Home Assistant starts, what it was told is told again`() async throws {
        let place = try TestHubFolder()
        let folder = try HubFolder(path: place.path)
        var server = try Server.sample()
        server.announcementPrefix = "ha"
        let id = DeviceID(high: 1, low: 1)
        let configuration = try PoolConfiguration().adding(server).adding(
            Device(id: id, name: "Probe", serverID: server.id, topic: "pool/probe"))
        let messages = Recorder<PublishedMessage>()
        let inputs = PublisherQueue()
        let publisher = try HubPublisher(
            inputs: inputs, store: folder.history.alerts, topics: folder.topics, logger: Logger(label: "test"),
            publish: { message, _ in
                messages.record(message)
                return nil
            })
        let topics = folder.topics
        @Sendable func count(_ items: [PublishedMessage]) -> Int { items.count { $0.topic == topics.storageAlert } }
        let running = Task { await publisher.run(newest: []) }
        defer { running.cancel() }
        await publisher.use(configuration)
        inputs.note(server, BrokerState(phase: .connected, since: Timestamp(milliseconds: 1)))
        await messages.wait { count($0) == 1 }

        let birth = Message(
            topic: try TopicName("ha/status"), payload: Array("online".utf8), qualityOfService: .atMostOnce,
            isRetained: false, packetIdentifier: nil, properties: MessageProperties())
        inputs.note(birth: birth, of: server)
        // It is published behind what the birth led to.
        inputs.note([Self.alert(.fault(id, nil))])
        await messages.wait { items in
            items.contains { message in
                message.topic == topics.alert(of: id) && String(decoding: message.payload, as: UTF8.self).contains("ON")
            }
        }
        #expect(count(messages.items) == 2)
        withExtendedLifetime(place) {}
    }

    @Test func `the values of a device that is new to Home Assistant come again, and its "offline" at once`()
        async throws
    {
        let place = try TestHubFolder()
        let folder = try HubFolder(path: place.path)
        var server = try Server.sample()
        server.announcementPrefix = "ha"
        let id = DeviceID(high: 1, low: 1)
        let configuration = try PoolConfiguration().adding(server).adding(
            Device(id: id, name: "Probe", serverID: server.id, topic: "pool/probe"))
        let messages = Recorder<PublishedMessage>()
        let inputs = PublisherQueue()
        let publisher = try HubPublisher(
            inputs: inputs, store: folder.history.alerts, topics: folder.topics, logger: Logger(label: "test"),
            publish: { message, _ in
                messages.record(message)
                return nil
            })
        let topics = folder.topics
        let running = Task { await publisher.run(newest: []) }
        defer { running.cancel() }
        await publisher.use(configuration)
        inputs.note(server, BrokerState(phase: .connected, since: Timestamp(milliseconds: 1)))
        let now = Timestamp.now
        var readings = DeviceReadings(deviceID: id)
        readings.follow(
            Reading(deviceID: id, values: [.ph: 7.2], sampledAt: now, timeQuality: .device, receivedAt: now))
        inputs.note(readings)
        // With the announcement, and twice after it without another reading.
        await messages.wait { items in
            guard let announced = items.lastIndex(where: { $0.topic.hasPrefix("ha/") && $0.topic.contains("\(id)") })
            else { return false }
            return items[announced...].count { $0.topic == topics.values(of: id) } >= 3
        }
        readings.note(absentSince: .now)
        inputs.note(readings)
        await messages.wait { items in
            [topics.availability(of: id), topics.availability(of: id, .ph)].allSatisfy { topic in
                items.last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) } == "offline"
            }
        }
        withExtendedLifetime(place) {}
    }

    private static func alert(_ key: AlertKey) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 1), key: key, name: "Probe", severity: .warning,
            since: Timestamp(milliseconds: 1), isAcknowledged: false)
    }
}
