import TestSupport
import Testing
import ZeroMQ

@testable import SyncCore
@testable import SyncTransport

/// A watch with a valid key tries to block the hub for all others, over real sockets, next to an honest watch.
@Suite struct AttackTests {
    /// A hub with a linked honest watch, and the keys of another watch that is not linked.
    struct Place {
        let hub: TestHub
        let endpoint: Endpoint
        let honest: TestWatch
        let hostile: TestWatch

        init() async throws {
            hub = try TestHub()
            endpoint = try await hub.start(heartbeat: .seconds(60))
            (honest, hostile) = (try TestWatch(), try TestWatch())
            _ = try await honest.pair(with: hub, name: "honest")
            _ = try await hostile.pair(with: hub, name: "hostile")
            honest.start(endpoint, hubKey: hub.keys.publicKey)
            await honest.waitForLink(true)
        }

        /// Expects that the hub's values reach the honest watch, and that its only session never ended.
        func expectPeace(_ values: ClosedRange<UInt64>) async throws {
            for value in values { try hub.transport.publish(Register(key: "ph", order: value, value: [1])) }
            await honest.waitForRegister("ph", order: values.upperBound)
            let key = honest.keys.publicKey.peerKey
            let ends = hub.events.items.filter { event in
                guard case .unlinked(key, _, _) = event else { return false }
                return true
            }
            #expect(ends.isEmpty)
        }

        func end() async throws {
            try await honest.stop()
            try await hub.stop()
        }
    }

    @Test func `greetings of thousands of names cut their sender off, and nobody else`() async throws {
        let place = try await Place()
        let names = (0..<5000).map { "\"n\($0)\":0" }.joined(separator: ",")
        let frame = FrameCodec.parts(of: Frame(kind: .hello, session: 0, body: Array("{\(names)}".utf8)))
        let context = try Context()
        let line = try Line(context, as: place.hostile.keys, to: place.hub, at: place.endpoint)
        try await poll("the hub closes the attacker's connection") {
            for _ in 0..<10 { try line.send(frame) }
            try line.look()
            return line.isGone
        }
        let key = place.hostile.keys.publicKey.peerKey
        let events = place.hub.events.items
        // No frame was decoded: a decoded frame that is not a greeting would lack a member.
        let faults = events.compactMap { event -> FrameError? in
            guard case .dropped(key, .fault(let fault)) = event else { return nil }
            return fault
        }
        #expect(faults.allSatisfy { if case .tooLarge = $0 { true } else { false } })
        #expect(faults.count > 8)
        #expect(events.contains(.cutOff(key, name: "hostile")))
        #expect(line.frames.isEmpty)

        try await place.expectPeace(1...20)
        try await place.end()
    }

    @Test func `of sixty connections of one key two stay`() async throws {
        let place = try await Place()
        let context = try Context()
        let lines = try (0..<60).map { _ in
            try Line(context, as: place.hostile.keys, to: place.hub, at: place.endpoint)
        }
        try await poll("all are decided") {
            for line in lines { try line.look() }
            return lines.allSatisfy { $0.isAdmitted || $0.isTurnedAway || $0.isGone }
        }
        // The others had no place among the connections without a message.
        let admitted = lines.filter(\.isAdmitted)
        #expect(admitted.count > 2)
        for (number, line) in admitted.enumerated() { try line.greet(UInt64(number + 1)) }
        try await poll("two are left") {
            for line in lines { try line.look() }
            return admitted.count { !$0.isGone } <= 2
        }
        try await place.expectPeace(1...20)
        try await place.end()
    }

    @Test
    func `of hundreds of silent connections of one key few are let in, and a newcomer with another key is, at once`()
        async throws
    {
        let place = try await Place()
        let newcomer = try TestWatch()
        _ = try await newcomer.pair(with: place.hub, name: "newcomer")
        let context = try Context()
        let lines = try (0..<300).map { _ in
            try Line(context, as: place.hostile.keys, to: place.hub, at: place.endpoint)
        }
        newcomer.start(place.endpoint, hubKey: place.hub.keys.publicKey)
        await newcomer.waitForLink(true)
        try await poll("all are decided") {
            for line in lines { try line.look() }
            return lines.allSatisfy { $0.isAdmitted || $0.isTurnedAway || $0.isGone }
        }
        // A slow machine may take longer than the time for which a connection counts.
        #expect((HandshakeLimit.countMax...lines.count / 2).contains(lines.count { $0.isAdmitted }))
        try await place.expectPeace(1...20)

        try await newcomer.stop()
        try await place.end()
    }

    @Test func `a watch whose connection breaks again and again, after it was heard, is let in each time`() async throws
    {
        let place = try await Place()
        let context = try Context()
        // They stay, so that each message arrives; the hub closes all but two.
        var lines: [Line] = []
        for number in 1...UInt64(HandshakeLimit.countMax * 2) {
            let line = try Line(context, as: place.hostile.keys, to: place.hub, at: place.endpoint)
            try line.send(FrameCodec.parts(of: Ping(number: number).frame(session: 1)))
            try await poll("it is let in") {
                try line.look()
                return line.isAdmitted || line.isTurnedAway
            }
            #expect(line.isAdmitted)
            lines.append(line)
        }
        try await place.expectPeace(1...20)
        try await place.end()
    }
}
