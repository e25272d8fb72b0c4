import Logging
import SyncCore
import TestSupport
import Testing
import ZeroMQ

@testable import SyncTransport

@Suite struct FaultSamplerTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func fates(_ faults: LinkFaults, _ direction: FaultDirection, alternating: Bool) -> [FaultOutcome] {
        var sampler = FaultSampler(faults)
        return (0..<500).map { number in
            let now = start.advanced(by: .milliseconds(number * 10))
            if alternating {
                _ = sampler.outcome(byteCount: number, direction == .incoming ? .outgoing : .incoming, at: now)
            }
            return sampler.outcome(byteCount: 100, direction, at: now)
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `a seed decides the same for the same messages, whatever the other direction carries`(seed: UInt64) {
        let faults = LinkFaults.swarm(seed: seed)
        for direction in [FaultDirection.incoming, .outgoing] {
            #expect(
                fates(faults, direction, alternating: false) == fates(faults, direction, alternating: true))
        }
        #expect(LinkFaults.swarm(seed: seed) == faults)
        #expect(LinkFaults.swarm(seed: seed + 1) != faults)
    }

    @Test func `among some swarms each kind of fault is on, and each is off`() {
        let swarms = (UInt64(0)..<40).map { LinkFaults.swarm(seed: $0).outgoing }
        let kinds: [KeyPath<MessageFaults, Double>] = [
            \.drop, \.duplicate, \.delay, \.reorder, \.corrupt, \.reset, \.cut,
        ]
        for kind in kinds {
            #expect(swarms.contains { $0[keyPath: kind] > 0 })
            #expect(swarms.contains { $0[keyPath: kind] == 0 })
        }
    }

    @Test func `a certain fault happens to each message, and no other does`() {
        var faults = MessageFaults()
        faults.duplicate = 1
        var sampler = FaultSampler(LinkFaults(seed: 1, outgoing: faults))

        let copy = FaultOutcome.Copy(due: start, corruption: nil)
        #expect(sampler.outcome(byteCount: 9, .outgoing, at: start) == .arrives([copy, copy]))
        #expect(sampler.outcome(byteCount: 9, .incoming, at: start) == .arrives([copy]))
        #expect(sampler.counts.duplicated == 1)
        #expect(sampler.counts.messages == 2)
    }

    @Test func `a cut loses one direction until its time`() {
        var faults = MessageFaults()
        faults.cutUntil = start.advanced(by: .seconds(1))
        var sampler = FaultSampler(LinkFaults(seed: 1, incoming: faults))

        let end = start.advanced(by: .seconds(1))
        #expect(sampler.outcome(byteCount: 9, .incoming, at: start) == .lost)
        #expect(sampler.outcome(byteCount: 9, .outgoing, at: start) != .lost)
        #expect(sampler.outcome(byteCount: 9, .incoming, at: end) == .arrives([.init(due: end, corruption: nil)]))
        #expect(sampler.counts.lostInCuts == 1)
    }

    @Test func `a corrupt message differs in one byte of one part`() throws {
        var faults = MessageFaults()
        faults.corrupt = 1
        var sampler = FaultSampler(LinkFaults(seed: 7, incoming: faults))
        let parts: [[UInt8]] = [[1, 2, 3], [], [4, 5]]
        for _ in 0..<100 {
            guard case .arrives(let copies) = sampler.outcome(byteCount: 5, .incoming, at: start) else {
                Issue.record("a message is lost")
                return
            }
            let changed = try #require(copies.first?.corruption).applied(to: parts)
            #expect(changed.map(\.count) == parts.map(\.count))
            #expect(zip(changed.joined(), parts.joined()).filter { $0 != $1 }.count == 1)
        }
    }
}

@Suite struct FaultLayerTests {
    private let start = Instant(nanoseconds: 1_000_000_000)
    private let peer: PeerKey
    private let line = ConnectionID(bytes: [1])

    init() throws {
        peer = try present(PeerKey(bytes: [UInt8](repeating: 3, count: 32)))
    }

    private func layer(_ change: (inout MessageFaults) -> Void) -> FaultLayer {
        var faults = MessageFaults()
        change(&faults)
        var layer = FaultLayer(tally: FaultCounters())
        layer.set(LinkFaults(seed: 5, outgoing: faults), for: nil)
        return layer
    }

    /// Sends messages that contain their numbers, one per millisecond.
    ///
    /// Returns the order in which they leave.
    private func order(_ layer: inout FaultLayer, of count: UInt8) -> [UInt8] {
        var order: [UInt8] = []
        func leave(_ now: Instant) {
            while case .passes(_, let parts, _, _)? = layer.next(at: now) { order.append(parts[0][0]) }
        }
        for number in 0..<count {
            let now = start.advanced(by: .milliseconds(Int64(number)))
            layer.enter(.outgoing, [[number]], peer: peer, connection: line, at: now)
            leave(now)
        }
        leave(Instant(nanoseconds: .max))
        return order
    }

    @Test func `late messages keep their order, overtaken ones do not`() {
        var late = layer { $0.delay = 0.5 }
        #expect(order(&late, of: 200) == Array(0..<200))

        var overtaken = layer { $0.reorder = 0.5 }
        let order = order(&overtaken, of: 200)
        #expect(order != Array(0..<200))
        #expect(order.sorted() == Array(0..<200))
    }

    @Test func `a late message waits for its time`() throws {
        var layer = layer { $0.delay = 1 }
        layer.enter(.outgoing, [[1]], peer: peer, connection: line, at: start)
        let due = try #require(layer.deadline)
        #expect(due > start)
        #expect(layer.next(at: start) == nil)
        #expect(layer.next(at: due) == .passes(.outgoing, [[1]], peer, line))
        #expect(layer.deadline == nil)
    }

    @Test func `a broken connection carries nothing any more, another one does`() {
        var layer = layer { $0.reset = 1 }
        layer.enter(.outgoing, [[1]], peer: peer, connection: line, at: start)
        #expect(layer.next(at: start) == .resets(line))
        layer.set(nil, for: nil)
        layer.enter(.incoming, [[2]], peer: peer, connection: line, at: start)
        #expect(layer.next(at: start) == nil)
        layer.enter(.incoming, [[3]], peer: peer, connection: ConnectionID(bytes: [2]), at: start)
        #expect(layer.next(at: start) == .passes(.incoming, [[3]], peer, ConnectionID(bytes: [2])))
    }

    @Test func `what is held of a connection that has ended is gone, and that of others is not`() throws {
        var layer = layer { $0.delay = 1 }
        let other = ConnectionID(bytes: [2])
        layer.enter(.outgoing, [[1]], peer: peer, connection: line, at: start)
        layer.enter(.outgoing, [[2]], peer: peer, connection: other, at: start)
        layer.ended(line)
        let late = start.advanced(by: .seconds(3600))
        #expect(layer.next(at: late) == .passes(.outgoing, [[2]], peer, other))
        #expect(layer.next(at: late) == nil)
    }

    @Test func `what is held is bounded, and what is beyond is counted`() {
        let tally = FaultCounters()
        var layer = FaultLayer(tally: tally)
        var faults = MessageFaults()
        faults.delay = 1
        layer.set(LinkFaults(seed: 1, outgoing: faults), for: peer)
        for _ in 0..<FaultLayer.heldCountMax + 10 {
            layer.enter(.outgoing, [[1]], peer: peer, connection: line, at: start)
        }
        #expect(tally[peer].overflowed == 10)

        layer.set(nil, for: peer)
        var count = 0
        while layer.next(at: start) != nil { count += 1 }
        #expect(count == FaultLayer.heldCountMax)
        #expect(layer.isIdle)
    }
}

/// A hub and a watch, linked over a real, encrypted connection.
@Suite struct FaultyLinkTests {
    private func linked(at text: String = "tcp://127.0.0.1:*") async throws -> (TestHub, TestWatch) {
        let hub = try TestHub()
        let endpoint = try await hub.start(at: text)
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForLink(true)
        // The hub is notified of it later than the watch; a connection that breaks before that ends no link of the hub.
        await hub.events.wait { $0.contains { if case .linked = $0 { true } else { false } } }
        return (hub, watch)
    }

    private func stop(_ hub: TestHub, _ watches: TestWatch...) async throws {
        for watch in watches { try await watch.stop() }
        try await hub.stop()
    }

    private func faults(
        _ direction: FaultDirection, seed: UInt64 = 1, _ change: (inout MessageFaults) -> Void
    ) -> LinkFaults {
        var messages = MessageFaults()
        change(&messages)
        return LinkFaults(
            seed: seed, incoming: direction == .incoming ? messages : MessageFaults(),
            outgoing: direction == .outgoing ? messages : MessageFaults())
    }

    @Test(arguments: [FaultDirection.incoming, .outgoing], ["tcp://127.0.0.1:*", "ipc"])
    func `a lossy or cut direction costs the link, and time repairs it`(
        direction: FaultDirection, endpoint: String
    ) async throws {
        let text = endpoint == "ipc" ? "ipc:///tmp/sync-faults-\(UInt64.random(in: 0...(.max)))" : endpoint
        let (hub, watch) = try await linked(at: text)
        let transport = try hub.transport

        transport.setFaults(faults(direction) { $0.drop = 1 })
        await watch.waitForLink(false)
        #expect(transport.faultCounts.dropped > 0)
        transport.setFaults(faults(direction) { $0.cutUntil = Instant(nanoseconds: .max) })
        _ = try await transport.transact([CellChange(key: noteKey(1), value: "during")])
        transport.setFaults(nil)
        await watch.waitForNote(1, "during")

        try await stop(hub, watch)
    }

    @Test func `a changed byte is found out, at the hub and at the watch`() async throws {
        let (hub, watch) = try await linked()
        try hub.transport.setFaults(faults(.incoming) { $0.corrupt = 1 })
        await hub.events.wait { $0.contains { if case .dropped(_, .fault) = $0 { true } else { false } } }
        try hub.transport.setFaults(faults(.outgoing) { $0.corrupt = 1 })
        await watch.events.wait { $0.contains { if case .engine(.dropped(.fault)) = $0 { true } else { false } } }
        #expect(try hub.transport.faultCounts(of: watch.keys.publicKey.peerKey).corrupted > 0)
        try await stop(hub, watch)
    }

    @Test func `a message that comes twice counts once`() async throws {
        let (hub, watch) = try await linked()
        try hub.transport.setFaults(faults(.outgoing) { $0.duplicate = 1 })
        var order: UInt64 = 0
        while try hub.transport.faultCounts.duplicated == 0, !Task.isCancelled {
            order += 1
            try hub.transport.publish(Register(key: "a", order: order, value: []))
            await watch.waitForRegister("a", order: order)
        }
        order += 1
        try hub.transport.publish(Register(key: "a", order: order, value: []))
        let last = order
        await watch.waitForRegister("a", order: last)
        await watch.events.wait {
            $0.contains { if case .engine(.dropped(.old(.register))) = $0 { true } else { false } }
        }
        let count = watch.events.items.filter {
            guard case .engine(.registerChanged(let register)) = $0 else { return false }
            return register.order == last
        }.count
        #expect(count == 1)
        try await stop(hub, watch)
    }

    @Test func `late and overtaken messages bring the newest in the end`() async throws {
        let (hub, watch) = try await linked()
        try hub.transport.setFaults(
            faults(.outgoing) {
                $0.delay = 0.5
                $0.reorder = 0.5
                $0.longestDelay = .milliseconds(50)
            })
        for number in UInt64(1)...100 {
            try hub.transport.publish(Register(key: "a", order: number, value: []))
            _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "\(number)")])
        }
        await watch.waitForNote(1, "100")
        await watch.waitForRegister("a", order: 100)
        let counts = try hub.transport.faultCounts
        #expect(counts.delayed > 0 && counts.reordered > 0)
        try await stop(hub, watch)
    }

    @Test func `a broken connection at the hub is replaced by another`() async throws {
        let (hub, watch) = try await linked()
        try hub.transport.setFaults(faults(.incoming) { $0.reset = 1 })
        await hub.events.wait { $0.contains { if case .unlinked(_, _, .unroutable) = $0 { true } else { false } } }
        try hub.transport.setFaults(nil)
        await hub.events.wait { $0.filter { if case .linked = $0 { true } else { false } }.count >= 2 }
        await watch.waitForLink(true)
        try await stop(hub, watch)
    }

    @Test func `one watch is cut off while the other goes on`() async throws {
        let (hub, first) = try await linked()
        let second = try TestWatch()
        _ = try await second.pair(with: hub, name: "ankle")
        second.start(try await hub.transport.status().endpoint, hubKey: hub.keys.publicKey)
        await second.waitForLink(true)

        let cut = faults(.outgoing) { $0.drop = 1 }
        try hub.transport.setFaults(cut, for: first.keys.publicKey.peerKey)
        await first.waitForLink(false)
        try hub.transport.publish(Register(key: "a", order: 1, value: []))
        await second.waitForRegister("a", order: 1)
        #expect(first.events.items.filter(\.isRegister).isEmpty)
        #expect(try hub.transport.faultCounts(of: second.keys.publicKey.peerKey).dropped == 0)

        try hub.transport.setFaults(nil, for: first.keys.publicKey.peerKey)
        await first.waitForRegister("a", order: 1)
        try await stop(hub, first, second)
    }

    @Test func `a watch with faults of its own loses connections and comes back`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let watch = try TestWatch()
        _ = try await watch.pair(with: hub)
        let events = Recorder<WatchTransport.Event>()
        let transport = WatchTransport(
            configuration: .init(
                endpoint: endpoint, hubKey: hub.keys.publicKey, keys: watch.keys,
                engine: .init(name: "wrist", app: testApp, schemaVersions: 1...1),
                faults: faults(.incoming) { $0.reset = 0.3 }),
            state: watch.storage.state, storage: watch.storage, logger: Logger(label: "watch"),
            onEvent: { events.record($0) })
        let task = Task { try await transport.run() }

        await hub.events.wait { $0.filter { if case .linked = $0 { true } else { false } }.count >= 2 }
        transport.setFaults(faults(.outgoing) { $0.drop = 1 })
        await hub.events.wait { if case .unlinked(_, _, .silent)? = $0.last { true } else { false } }
        transport.setFaults(nil)
        _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "after")])
        await events.wait {
            $0.contains {
                guard case .engine(.snapshotChanged(let snapshot)) = $0 else { return false }
                return snapshot.cells[noteKey(1)]?.value == "after"
            }
        }
        #expect(transport.faultCounts.resets > 0 && transport.faultCounts.dropped > 0)

        task.cancel()
        try await task.value
        try await hub.stop()
    }

    @Test(arguments: UInt64(1)...3)
    func `after heavy faults a watch comes to the newest snapshot and registers`(seed: UInt64) async throws {
        let (hub, watch) = try await linked()
        var heavy = MessageFaults()
        heavy.drop = 0.2
        heavy.duplicate = 0.2
        heavy.delay = 0.3
        heavy.reorder = 0.3
        heavy.corrupt = 0.1
        heavy.reset = 0.02
        heavy.cut = 0.01
        heavy.longestCut = .milliseconds(300)
        heavy.longestDelay = .milliseconds(50)
        try hub.transport.setFaults(LinkFaults(seed: seed, incoming: heavy, outgoing: heavy))
        var number: UInt64 = 0
        while try hub.transport.faultCounts.messages < 60, !Task.isCancelled {
            number += 1
            try hub.transport.publish(Register(key: "a", order: number, value: []))
            _ = try await hub.transport.transact([CellChange(key: noteKey(1), value: "\(number)")])
        }
        try hub.transport.setFaults(nil)
        let last = number
        await watch.waitForNote(1, "\(last)")
        await watch.waitForRegister("a", order: last)
        try await stop(hub, watch)
    }
}
