import Appliances
package import Brokers
package import Companion
import Foundation
package import MQTT
package import Peripherals
import Platform
import Primitives
package import Service
import SyncTransport
import TarsApp
import TarsModel
import WatchConnectivity
import ZeroMQ

/// A phone as a process: the home, its radio, its broker, its watches and the socket for commands.
package struct PhoneProcess: Sendable {
    /// Where it keeps what it has, and how watches find it.
    private let place: CompanionPlace
    /// The folder of the simulated short link; nil without one.
    package var air: Air?
    /// The broker; nil without one.
    package var broker: BrokerSettings?
    /// The password for the broker.
    package var password: String?
    /// Told how the session at the broker stands, on any thread.
    package var onBroker: @Sendable (SessionStatus) -> Void = { _ in }

    /// The name of the phone's place, for ``Air/walk(_:away:)``.
    package static let place = "phone"

    /// Whether messages at the broker may expire.
    private var expires: Bool { broker?.protocolVersion == .v5 }

    /// A phone's folder as commands find it.
    package static func service(folder: String) -> ServiceFolder {
        ServiceFolder(path: folder, noun: "phone", startAdvice: "start it with: tars phone")
    }

    /// Prepares a phone at a place, without the short link and a broker; nothing is opened.
    package init(_ place: CompanionPlace) { self.place = place }

    /// Works until the task is cancelled.
    ///
    /// - Parameter onReady: Called when commands and watches are answered; on any thread.
    /// - Throws: ``HomeProblem``, `FolderError` if another phone has the folder, and what sockets and files say.
    package func run(onReady: @escaping @Sendable () -> Void) async throws {
        let host = try place.phone(records: HomeRecords.rules) {
            try Home(try HomeFile(folder: place.folder), records: WCSession.records)
        }
        let home = host.phone
        let records = WCSession.records

        let (events, eventSource) = AsyncStream<AirLoop<TarsMaker>.Event>.makeStream()
        let context = try Context()
        let radio = try air.map { air in
            try LoopThread {
                AirLoop<TarsMaker>(air, place: Self.place, reach: .known, context) { eventSource.yield($0) }
            }
        }
        let (messages, messageSource) = AsyncStream<MQTT.Message>.makeStream()
        let (reach, reachSource) = AsyncStream<HomeCore.Input>.makeStream()
        let expires = self.expires
        let session = broker.map { settings in
            settings.session(
                password: password, clientIdentifier: nil, stepsDown: true,
                onMessages: { messages in
                    for message in messages { messageSource.yield(message) }
                    return .acknowledge
                },
                onStatus: { [onBroker] status in
                    onBroker(status)
                    let isConnected = if case .connected = status.phase { true } else { false }
                    reachSource.yield(
                        .broker(
                            BrokerReach(isConnected: isConnected, messagesExpire: expires && !status.hasSteppedDown)))
                })
        }
        let desk = HomeDesk(
            home, host, send: { serial, request in radio?.post(.send(serial, request)) },
            know: { radio?.post(.know($0)) })
        await home.connect(ways(home, host, radio, session, hub: await home.contents.hub))
        let links = try PendingLink.all(in: place.folder).take()
        // A command waits for its device, and a page for news: others are answered meanwhile.
        let control = ControlServer(endpoint: try Self.service(folder: place.folder).controlEndpoint(), atOnce: 32) {
            await desk.answer($0)
        }

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await host.run() }
            group.addTask { try await control.run(onReady: onReady) }
            group.addTask { for await event in events { await desk.take(event) } }
            group.addTask {
                for await message in messages {
                    await desk.take(
                        topic: message.topic.text, payload: message.payload, isRetained: message.isRetained)
                }
            }
            group.addTask { for await input in reach { await home.handle(input) } }
            group.addTask { for await _ in records.changes { await home.recordsChanged() } }
            for link in links {
                group.addTask {
                    let status = await home.perform(link)
                    place.notice("an earlier link: \(status.words(at: .now))")
                    // What ends first ends the phone.
                    try await Task.sleep(for: .seconds(Int64.max / 4))
                }
            }
            if let session { group.addTask { await session.run() } }
            defer { group.cancelAll() }
            try await group.next()
        }
        radio?.stop()
    }

    private func ways(
        _ home: Home, _ host: PhoneHost<Home>, _ radio: LoopThread<AirLoop<TarsMaker>.Request>?,
        _ session: BrokerSession?,
        hub: String
    ) -> Home.Ways {
        var ways = Home.Ways()
        ways.write = { serial, sealed in radio?.post(.send(serial, .command(Data(sealed)))) }
        ways.know = { radio?.post(.know($0)) }
        ways.want = { [hub] filters, again in
            session?.want(
                Set(filters.union(HomeDesk.filters(hub: hub)).compactMap { try? TopicFilter($0) }),
                renewing: Set(again.compactMap { try? TopicFilter($0) }))
        }
        ways.publish = { topic, payload, mayRepeat, seconds in
            guard let session, let name = try? TopicName(topic) else { return }
            Task {
                // Whatever fails here, the device's word does not come, and the command stays unconfirmed.
                try? await session.publish(
                    payload, to: name, qualityOfService: mayRepeat ? .atLeastOnce : .atMostOnce, isRetained: false,
                    expirySeconds: expires ? seconds : nil)
            }
        }
        ways.show = { Task { await host.viewsChanged() } }
        ways.tell = { ending, watch in
            Task {
                do {
                    try await host.send(ending, to: watch)
                } catch {
                    place.notice("the watch does not learn the end of a command: \(error)")
                }
            }
        }
        return ways
    }
}
