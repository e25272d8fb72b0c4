import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub
@testable import SyncCore

@Suite struct ResolvedThemeTests {
    private func server(_ name: String) -> HubCommand {
        var draft = ServerPatch()
        draft.name = name
        draft.host = "127.0.0.1"
        draft.port = 1
        return .edit(.addServer(draft))
    }

    private func look(_ hub: TestHub, _ request: LookRequest) async throws -> HubState? {
        guard case .look(let look, _) = try await hub.perform(.look(request)) else { throw NotRunning() }
        return look
    }

    /// The last look of those after which nothing changes any more.
    private func restingLook(_ hub: TestHub) async throws -> HubState {
        var last = try #require(try await look(hub, LookRequest()))
        while let next = try await look(hub, LookRequest(after: last.change)) { last = next }
        return last
    }

    /// The events after one of this number.
    private func events(_ hub: TestHub, after number: UInt64 = 0) async throws -> [EventSummary] {
        guard case .look(_?, let events) = try await hub.perform(.look(LookRequest(eventsAfter: number))) else {
            throw NotRunning()
        }
        return events
    }

    @Test func `anybody who has seen everything is shown nothing`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let before = try await restingLook(hub)

        _ = try await hub.perform(server("Home"))

        let after = try #require(try await look(hub, LookRequest(after: before.change)))
        #expect(after.change > before.change)
        #expect(after.revision == before.revision + 1)
        #expect(after.servers.map(\.name) == ["Home"])
        #expect(after.isRunning)
        try await hub.stop()
    }

    @Test func `a password is seen although it is no revision`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        _ = try await hub.perform(server("Home"))
        let before = try await restingLook(hub)
        #expect(before.servers.first?.hasPassword == false)

        var draft = ServerPatch()
        draft.password = "wet"
        _ = try await hub.perform(.edit(.editServer(hub.report().serverID("Home"), draft)))

        #expect(try await restingLook(hub).servers.first?.hasPassword == true)
        try await hub.stop()
    }

    @Test func `an edit rings for those who look`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        var changes = try #require(hub.changes).makeAsyncIterator()

        _ = try await hub.perform(server("Home"))

        #expect(await changes.next() != nil)
        try await hub.stop()
    }

    @Test func `events are told once, in their order, to each who asks for those after the last`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        _ = try await restingLook(hub)
        let first = try await events(hub)
        #expect(first.first?.kind == .listening)
        #expect(first.map(\.number) == first.map(\.number).sorted())
        let last = try #require(first.last?.number)

        _ = try await hub.perform(server("Home"))
        await hub.events.wait { $0.contains { $0.isRevision(1) } }

        let next = try await events(hub, after: last)
        #expect(next.contains { $0.kind == .configured && $0.text == "settings changed" })
        #expect(next.allSatisfy { $0.number > last })
        try await hub.stop()
    }

    @Test func `reconnecting needs a server that is in use`() async throws {
        // P63
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        guard case .refused = try await hub.perform(.reconnect) else {
            Issue.record("connected to nothing")
            return
        }
        try await hub.stop()
    }

    @Test func `what is said of a watch names it, and only a stranger by its key`() throws {
        var words = EngineEventFormatter()
        let keys = try (0..<3).map { try #require(PeerKey(bytes: [UInt8](repeating: $0, count: 32))) }
        func notice(_ event: HubEngine.Event) -> String? { words.events(for: event).first?.words }
        words.learn(.linked(keys[0], name: "Kitchen"))
        words.learn(.paired(PairedWatch(key: keys[1], name: "Wrist", pairedMilliseconds: 0)))
        #expect(notice(.clockSuspect(keys[0]))?.contains("the watch Kitchen is far ahead") == true)
        #expect(notice(.uploadsContradicted(keys[1]))?.contains("the watch Wrist was restored") == true)
        #expect(notice(.duplicateWatch(keys[0]))?.contains("the key of the watch Kitchen") == true)
        #expect(notice(.conflictsFull(keys[2]))?.contains("edits of the watch 02020202 wait") == true)
    }
}

@Suite struct EventTailTests {
    private func readings(_ value: Double) -> DeviceReadings {
        let moment = Timestamp(milliseconds: 1000)
        return DeviceReadings(
            deviceID: DeviceID(high: 1, low: 1),
            values: [
                .ph: LatestValue(value: value, sampledAt: moment, timeQuality: .device, receivedAt: moment)
            ])
    }

    @Test func `the readings of a device in one second are one event`() {
        var tail = EventTail()
        tail.note(.reading(device: "Lagoon", readings(7.1)), at: Timestamp(milliseconds: 0))
        tail.note(.reading(device: "Spa", readings(7.2)), at: Timestamp(milliseconds: 100))
        tail.note(.reading(device: "Lagoon", readings(7.3)), at: Timestamp(milliseconds: 900))
        tail.note(.reading(device: "Lagoon", readings(7.4)), at: Timestamp(milliseconds: 2000))

        #expect(tail.events(after: 0).map(\.text) == ["Spa: pH 7.20", "Lagoon: pH 7.30", "Lagoon: pH 7.40"])
    }

    @Test func `readings never push out what happens rarely`() {
        var tail = EventTail()
        tail.note(.paired(watch: "Wrist"), at: Timestamp(milliseconds: 0))
        for number in 1...5000 {
            tail.note(.reading(device: "Lagoon", readings(7)), at: Timestamp(milliseconds: Int64(number) * 1000))
        }
        let events = tail.events(after: 0)
        #expect(events.first?.kind == .paired)
        #expect(events.count == EventTail.readingCountMax + 1)
    }

    @Test func `the oldest events give way to new ones`() {
        var tail = EventTail()
        for number in 1...1000 { tail.note(.notice("\(number)"), at: Timestamp(milliseconds: 0)) }
        let events = tail.events(after: 0)
        #expect(events.count == EventTail.countMax)
        #expect(events.last?.number == 1000)
        #expect(tail.events(after: 998).map(\.number) == [999, 1000])
    }

    @Test func `what watches and strangers repeat pushes out nothing of others`() {
        var tail = EventTail()
        let moment = Timestamp(milliseconds: 0)
        tail.note(.linked(watch: "Honest"), at: moment)
        tail.note(.notice("the disk is full"), at: moment)
        for number in 1...2000 as ClosedRange<UInt64> {
            for name in ["Greedy", "Greedier"] {
                tail.note(.linked(watch: name), at: moment)
                tail.note(.unlinked(watch: name, reason: "it left"), at: moment)
            }
            tail.note(.configured(revision: number), at: moment)
            tail.note(.declined(reason: "\(number)"), at: moment)
        }
        let events = tail.events(after: 0)
        #expect(events.prefix(2).map(\.text) == ["watch Honest: linked", "the disk is full"])
        #expect(events.count == 2 + 4 * EventTail.shareCountMax)

        // Where all are too many, those of which there are the most make room.
        for number in 1...2000 { tail.note(.notice("\(number)"), at: moment) }
        #expect(tail.events(after: 0).first?.text == "watch Honest: linked")
        #expect(tail.events(after: 0).count == EventTail.countMax)
    }

    @Test(arguments: [
        (27.349, Quantity.temperature, "27.3 °C"), (7.6, .ph, "pH 7.60"), (0.05, .chlorine, "Cl 0.05 mg/L"),
        (620.5, .orp, "621 mV"), (-0.04, .temperature, "0.0 °C"), (-3.25, .temperature, "-3.3 °C"),
    ])
    func `a value has the digits of its quantity`(value: Double, quantity: Quantity, text: String) {
        #expect(ValueFormatter.text(value, of: quantity) == text)
    }
}

@Suite struct LatencyMeterTests {
    private let peer = PeerKey(bytes: Array(repeating: 7, count: 32))

    private func version(_ revision: UInt64) -> Version {
        Version(epoch: Epoch(number: 1), revision: revision, chain: revision)
    }

    private func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test func `a watch that holds everything has the lag of the last revision`() throws {
        var meter = LatencyMeter()
        let peer = try #require(peer)
        meter.note(.committed(version(5)), at: instant(1000))
        meter.note(.acknowledged(peer, version(5)), at: instant(1040))
        #expect(meter.milliseconds(of: peer, holding: 5, at: instant(9000)) == 40)
    }

    @Test func `a watch that lacks a revision lags since that was made`() throws {
        var meter = LatencyMeter()
        let peer = try #require(peer)
        meter.note(.committed(version(5)), at: instant(1000))
        meter.note(.committed(version(6)), at: instant(3000))
        #expect(meter.milliseconds(of: peer, holding: 4, at: instant(9000)) == 8000)
        #expect(meter.milliseconds(of: peer, holding: 5, at: instant(9000)) == 6000)
    }

    @Test func `nothing is known of the lag before a revision was made`() throws {
        #expect(LatencyMeter().milliseconds(of: try #require(peer), holding: 4, at: instant(9000)) == nil)
    }
}

extension HubEvent {
    fileprivate func isRevision(_ number: UInt64) -> Bool {
        guard case .configured(number) = self else { return false }
        return true
    }
}
