import PoolSamples
import Testing

@testable import PoolAlerts
@testable import PoolModel

@Suite struct AlertDeliveryTests {
    @Test func `nothing leaves before it is durable`() throws {
        var bench = AlertBench()
        bench.persists = false
        bench.value(8.1)
        #expect(bench.sent.isEmpty)
        let write = try #require(bench.writes.last)
        bench.put(.persisted(write.key, ticket: write.ticket))
        #expect(bench.kinds == [.raised])
    }

    @Test func `a write that fails is done again, and the notice is told from memory, once`() throws {
        var bench = AlertBench()
        bench.persists = false
        bench.value(8.1)
        let write = try #require(bench.writes.last)
        bench.put(.persistFailed(write.key, ticket: write.ticket))
        bench.put(.persisted(write.key, ticket: write.ticket))
        #expect(bench.kinds == [.raised])
        bench.persists = true
        bench.wait(5000)
        #expect(bench.sent.count == 1)
        #expect(bench.stored[write.key] != nil)
    }

    @Test func `the hub's own trouble is told from memory while nothing can be stored, and its end when it lasts`() {
        var bench = AlertBench()
        bench.persists = false
        bench.put(.hubFailed(.storage, reason: "its disk is full: free some space"))
        bench.failWrites()
        #expect(bench.notices.map(\.key) == [.hub(.storage)])
        #expect(
            bench.notices.first?.text
                == "Hub: nothing can be stored, its disk is full: free some space; what comes is judged all the same, but "
                + "it is not in the history.")
        #expect(bench.engine.state.alerts.first?.concerns(deviceID(9), of: nil) == true)
        // Notices about values are sent, too.
        bench.value(8.1)
        bench.failWrites()
        #expect(bench.notices.map(\.key) == [.hub(.storage), .value(deviceID(1), .ph, .high)])

        bench.persists = true
        bench.put(.hubRestored(.storage))
        bench.wait(59_999)
        #expect(bench.kinds == [.raised, .raised])
        bench.put(.hubFailed(.storage, reason: "its disk is full: free some space"))
        bench.put(.hubRestored(.storage))
        bench.wait(59_999)
        #expect(!bench.kinds.contains(.recovered))
        bench.wait(1)
        #expect(bench.notices.last { $0.kind == .recovered }?.key == .hub(.storage))
    }

    @Test func `a hub that cannot store blames neither the network nor the devices`() {
        var bench = AlertBench()
        bench.put(.connectionLost(serverID(1), name: "Home"))
        bench.put(.missing(deviceID(1), nil, name: "Lagoon", server: serverID(1), reason: .silent))
        bench.put(.hubFailed(.storage, reason: "its disk is full: free some space"))
        bench.wait(3_600_000)
        #expect(Set(bench.notices.map(\.key)) == [.hub(.storage)])
        // The connection is still lost: after its full delay it is a separate alert.
        bench.put(.hubRestored(.storage))
        bench.wait(59_999)
        #expect(Set(bench.notices.map(\.key)) == [.hub(.storage)])
        bench.wait(120_000)
        #expect(bench.notices.contains { $0.key == .connection(serverID(1)) && $0.kind == .raised })
    }

    @Test func `a process that dies before the answer sends the same notice again`() throws {
        var bench = AlertBench()
        bench.answer = .none
        bench.value(8.1)
        try bench.restart()
        #expect(bench.sent.count == 2)
        #expect(bench.notices.count == 1)
        bench.answer = .delivered
        try bench.restart()
        #expect(bench.sent.count == 3)
        bench.wait(299_999)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.notices.count == 2)
    }

    @Test func `a dead webhook is tried eight times and holds nothing up`() throws {
        var settings = AlertSettings()
        settings.repeatsUntilAcknowledged = false
        settings.channels.webhook = .init(url: "https://example.org/alerts")
        var bench = AlertBench(settings)
        bench.answer = .none
        bench.value(8.1)
        let id = try #require(bench.notices.first).id
        for channel in settings.channels.enabled where channel != .webhook {
            bench.put(.delivered(id, channel))
        }
        bench.answer = .failed
        bench.put(.failed(id, .webhook))
        bench.wait(86_400_000)
        #expect(bench.sent.count == 8)
        #expect(bench.sent.dropFirst().allSatisfy { $0.channels == [.webhook] })
        #expect(bench.notices.count == 1)
    }

    @Test func `a channel that asks to wait gets the notice after that time, and after an hour at most`() throws {
        var settings = AlertSettings()
        settings.channels.phones[.ntfy] = PhoneSettings(["topic": "pool"])
        for (seconds, pause) in [(0, 5000), (3, 5000), (90, 90_000), (86_400, 3_600_000)] as [(Int, Int64)] {
            var bench = AlertBench(settings)
            bench.answer = .none
            bench.value(8.1)
            let id = try #require(bench.notices.first).id
            bench.put(.failed(id, .ntfy, retryAfterSeconds: seconds))
            bench.wait(pause - 1)
            #expect(bench.sent.count == 1)
            bench.wait(1)
            #expect(bench.sent.count == 2 && bench.sent.last?.channels == [.ntfy])
        }
    }

    @Test func `a notice that a channel refuses is not sent there again, and the other channels are not disturbed`()
        throws
    {
        var settings = AlertSettings()
        settings.repeatsUntilAcknowledged = false
        settings.channels.phones[.ntfy] = PhoneSettings(["topic": "pool"])
        var bench = AlertBench(settings)
        bench.answer = .none
        bench.value(8.1)
        let id = try #require(bench.notices.first).id
        for channel in settings.channels.enabled where channel != .ntfy { bench.put(.delivered(id, channel)) }
        bench.put(.refused(id, .ntfy))
        bench.wait(86_400_000)
        #expect(bench.sent.count == 1)
    }

    @Test func `an alert that the only channel refuses comes again after five minutes`() throws {
        var settings = AlertSettings()
        (settings.channels.terminal, settings.channels.desktop, settings.channels.watches) = (false, false, false)
        settings.channels.phones[.ntfy] = PhoneSettings(["topic": "pool"])
        var bench = AlertBench(settings)
        bench.answer = .none
        bench.value(8.1)
        bench.put(.refused(try #require(bench.notices.first).id, .ntfy))
        bench.wait(299_999)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.kinds == [.raised, .raised])
    }

    @Test func `an alert that reaches nobody is tried again, and its end is not told`() {
        var bench = AlertBench()
        bench.answer = .failed
        bench.value(8.1)
        bench.wait(7_200_000)
        #expect(bench.notices.allSatisfy { $0.kind == .raised && $0.repeats == 0 })
        #expect(bench.notices.count > 1)
        bench.values([7.4, 7.4])
        bench.wait(7_200_000)
        #expect(!bench.kinds.contains(.recovered))
        #expect(bench.stored.isEmpty)
    }

    @Test func `a complication hears of changes of the band only`() {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        bench.wait(300_000)
        bench.value(8.1)
        bench.values([7.4, 7.4])
        #expect(bench.kinds == [.raised, .repeated, .escalated, .recovered])
        #expect(
            bench.sent.filter { $0.channels.contains(.watchComplication) }.map(\.notice.kind)
                == [.raised, .escalated, .recovered])
    }

    @Test func `P68 a test goes to every permitted channel, each with an identity of its own`() {
        var settings = AlertSettings()
        settings.isEnabled = false
        settings.channels.mqtt = .init(topic: "pool/alerts")
        var bench = AlertBench(settings)
        bench.put(.test)
        #expect(bench.sent.map(\.channels) == [[.terminal, .desktop, .mqtt, .watchUserInfo]])
        bench.wait(1000)
        bench.put(.test)
        #expect(bench.kinds == [.test, .test])
        #expect(bench.stored.isEmpty)
    }

    @Test func `a channel that is switched off takes its waiting notices with it`() {
        var settings = AlertSettings()
        settings.channels.watches = false
        settings.channels.desktop = false
        var bench = AlertBench(settings)
        bench.answer = .failed
        bench.value(8.1)
        settings.channels.terminal = false
        settings.channels.desktop = true
        bench.answer = .delivered
        bench.put(.settingsChanged(settings))
        #expect(bench.sent.map(\.channels) == [[.terminal], [.desktop]])
        #expect(bench.kinds == [.raised, .raised])
    }

    @Test func `recoveries can be switched off`() {
        var settings = AlertSettings()
        settings.tellsRecoveries = false
        var bench = AlertBench(settings)
        bench.value(8.1)
        bench.values([7.4, 7.4])
        bench.value(8.1)
        #expect(bench.kinds == [.raised, .raised])
    }

    @Test func `more conditions than there is room for are counted, not kept`() {
        var bench = AlertBench()
        for number in 0..<UInt64(AlertRecord.countMax) + 10 {
            bench.engine.handle(.connectionLost(serverID(number), name: "S"), at: bench.moment)
        }
        #expect(bench.engine.refusedCount == 10)
    }
}
