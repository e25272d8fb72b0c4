import Appliances
package import Brokers
import Foundation
package import MQTT
import Platform
import Primitives
import ZeroMQ

/// The WiFi hub of the devices: it carries sealed commands from MQTT to the devices near it, and their answers and states
/// back (T21, T22).
///
/// It holds no key: what it carries it can neither read nor make.
package final class Bridge<Maker: PeripheralMaker>: Sendable {
    package typealias Serial = SerialNumber<Maker>

    /// The devices that are near.
    private final class Near: Sendable {
        let serials = Lock<Set<Serial>>([])
    }

    /// A message to publish.
    private struct Note: Sendable {
        var topic: PeripheralTopic<Maker>
        var payload: [UInt8]
        var isRetained: Bool
    }

    private let serial: Serial
    private let air: LoopThread<AirLoop<Maker>.Request>
    private let beacon: LoopThread<Never>
    private let notes: AsyncStream<Note>
    private let session: BrokerSession

    /// Opens the bridge's radio, and prepares its session at the broker.
    ///
    /// - Parameters:
    ///   - serial: Its own serial number.
    ///   - broker: The broker.
    ///   - password: The password for it; nil for none.
    ///   - air: The folder of the short link.
    ///   - onStatus: The state of its session changed; on any thread.
    /// - Throws: What ZeroMQ says.
    package init(
        _ serial: Serial, broker: BrokerSettings, password: String?, in air: Air,
        onStatus: @escaping @Sendable (SessionStatus) -> Void = { _ in }
    ) throws {
        self.serial = serial
        let context = try Context()
        let (notes, source) = AsyncStream<Note>.makeStream()
        self.notes = notes
        let near = Near()
        let loop = try LoopThread { () -> AirLoop<Maker> in
            AirLoop(air, place: serial.short, reach: .all, context) { event in
                for note in Self.notes(of: event, near, by: serial) { source.yield(note) }
            }
        }
        self.air = loop
        beacon = try LoopThread { try BridgeBeacon(serial, in: air, context) }
        session = broker.session(
            password: password, clientIdentifier: nil,
            will: Will(
                topic: PeripheralTopic<Maker>(serial, .status).name, payload: PeripheralStatus<Maker>(.offline).payload,
                isRetained: true),
            birth: PeripheralStatus<Maker>(.online).payload, stepsDown: true,
            onMessages: { messages in
                for message in messages {
                    // A retained command would fire again at each reconnection.
                    guard !message.isRetained, let topic = PeripheralTopic<Maker>(message.topic.text),
                        topic.part == .set
                    else {
                        continue
                    }
                    loop.post(.send(topic.serial, .relayed(Data(message.payload))))
                }
                return .acknowledge
            },
            onStatus: onStatus)
        session.want([PeripheralTopic<Maker>.filter(.set)])
    }

    /// Works until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [session] in await session.run() }
            group.addTask { [self] in
                for await note in notes { await publish(note) }
            }
            await group.waitForAll()
        }
        air.stop()
        beacon.stop()
    }

    private func publish(_ note: Note) async {
        // Without a connection nobody waits for an answer, and the state is told again with the next follow.
        try? await session.publish(note.payload, to: note.topic.name, isRetained: note.isRetained)
    }

    /// What the broker must learn of something on the short link.
    private static func notes(of event: AirLoop<Maker>.Event, _ near: Near, by hub: Serial) -> [Note] {
        func presence(_ serial: Serial, _ presence: Surroundings.Presence) -> Note {
            Note(
                topic: PeripheralTopic<Maker>(serial, .status),
                payload: PeripheralStatus<Maker>(presence, by: hub).payload, isRetained: true)
        }
        switch event {
        case .heard: return []
        case .lost(let serial):
            return near.serials.withLock { $0.remove(serial) } == nil ? [] : [presence(serial, .offline)]
        case .reply(let serial, .state(let report)):
            let isNew = near.serials.withLock { $0.insert(serial).inserted }
            let state = Note(
                topic: PeripheralTopic<Maker>(serial, .state), payload: Array(report), isRetained: true)
            return isNew ? [presence(serial, .online), state] : [state]
        case .reply(let serial, .acknowledgement(let bytes)):
            return [Note(topic: PeripheralTopic<Maker>(serial, .ack), payload: Array(bytes), isRetained: false)]
        case .reply: return []
        }
    }
}

/// The radio with which a bridge is found and registered (T21).
private final class BridgeBeacon: SocketLoop {
    private static let interval = Duration.seconds(1)
    private static let rssi = -50

    private let beacon: Beacon

    init(_ serial: SerialNumber<some PeripheralMaker>, in air: Air, _ context: Context) throws {
        beacon = try Beacon(
            serial, rssi: Self.rssi, every: Self.interval, in: air, context, at: Moment.now.monotonic)
    }

    func begin(_ poller: inout Poller) { beacon.begin(&poller) }

    func turn(_ requests: [Never], _ poller: inout Poller, at now: Moment) -> Instant? {
        do throws(ZeroMQError) {
            while let (peer, request) = try beacon.next(at: now.monotonic) {
                // It takes every phone: what it carries it cannot read.
                if case .register = request {
                    try beacon.send(.registration(Data(LinkRequest.successText.utf8)), to: peer)
                }
            }
            _ = try beacon.advertise(at: now.monotonic)
        } catch {
            return nil
        }
        return beacon.deadline
    }
}
