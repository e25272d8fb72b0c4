import Foundation
import Logging
import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore
import TestSupport
import Testing

@testable import PoolHub

/// The alert service with clocks that are turned by hand.
@Suite struct AlertsServiceTests {
    /// Clocks that move only when told.
    final class TurnedClocks: Sendable {
        private let milliseconds = Lock<Int64>(0)

        var moment: AlertTime {
            milliseconds.withLock {
                AlertTime(
                    wall: Timestamp(milliseconds: 1_780_000_000_000 + $0), uptimeMilliseconds: 1_000_000 + $0, bootID: 7
                )
            }
        }

        func turn(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
    }

    /// The parts of a hub that the service uses; what it asks of them is recorded.
    final class BenchEnvironment: AlertEnvironment {
        let clocks = TurnedClocks()
        let deliveries = Recorder<(notice: AlertNotice, channel: AlertChannel)>()
        let states = Recorder<AlertState>()
        let orders = Recorder<UInt64>()
        let outcome = Lock<[AlertChannel: AlertOutcome]>([:])
        let permitted = Lock<Set<AlertChannel>>([.terminal, .webhook])
        private let onDelivery: @Sendable (AlertNotice, AlertChannel) -> Void

        init(onDelivery: @escaping @Sendable (AlertNotice, AlertChannel) -> Void) {
            self.onDelivery = onDelivery
        }

        var now: AlertTime { clocks.moment }

        func deliver(
            _ notice: AlertNotice, over channel: AlertChannel, _ settings: AlertSettings
        ) async -> AlertOutcome {
            onDelivery(notice, channel)
            deliveries.record((notice, channel))
            return outcome.withLock { $0[channel] } ?? .delivered
        }

        func authorization(of channel: AlertChannel) async -> AlertAuthorization {
            permitted.withLock { $0.contains(channel) } ? .granted : .denied
        }

        func show(_ alerts: [AlertState.Alert], order: UInt64) {
            states.record(AlertState(alerts))
            orders.record(order)
        }

        func removeAnswers(to keys: [AlertKey]) async throws {}
    }

    /// A service with one device, whose deliveries are recorded.
    final class Bench: Sendable {
        let device: Device
        let service: AlertService
        let inputs = AlertQueue()
        private let environment: BenchEnvironment
        private let store: AlertStore
        private let task = Lock<Task<Void, Never>?>(nil)
        private let configuration: PoolConfiguration

        /// Creates a bench on a hub's folder; `onDelivery` is called before a notice is recorded as delivered.
        init(
            _ path: String, onDelivery: @escaping @Sendable (AlertNotice, AlertChannel) -> Void = { _, _ in }
        ) throws {
            let server = try Server.sample()
            device = Device(
                id: DeviceID(high: 1, low: 1), name: "Lagoon", serverID: server.id, topic: "pool",
                expectedIntervalSeconds: 60)
            var settings = AlertSettings()
            settings.channels.webhook = .init(url: "http://127.0.0.1:1/")
            configuration = try PoolConfiguration().adding(server).adding(device).alerting(settings)
            environment = BenchEnvironment(onDelivery: onDelivery)
            let folder = try HubFolder(path: path)
            store = folder.history.alerts
            service = try AlertService(
                folder, inputs: inputs, environment: environment, logger: Logger(label: "test"))
        }

        var clocks: TurnedClocks { environment.clocks }
        var deliveries: Recorder<(notice: AlertNotice, channel: AlertChannel)> { environment.deliveries }
        var states: Recorder<AlertState> { environment.states }
        var orders: Recorder<UInt64> { environment.orders }

        func start() {
            task.withLock { task in task = Task { [service] in await service.run() } }
            service.use(configuration)
        }

        /// Ends the service, and waits for nothing.
        func cancel() { task.withLock { $0?.cancel() } }

        func stop() async {
            let task = task.withLock { task in
                defer { task = nil }
                return task
            }
            task?.cancel()
            await task?.value
        }

        func answer(_ channel: AlertChannel, _ outcome: AlertOutcome?) {
            environment.outcome.withLock { $0[channel] = outcome }
        }

        func permit(_ channels: Set<AlertChannel>) { environment.permitted.withLock { $0 = channels } }

        func measure(_ quantity: Quantity, _ value: Double) {
            inputs.post(
                .event(
                    .measured(
                        device.id, [quantity: value], sampledAt: clocks.moment.wall, receivedAt: clocks.moment.wall,
                        isCurrent: true)))
        }

        /// The ids of the notices in the log.
        func logged() throws -> [String] {
            try store.events(limit: 100).map { try CanonicalJSON.decode(AlertNotice.self, from: $0.json).id }
        }

        /// Returns once everything that was said before was heard.
        func settle() async throws { _ = try await service.report() }

        func ids(_ channel: AlertChannel) -> [String] {
            deliveries.items.filter { $0.channel == channel }.map(\.notice.id)
        }
    }

    @Test func `a web address that was down gets the notice when it is up again`() async throws {
        // V7
        let folder = try TestHubFolder()
        let bench = try Bench(folder.path)
        bench.answer(.webhook, .failed("down"))
        bench.start()
        bench.measure(.ph, 9.1)
        try await poll("the trouble of the web address") {
            try await bench.service.report().channels.first { $0.channel == .webhook }?.trouble == "down"
        }
        bench.answer(.webhook, .delivered)
        try await bench.settle()
        #expect(bench.ids(.webhook).count == 1)
        bench.clocks.turn(seconds: 5)
        bench.inputs.post(.time)
        await bench.deliveries.wait { $0.filter { $0.channel == .webhook }.count == 2 }
        #expect(Set(bench.ids(.webhook)).count == 1)
        #expect(bench.ids(.terminal).count == 1)
        await bench.stop()
    }

    @Test func `a topic that the broker refuses is told for its device, and a message ends that`() async throws {
        let folder = try TestHubFolder()
        let bench = try Bench(folder.path)
        bench.start()
        let server = try Server.sample()
        func tell(_ refused: String...) {
            var state = BrokerState(phase: .connected, since: bench.clocks.moment.wall)
            state.refusals = refused.map { .init(filter: $0, reason: "not authorized (0x87)") }
            bench.inputs.post(.server(server, state))
        }

        tell("elsewhere", "other/#")
        bench.clocks.turn(seconds: 11)
        bench.inputs.post(.time)
        try await bench.settle()
        #expect(bench.deliveries.items.isEmpty)
        tell("pool/#")
        try await bench.settle()
        bench.clocks.turn(seconds: 11)
        bench.inputs.post(.time)
        await bench.deliveries.wait { !$0.isEmpty }
        let notice = try #require(bench.deliveries.items.first?.notice)
        #expect(notice.key == .missing(bench.device.id, nil))
        #expect(notice.text.contains("the broker refuses its topics"), "\(notice.text)")

        bench.measure(.ph, 7.2)
        await bench.deliveries.wait { $0.contains { $0.notice.kind == .recovered } }
        await bench.stop()
    }

    @Test func `on a full disk the hub's trouble and what is wrong with the water leave on every channel`() async throws
    {
        // In a process of its own, for which the disk can be full.
        await #expect(processExitsWith: .success) {
            let folder = try TestHubFolder()
            let bench = try Bench(folder.path)
            bench.start()
            bench.measure(.ph, 7.2)
            try await bench.settle()
            // From now on no file grows.
            limitFileSize(to: 4096)
            bench.measure(.ph, 7.9)
            bench.measure(.ph, 7.95)
            for channel in [AlertChannel.terminal, .webhook] {
                await bench.deliveries.wait { deliveries in
                    let keys = deliveries.filter { $0.channel == channel }.map(\.notice.key)
                    return Set(keys) == [.hub(.storage), .value(bench.device.id, .ph, .high)]
                }
            }
            let ids = bench.ids(.terminal)
            #expect(ids.count == 2)

            limitFileSize(to: .max)
            for _ in 0..<3 {
                bench.clocks.turn(seconds: 30)
                bench.inputs.post(.time)
                try await bench.settle()
            }
            await bench.deliveries.wait { $0.contains { $0.notice.kind == .recovered } }
            #expect(bench.deliveries.items.last { $0.notice.kind == .recovered }?.notice.key == .hub(.storage))
            #expect(Set(ids).isSubset(of: Set(bench.ids(.terminal))))
            // What was told from memory is in the log, too.
            let log = try bench.logged()
            #expect(Set(ids).isSubset(of: Set(log)) && Set(log).count == log.count)
            #expect(try await bench.service.report().state.alerts.map(\.key) == [.value(bench.device.id, .ph, .high)])
            await bench.stop()
        }
    }

    @Test func `the order that is told is the one of a state with all that was measured before`() async throws {
        let folder = try TestHubFolder()
        let bench = try Bench(folder.path)
        bench.start()
        for value in [9.1, 7.2, 9.1, 7.2] {
            bench.measure(.ph, value)
            bench.clocks.turn(seconds: 300)
            bench.measure(.ph, value)
            let order = try await bench.service.shownOrder()
            #expect(bench.orders.items.last == order)
            #expect(bench.states.items.last?.alerts.isEmpty == (value == 7.2))
        }
        await bench.stop()
    }

    @Test func `without a permitted channel nothing is told and nothing is used up`() async throws {
        // P69, X15
        let folder = try TestHubFolder()
        let bench = try Bench(folder.path)
        bench.permit([])
        bench.start()
        bench.measure(.ph, 9.1)
        await bench.states.wait { $0.contains { !$0.alerts.isEmpty } }
        try await bench.settle()
        #expect(bench.deliveries.items.isEmpty)
        bench.permit([.terminal])
        bench.service.note(watchCount: 1)
        await bench.deliveries.wait { !$0.isEmpty }
        #expect(Set(bench.deliveries.items.map(\.notice.kind)) == [.raised])
        await bench.stop()
    }

    @Test func `a device that falls silent for three intervals is missing, and back with its next word`() async throws {
        // P27, X21
        let folder = try TestHubFolder()
        let bench = try Bench(folder.path)
        bench.start()
        bench.measure(.ph, 7.2)
        try await bench.settle()
        bench.clocks.turn(seconds: 179)
        bench.inputs.post(.time)
        try await bench.settle()
        bench.clocks.turn(seconds: 1)
        bench.inputs.post(.time)
        try await bench.settle()
        #expect(bench.deliveries.items.isEmpty)
        // The delay of the settings.
        bench.clocks.turn(seconds: 120)
        bench.inputs.post(.time)
        await bench.deliveries.wait { !$0.isEmpty }
        #expect(bench.deliveries.items[0].notice.key == .missing(bench.device.id, nil))
        bench.measure(.ph, 7.2)
        bench.clocks.turn(seconds: 1)
        bench.measure(.ph, 7.2)
        await bench.deliveries.wait { $0.contains { $0.notice.kind == .recovered } }
        await bench.stop()
    }

    @Test func `an alert outlives the process, with its cooldown and its identity`() async throws {
        // P66
        let folder = try TestHubFolder()
        let first = try Bench(folder.path)
        first.start()
        first.measure(.ph, 9.1)
        await first.deliveries.wait { $0.count == 2 }
        let episode = try #require(first.deliveries.items.first?.notice.episodeID)
        try await poll("an alert") { try await !first.service.report().state.alerts.isEmpty }
        try await first.settle()
        await first.stop()

        let again = try Bench(folder.path)
        again.start()
        await again.states.wait { $0.contains { $0.alerts.first?.episodeID == episode } }
        await again.stop()
    }

    @Test func `what was delivered while the hub ended is not delivered again after its start`() async throws {
        let folder = try TestHubFolder()
        let bench = Lock<Bench?>(nil)
        let first = try Bench(folder.path) { _, _ in bench.withLock(\.self)?.cancel() }
        bench.withLock { $0 = first }
        first.permit([.terminal])
        first.start()
        first.measure(.ph, 9.1)
        await first.deliveries.wait { $0.count == 1 }
        await first.stop()
        bench.withLock { $0 = nil }

        let again = try Bench(folder.path)
        again.permit([.terminal])
        again.start()
        await again.states.wait { $0.contains { !$0.alerts.isEmpty } }
        // What comes over this channel comes in its order: the first notice would be ahead of this one.
        again.measure(.ph, 4)
        await again.deliveries.wait { !$0.isEmpty }
        #expect(!again.ids(.terminal).contains(try #require(first.ids(.terminal).first)))
        await again.stop()
    }

    @Test func `of the configurations that wait only the newest counts, in the place of the first`() throws {
        let queue = AlertQueue()
        queue.post(.test)
        for count in 0...50 {
            var settings = AlertSettings()
            settings.cooldownSeconds = count
            queue.post(.configuration(PoolConfiguration(servers: [], devices: [], pools: [], alerts: settings)))
            queue.post(.watches(count))
        }
        let inputs = queue.takeAll()
        #expect(inputs.count == 53)
        guard case .configuration(let newest) = inputs[1], case .watches(50)? = inputs.last else {
            Issue.record("other inputs")
            return
        }
        #expect(newest.alerts.cooldownSeconds == 50)
    }

    @Test func `of too many events the oldest are dropped, and counted`() {
        let queue = AlertQueue()
        let id = DeviceID(high: 1, low: 1)
        for second in 0..<(AlertQueue.limit + 3) {
            queue.post(.event(.heard(id, receivedAt: Timestamp(milliseconds: Int64(second)))))
        }
        queue.post(.test)
        let inputs = queue.takeAll()
        #expect(inputs.count == AlertQueue.limit + 1)
        #expect(queue.droppedCount == 3)
        guard case .event(.heard(_, let first))? = inputs.first, case .test? = inputs.last else {
            Issue.record("other inputs")
            return
        }
        #expect(first == Timestamp(milliseconds: 3))

        // What was taken leaves its place to others.
        for second in 0..<AlertQueue.limit {
            queue.post(.event(.heard(id, receivedAt: Timestamp(milliseconds: Int64(second)))))
        }
        #expect(queue.droppedCount == 3)
        queue.post(.event(.heard(id, receivedAt: Timestamp(milliseconds: 0))))
        #expect(queue.droppedCount == 4)
        #expect(queue.takeAll().count == AlertQueue.limit)
    }
}

extension Server {
    static func sample() throws -> Server {
        var draft = ServerPatch()
        draft.name = "Garden"
        draft.host = "127.0.0.1"
        return try draft.server(id: ServerID(high: 2, low: 2))
    }
}
