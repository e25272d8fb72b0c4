import Logging
import PoolControl
import PoolModel
import Service
import TestSupport
import Testing

@testable import PoolHub
@testable import SyncCore

/// To whom the reducer passes what, at moments that the tests choose.
@Suite struct HubReducerTests {
    private let shown = Recorder<HubEvent>()
    private let second = Awaited<Int64>(0)
    private let alerts = AlertQueue()
    private let publishing = PublisherQueue()
    private let place: TestHubFolder
    private let reducer: HubReducer

    init() throws {
        let (shown, second) = (self.shown, self.second)
        place = try TestHubFolder()
        let logger = Logger(label: "test")
        reducer = HubReducer(
            alerts: alerts, publishing: publishing, queries: QueryService(logger: logger),
            files: try FileSharing(try HubFolder(path: place.path), queues: [:], logger: logger),
            userInfo: UserInfoConsumer(logger: logger),
            now: {
                Moment(monotonic: Instant(nanoseconds: second.value * 1_000_000_000), wallMilliseconds: 0)
            }, onEvent: { shown.record($0) })
    }

    private func take(_ event: HubEngine.Event) { #expect(reducer.handle(.engine(event)) == nil) }

    private func take(_ event: TransferEvent, from watch: PeerKey) {
        #expect(reducer.handle(.transfer(event, from: watch)) == nil)
    }

    private func key(_ number: Int) throws -> PeerKey {
        try #require(
            PeerKey(bytes: [UInt8](repeating: 7, count: 30) + [UInt8(number / 256), UInt8(number % 256)]))
    }

    private func declined(_ number: Int, _ code: Refusal.Code = .notPaired, _ text: String = "no") throws {
        take(.refused(try key(number), Refusal(code: code, text: text, retryAfterMilliseconds: 1000)))
    }

    private func pass(seconds: Int64) {
        second.change { $0 += seconds }
    }

    @Test func `what a stranger repeats is a line in half a minute for each reason, whatever it makes the words be`()
        throws
    {
        for number in 0..<600 {
            try declined(1, .upgradeHub, "the watch reads \(number)")
            if number % 10 == 9 { pass(seconds: 1) }
        }
        #expect(shown.items.map(\.kind) == [.declined, .declined])

        try declined(1, .invitationVoid)
        try declined(2)
        #expect(shown.items.count == 4)
    }

    @Test func `what a watch can do hundreds of times is told some times, and what others do then each time`() throws {
        let (busy, other) = (try key(1), try key(2))
        for number in 0..<300 as Range<UInt64> {
            take(.linked(busy, name: "Busy"))
            take(.unlinked(busy, name: "Busy", .farewell))
            take(.committed(Version(epoch: Epoch(number: 1), revision: number, chain: 1)))
        }
        #expect(shown.items.count == 32 + 32 + 128)
        take(.linked(other, name: "Other"))
        #expect(shown.items.count == 193)
        for number in 0..<LogRateLimit.countMax { try declined(number + 100) }
        #expect(shown.items.count == 193 + LogRateLimit.countMax)
        pass(seconds: 30)
        take(.linked(busy, name: "Busy"))
        #expect(shown.items.count == 194 + LogRateLimit.countMax)
    }

    @Test func `what is repaired in many records is a line in half a minute`() throws {
        let sentences = Array(repeating: "The name of a device was removed.", count: 128) + ["Another."]
        for _ in 0..<20 {
            reducer.note(configuration: sentences)
            pass(seconds: 2)
        }
        #expect(shown.items.count == 4)
    }

    @Test func `many strangers together get so many lines in half a minute, and no more`() throws {
        for number in 0..<1000 { try declined(number) }
        #expect(shown.items.count == LogRateLimit.countMax)
        pass(seconds: 30)
        try declined(999)
        #expect(shown.items.count == LogRateLimit.countMax + 1)
    }

    @Test func `that edits wait for room among the conflicts is told again when some were taken meanwhile`() throws {
        let watch = try key(1)
        for _ in 0..<100 {
            take(.conflictsFull(watch))
            pass(seconds: 2)
        }
        #expect(shown.items.count == 1)
        take(.uploadsTaken(watch, highest: 1))
        take(.conflictsFull(watch))
        #expect(shown.items.count == 2)

        // Nor as often as a watch can do it.
        take(.uploadsTaken(watch, highest: 2))
        take(.conflictsFull(watch))
        #expect(shown.items.count == 2)
        pass(seconds: 30)
        take(.conflictsFull(watch))
        #expect(shown.items.count == 3)
    }

    @Test func `what happens rarely is told each time`() throws {
        let watch = try key(1)
        for _ in 0..<3 {
            take(.linked(watch, name: "Kitchen"))
            take(.unlinked(watch, name: "Kitchen", .silent))
        }
        #expect(shown.items.count == 6)
    }

    @Test func `a store that fails is a notice that needs attention, with the name of the watch whose part it is`()
        throws
    {
        let watch = try key(1)
        take(.linked(watch, name: "Kitchen"))
        take(.notStored("the disk is full"))
        for _ in 0..<10 {
            take(.exchange(.notStored("the disk is full")), from: watch)
            take(.files(.notStored("the disk is full")), from: watch)
        }
        // The first one is the link.
        let failures = shown.items.dropFirst()
        #expect(
            failures.map(\.words) == [
                "the hub's store failed: the disk is full; what watches send is tried again",
                "the hub's store failed for the watch Kitchen: the disk is full; what watches send is tried again",
            ])
        #expect(failures.allSatisfy { $0.kind == .notice && $0.severity == .warning })
    }

    // MARK: - What the water and the brokers tell

    private func readings(_ ph: Double) -> DeviceReadings {
        let moment = Timestamp(milliseconds: 1000)
        return DeviceReadings(
            deviceID: DeviceID(high: 1, low: 1), order: 7,
            values: [.ph: LatestValue(value: ph, sampledAt: moment, timeQuality: .device, receivedAt: moment)])
    }

    private func published() -> [PublisherQueue.Input] {
        var inputs: [PublisherQueue.Input] = []
        while let input = publishing.next() { inputs.append(input) }
        return inputs
    }

    @Test func `a new reading goes to the watches, the publisher and the people, each once`() throws {
        let count = reducer.changeSignal.count
        #expect(reducer.handle(.ingest(.shown(readings(7.2), isNew: true))) == readings(7.2).register)
        guard case .readings(readings(7.2))? = published().only else {
            Issue.record("the publisher got something else")
            return
        }
        guard case .reading(_, readings(7.2))? = shown.items.only else {
            Issue.record("people got something else")
            return
        }
        #expect(reducer.events(after: 0).map(\.kind) == [.reading])
        #expect(reducer.changeSignal.count == count + 1)
        #expect(alerts.takeAll().isEmpty)
    }

    @Test func `what was known before the start goes to the watches alone`() {
        #expect(reducer.handle(.ingest(.shown(readings(7.2), isNew: false))) == readings(7.2).register)
        #expect(published().isEmpty && shown.items.isEmpty && reducer.events(after: 0).isEmpty)
    }

    @Test func `what ingest learned and what became of a connection are judged in the order in which they came`() throws
    {
        let (server, id) = (try Server.sample(), DeviceID(high: 1, low: 1))
        func state(_ phase: BrokerState.Phase, since: Int64) -> BrokerState {
            BrokerState(phase: phase, since: Timestamp(milliseconds: since))
        }
        let lost = state(.waiting(reason: "refused", needsAttention: false), since: 1)
        let first = reducer.handle(.broker(.state(server, lost, order: 3)))
        _ = reducer.handle(.ingest(.event(.heard(id, receivedAt: Timestamp(milliseconds: 1)))))
        let second = reducer.handle(.broker(.state(server, state(.connected, since: 2), order: 4)))
        _ = reducer.handle(.ingest(.event(.heard(id, receivedAt: Timestamp(milliseconds: 2)))))

        #expect([first, second].map { $0?.order } == [3, 4])
        #expect(Set([first, second].map { $0?.key }) == [RegisterKey.server(server.id).text])
        let judged = alerts.takeAll().map { input in
            switch input {
            case .server(_, let broker): broker.isConnected ? "connected" : "lost"
            case .event(.heard(_, let moment)): "heard \(moment.milliseconds)"
            case .event, .configuration, .watches, .outcome, .authorization, .test, .report, .time: "else"
            }
        }
        #expect(judged == ["lost", "heard 1", "connected", "heard 2"])
        #expect(shown.items.map(\.kind) == [.server, .server])
        // Of a connection only the newest state counts.
        guard case .server(server.id, state(.connected, since: 2))? = published().only else {
            Issue.record("the publisher got something else")
            return
        }
    }

    @Test func `the open alerts go to the watches and to the publisher, and are a change`() throws {
        let count = reducer.changeSignal.count
        let register = try #require(reducer.handle(.alerts([], order: 9)))
        #expect(register.key == RegisterKey.alerts.text && register.order == 9)
        #expect(published().count == 1)
        #expect(reducer.changeSignal.count == count + 1)
    }

    @Test func `a device is named as the configuration names it now`() throws {
        let server = try Server.sample()
        let device = Device(id: DeviceID(high: 1, low: 1), name: "Lagoon", serverID: server.id, topic: "pool")
        let configuration = try PoolConfiguration().adding(server).adding(device)
        let contents = LedgerContents(
            cells: SortedMap(), version: Version(epoch: Epoch(number: 1), revision: 1, chain: 1), conflicts: [])
        #expect(reducer.handle(.configuration(contents, configuration)) == nil)
        _ = reducer.handle(.ingest(.shown(readings(7.2), isNew: true)))
        #expect(reducer.events(after: 0).map(\.text) == ["Lagoon: pH 7.20"])
    }

    @Test func `a commit and a pairing have the configuration looked at`() async throws {
        var changes = reducer.configurationChanges.makeAsyncIterator()
        take(.committed(Version(epoch: Epoch(number: 1), revision: 1, chain: 1)))
        #expect(await changes.next() != nil)
        take(.paired(PairedWatch(key: try key(1), name: "Wrist", pairedMilliseconds: 0)))
        #expect(await changes.next() != nil)
    }
}

extension Array {
    /// The element of an array that has one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
