package import Brokers
import Companion
import Foundation
package import MQTT
import Platform
import Primitives
package import Service
import SyncTransport
import TarsApp
package import TarsLink
import TarsModel
import WatchConnectivity
import ZeroMQ

/// A phone as a process: the home, its radio, its broker, its watches and the socket for commands.
package struct PhoneProcess: Sendable {
    /// What it needs.
    package struct Options: Sendable {
        /// The folder of everything that it keeps.
        package var folder: String
        /// The folder of the simulated short link; nil without one.
        package var air: Air?
        /// The broker; nil without one.
        package var broker: BrokerSettings?
        /// The password for the broker.
        package var password: String?
        /// Where watches of other machines connect; nil for this machine only.
        package var endpoint: String?
        /// Where the phone and the watches of this machine find each other; nil to pair by codes only.
        package var meetingFolder: String?
        /// Told how the session at the broker stands, on any thread.
        package var onBroker: @Sendable (SessionStatus) -> Void = { _ in }
        /// Told what developers should see, on any thread.
        package var notice: @Sendable (String) -> Void = { _ in }

        /// A phone with this folder only.
        package init(folder: String) { self.folder = folder }

        /// The folder as commands find the phone.
        package var service: ServiceFolder { PhoneProcess.service(folder: folder) }
    }

    /// The name of the phone's place, for ``Air/walk(_:away:)``.
    package static let place = "phone"

    /// A phone's folder as commands find it.
    package static func service(folder: String) -> ServiceFolder {
        ServiceFolder(path: folder, noun: "phone", startAdvice: "start it with: tars phone")
    }

    private let options: Options

    /// Prepares a phone; nothing is opened.
    package init(_ options: Options) { self.options = options }

    /// Works until the task is cancelled.
    ///
    /// - Parameter onReady: Called when commands and watches are answered; on any thread.
    /// - Throws: ``HomeProblem``, `FolderError` if another phone has the folder, and what sockets and files say.
    package func run(onReady: @escaping @Sendable () -> Void) async throws {
        var setup = SessionSetup(
            side: .phone, stateFolder: "\(options.folder)/link", meetingFolder: options.meetingFolder)
        setup.endpoint = options.endpoint
        setup.records = HomeRecords.rules
        let store = try CompanionStore(try FolderStorage(path: "\(options.folder)/companion"))
        try WCSession.setUp(setup.companion(TarsApp.self, store: store))
        let records = WCSession.records
        let home = try Home(try HomeFile(folder: options.folder), records: records)
        let host = PhoneHost(
            home, store: store, inbox: URL(filePath: "\(options.folder)/inbox"),
            environment: CompanionEnvironment(notice: options.notice))

        let (events, eventSource) = AsyncStream<AirLoop.Event>.makeStream()
        let context = try Context()
        let air = try options.air.map { air in
            try LoopThread { AirLoop(air, place: Self.place, reach: .known, context) { eventSource.yield($0) } }
        }
        let (messages, messageSource) = AsyncStream<MQTT.Message>.makeStream()
        let (broker, brokerSource) = AsyncStream<HomeCore.Input>.makeStream()
        let expires = options.broker.map { $0.protocolVersion == .v5 } ?? false
        let session = options.broker.map { settings in
            settings.session(
                password: options.password, clientIdentifier: nil, stepsDown: true,
                onMessages: { messages in
                    for message in messages { messageSource.yield(message) }
                    return .acknowledge
                },
                onStatus: { [onBroker = options.onBroker] status in
                    onBroker(status)
                    let isConnected = if case .connected = status.phase { true } else { false }
                    brokerSource.yield(
                        .broker(isConnected: isConnected, messagesExpire: expires && !status.hasSteppedDown))
                })
        }
        let desk = HomeDesk(
            home, host, send: { serial, request in air?.post(.send(serial, request)) },
            know: { air?.post(.know($0)) })
        await home.connect(ways(home, host, air, session, hub: await home.contents.hub))
        let links = try PendingLinks(folder: options.folder).take()
        // A command waits for its device, and a page for news: others are answered meanwhile.
        let control = ControlServer(endpoint: try options.service.controlEndpoint(), atOnce: 32) {
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
            group.addTask { for await input in broker { await home.handle(input) } }
            group.addTask { for await _ in records.changes { await home.recordsChanged() } }
            for link in links {
                group.addTask {
                    let status = await home.perform(link)
                    options.notice("an earlier link: \(HomeText.words(status, at: .now))")
                    // What ends first ends the phone.
                    try await Task.sleep(for: .seconds(Int64.max / 4))
                }
            }
            if let session { group.addTask { await session.run() } }
            defer { group.cancelAll() }
            try await group.next()
        }
        air?.stop()
    }

    private func ways(
        _ home: Home, _ host: PhoneHost<Home>, _ air: LoopThread<AirLoop.Request>?, _ session: BrokerSession?,
        hub: String
    ) -> Home.Ways {
        var ways = Home.Ways()
        ways.write = { serial, sealed in air?.post(.send(serial, .command(Data(sealed)))) }
        ways.know = { air?.post(.know($0)) }
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
                    expirySeconds: expiry(seconds))
            }
        }
        ways.show = { Task { await host.viewsChanged() } }
        ways.tell = { ending, watch in
            Task {
                do {
                    try await host.send(ending, to: watch)
                } catch {
                    options.notice("the watch does not learn the end of a command: \(error)")
                }
            }
        }
        return ways
    }

    private func expiry(_ seconds: UInt32) -> UInt32? {
        options.broker?.protocolVersion == .v5 ? seconds : nil
    }
}
