import Testing

@testable import SyncCore

/// Checks that random schedules hardly ever need.
///
/// `DefenceMutantTests` shows that each matters: it leaves them out.
@Suite struct DefenceTests {
    /// Whether a watch that has greeted twice takes the answer to the first greeting.
    static func opens() -> Bool {
        var link = WatchLink()
        _ = link.connected(now: instant(0), nonce: 1)
        _ = link.connected(now: instant(1), nonce: 2)
        return link.welcomed(welcome(1), session: 5, now: instant(2))
    }

    @Test func `only the answer to the last greeting opens a session`() {
        #expect(Self.opens() == false)
    }

    /// Whether a watch stores a snapshot of an epoch that it has left.
    static func stores() throws -> Bool {
        let fence = EpochFence(current: Epoch(number: 2), abandoned: [Epoch(number: 1)])
        var watch = WatchEngine(
            configuration: .init(name: "wrist", app: testApp, schemaVersions: 1...1),
            state: watchState(snapshot(3, epoch: 2), fence), seed: 1)
        watch.handle(.connected, at: moment(0))
        var nonce: UInt64?
        while let output = watch.nextOutput() {
            if case .send(let frame) = output { nonce = try Hello(frame).nonce }
        }
        let answer = try welcome(#require(nonce)).frame(session: 5)
        for frame in [answer, snapshot(9).frame(session: 5)] {
            watch.handle(.received(parts: FrameCodec.parts(of: frame)), at: moment(1))
            while let output = watch.nextOutput() {
                if case .persist = output { return true }
            }
        }
        return false
    }

    @Test func `a snapshot of a left epoch that comes late is not shown again`() throws {
        #expect(try !Self.stores())
    }

    /// How many values a watch has confirmed that gives credit for a session that another one has replaced.
    static func confirmedCount() throws -> UInt64 {
        var hub = HubScript()
        hub.pair(key(1), at: 0)
        let first = hub.greet(key(1), on: connection(1), nonce: 1, at: 1)
        _ = hub.claimDeeds()
        let second = hub.greet(key(1), on: connection(1), nonce: 2, at: 2)
        #expect(first != second)
        hub.feed(.publish(register("a", 1)), at: 3)
        hub.send(
            Credit(highest: 1, missing: []).frame(session: try #require(first)), key(1), connection(1), at: 4)
        return try #require(hub.engine.watches.first).confirmedCount
    }

    @Test func `a credit of an earlier session on the same connection confirms nothing`() throws {
        #expect(try Self.confirmedCount() == 0)
    }

    @Test func `a hostile watch changes nothing with forged numbers`() throws {
        var hub = HubScript()
        hub.pair(key(1), at: 0)
        let greeted = hub.greet(key(1), on: connection(1), at: 1)
        let session = try #require(greeted)
        hub.feed(.publish(register("a", 1)), at: 2)
        _ = hub.claimDeeds()
        let version = hub.engine.version
        for frame in [
            Credit(highest: .max, missing: [1, .max]).frame(session: session),
            Ping(number: .max).frame(session: session),
            snapshot(.max).version.acknowledgement(session: session),
        ] {
            hub.send(frame, key(1), connection(1), at: 3)
        }
        let frames = hub.claimDeeds()
        #expect(
            frames == [
                .send(
                    Pong(number: .max, hubMilliseconds: moment(3).wallMilliseconds).frame(session: session),
                    connection(1))
            ])
        #expect(hub.engine.version == version)
        #expect(hub.engine.watches.first?.confirmedCount == 0)
        #expect(hub.engine.watches.first?.acknowledged == nil)
    }
}
