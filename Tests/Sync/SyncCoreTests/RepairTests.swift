import Testing

@testable import SyncCore

/// Defects that random schedules or code reviews found, each as a short script.
@Suite struct RepairTests {
    private let watch = key(1)
    private let item = ItemFrame(
        stream: identifier(1), number: 1, isFirst: true, id: identifier(11), track: .ordinary, payload: [1])

    // MARK: - Registers

    @Test func `a lost credit loses no register`() {
        // The hub took the missing report of a gap in the next credit for the arrival of the missing value.
        var sender = RegisterLine(window: 4)
        var receiver = LiveReceiver(window: 4)
        for name in ["a", "b", "c"] { sender.publish(register(name, 1)) }
        while sender.next(now: instant(0)) != nil {}
        #expect(receiver.arrived(2, now: instant(1)) == true)
        let lost = receiver.credit(now: instant(60))
        #expect(lost == Credit(highest: 2, missing: [1]))
        #expect(receiver.arrived(3, now: instant(70)) == true)
        let second = receiver.credit(now: instant(200))
        #expect(second == Credit(highest: 3, missing: [1]))
        sender.creditReceived(Credit(highest: 3, missing: [1]), now: instant(201))
        #expect(sender.confirmedCount == 2)
        let again = sender.next(now: instant(201))
        #expect(again?.number == 4)
        #expect(again?.register == register("a", 1))
    }

    @Test func `a hole is told as long as it may be in flight, and no longer`() {
        var receiver = LiveReceiver(window: 2)
        #expect(receiver.arrived(3, now: instant(0)) == true)
        #expect(receiver.missing == [1, 2])
        #expect(receiver.arrived(1, now: instant(0)) == true)
        #expect(receiver.arrived(1, now: instant(0)) == false)
        #expect(receiver.arrived(5, now: instant(0)) == true)
        #expect(receiver.missing == [4])
    }

    @Test(arguments: [100, UInt64.max])
    func `however much was lost, the next value arrives`(_ number: UInt64) {
        // With a small window, three lost frames widened the gap permanently.
        var receiver = LiveReceiver(window: 1)
        #expect(receiver.arrived(number, now: instant(0)) == true)
        #expect(receiver.missing == [number - 1])
        #expect(receiver.credit(now: instant(0)) == Credit(highest: number, missing: [number - 1]))
    }

    @Test func `credit beyond what was sent changes nothing`() {
        var sender = RegisterLine(window: 2)
        sender.publish(register("a", 1))
        _ = sender.next(now: instant(0))
        sender.creditReceived(Credit(highest: 2, missing: []), now: instant(1))
        #expect(sender.confirmedCount == 0)
        #expect(sender.backlogCount == 1)
    }

    @Test func `a register of a left epoch does not count as arrived`() throws {
        // A value overtaken by the snapshot of the new epoch was dropped but confirmed, so the hub never sent it again.
        var watch = WatchScript(
            watchState(nil, EpochFence(current: Epoch(number: 2), abandoned: [Epoch(number: 1)])))
        try watch.open(session: 5, at: 0)
        watch.receive(register("a", 1).frame(session: 5, number: 1, epoch: Epoch(number: 1)), at: 1)
        watch.receive(register("b", 1).frame(session: 5, number: 2, epoch: Epoch(number: 2)), at: 2)
        _ = watch.claim()
        watch.feed(.timeReached, at: 60)
        let frames = watch.claimFrames()
        #expect(frames == [Credit(highest: 2, missing: [1]).frame(session: 5)])
    }

    @Test func `a slow store is behind by one write of registers at most`() {
        var cache = RegisterCache(SortedMap())
        let epoch = Epoch(number: 1)
        _ = cache.take(register("a", 1), of: epoch, now: instant(0))
        #expect(cache.flush(now: instant(1000), early: false).count == 1)
        _ = cache.take(register("a", 2), of: epoch, now: instant(1001))
        #expect(cache.deadline == nil)
        #expect(cache.flush(now: instant(9000), early: false).isEmpty)
        cache.flushed()
        #expect(cache.flush(now: instant(9000), early: false).map(\.register.order) == [2])
        cache.flushFailed([HeldRegister(register: register("a", 2), epoch: epoch)], now: instant(9001))
        #expect(cache.flush(now: instant(10_001), early: false).map(\.register.order) == [2])
    }

    // MARK: - Greetings

    @Test func `a greeting waits for the store, so that what it says stays true`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(3).frame(session: 5), at: 1)
        guard case .persist(let record)? = watch.claim().first else {
            Issue.record("nothing to store")
            return
        }
        watch.feed(.disconnected, at: 2)
        watch.feed(.connected, at: 3)
        let before = watch.claimFrames()
        #expect(before.isEmpty)
        watch.feed(.persisted(record), at: 4)
        let frames = watch.claimFrames()
        #expect(frames.map(\.kind) == [.hello])
        #expect(try Hello(#require(frames.first)).known == snapshot(3).version)
    }

    @Test(arguments: [true, false])
    func `a greeting waits for items that are being stored`(isStored: Bool) throws {
        // C27.
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(item.frame(session: 5), at: 1)
        guard case .persist(let record)? = watch.claim().first else {
            Issue.record("nothing to store")
            return
        }
        watch.feed(.disconnected, at: 2)
        watch.feed(.connected, at: 3)
        let before = watch.claimFrames()
        #expect(before.isEmpty)
        watch.feed(isStored ? .persisted(record) : .persistFailed(record, reason: "full"), at: 4)
        let hellos = watch.claimFrames().compactMap { try? Hello($0) }
        #expect(hellos.map(\.items.ordinary) == [isStored ? item.position : nil])
    }

    @Test func `a hub answers no greeting of a watch whose items it is storing`() throws {
        // C27: another device with the watch's key, or the watch from a backup, may use their numbers again.
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let greeted = hub.greet(watch, on: connection(1), at: 1)
        let session = try #require(greeted)
        hub.send(item.frame(session: session), watch, connection(1), at: 2)
        let records = hub.claimDeeds().compactMap { output -> TransferRecord? in
            guard case .record(watch, let record) = output else { return nil }
            return record
        }
        let early = hub.greet(watch, on: connection(2), nonce: 8, at: 3)
        #expect(early == nil)
        // The session of before is over all the same: it brings no more items.
        hub.send(item.frame(session: session), watch, connection(1), at: 4)
        #expect(hub.claimEvents().contains(.dropped(watch, .foreignSession)))
        hub.feed(.recorded(watch, try #require(records.first)), at: 5)
        _ = hub.greet(watch, on: connection(2), nonce: 8, at: 1003)
        let welcomes = hub.claimDeeds().compactMap { output -> Welcome? in
            guard case .send(let frame, connection(2)) = output else { return nil }
            return try? Welcome(frame)
        }
        #expect(welcomes.map(\.items.ordinary) == [item.position])
    }

    @Test func `an edit that is stored while a watch waits for its welcome repeats no greeting`() {
        var watch = WatchScript()
        watch.feed(.connected, at: 0)
        watch.feed(.edit(.init(number: 1), [CellChange(key: note(1), value: "x")]), at: 1)
        let outputs = watch.claim()
        for case .persist(let record) in outputs { watch.feed(.persisted(record), at: 2) }
        #expect(outputs.count == 2)
        let frames = watch.claimFrames()
        #expect(frames.isEmpty)
    }

    @Test func `a greeting names the epoch that the watch follows, stored or not`() throws {
        // Otherwise a hub restored into the left epoch would never learn why the watch rejects everything.
        var watch = WatchScript(watchState(snapshot(3), EpochFence(current: Epoch(number: 1))))
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(4, epoch: 2).frame(session: 5), at: 1)
        guard case .persist(let record)? = watch.claim().first else {
            Issue.record("nothing to store")
            return
        }
        watch.feed(.persistFailed(record, reason: "full"), at: 2)
        watch.feed(.disconnected, at: 3)
        watch.feed(.connected, at: 4)
        let hello = try #require(watch.claimFrames().compactMap { try? Hello($0) }.last)
        #expect(hello.known == snapshot(3).version)
        #expect(hello.epoch == Epoch(number: 2))

        var hub = HubScript()
        hub.pair(key(1), at: 0)
        let ours = Hello(
            nonce: 1, wire: 1...1, schema: 1...1, name: "w", epoch: Epoch(number: 2), known: hub.engine.version,
            window: 1)
        hub.send(ours.frame, key(1), connection(1), at: 1)
        hub.store(at: 2)
        #expect(hub.engine.version.epoch != Epoch(number: 1))
    }

    @Test func `a hub forks once, then welcomes a watch that follows an epoch that it never had`() {
        // Each greeting of such a watch began another epoch and was never answered, indefinitely.
        var hub = HubScript()
        hub.pair(watch, at: 0)
        hub.pair(key(2), at: 0)
        let first = hub.greet(watch, on: connection(1), known: version(5, epoch: 70), at: 1)
        #expect(first == nil)
        hub.store(at: 2)
        let forked = hub.engine.version
        #expect(forked.epoch != Epoch(number: 1))
        let second = hub.greet(watch, on: connection(1), known: version(5, epoch: 70), nonce: 8, at: 1000)
        #expect(second != nil)
        let other = hub.greet(key(2), on: connection(2), known: version(9, epoch: 80), nonce: 9, at: 1001)
        #expect(other != nil)
        #expect(hub.engine.version == forked)
    }

    @Test func `a greeting that comes twice opens one session`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let first = hub.greet(watch, on: connection(1), at: 1)
        _ = hub.claimDeeds()
        let second = hub.greet(watch, on: connection(1), at: 2)
        #expect(first != nil)
        #expect(first == second)
        let deeds = hub.claimDeeds()
        #expect(deeds.count == 1)
    }

    @Test func `a watch is linked when it has used its session, not when it has greeted`() throws {
        // C23, at the hub: a watch that receives nothing greets repeatedly.
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let greeted = hub.greet(watch, on: connection(1), at: 1)
        let session = try #require(greeted)
        #expect(hub.engine.watches.first?.isLinked == false)
        let before = hub.claimEvents()
        #expect(before.isEmpty)
        hub.send(Ping(number: 1).frame(session: session), watch, connection(1), at: 2)
        #expect(hub.engine.watches.first?.isLinked == true)
        let after = hub.claimEvents()
        #expect(after == [.linked(watch, name: "wrist")])
    }

    // MARK: - Pairing

    @Test func `a name that got a number still fits its answer`() throws {
        let name = String(repeating: "x", count: 64)
        var hub = HubScript()
        for number in UInt8(1)...2 {
            let invitation = key(100 + number)
            hub.feed(.invite(.init(number: 1), key: invitation, name: name, validMilliseconds: 1000), at: 0)
            hub.store(at: 0)
            hub.send(PairRequest(nonce: 1, key: key(number), name: "x").frame, invitation, connection(1), at: 1)
            hub.store(at: 1)
        }
        let answers = hub.claimDeeds().compactMap { output -> PairAnswer? in
            guard case .send(let frame, _) = output else { return nil }
            return try? PairAnswer(frame)
        }
        #expect(answers.map(\.name) == [name + "-2"])
    }

    @Test(arguments: ["", String(repeating: "x", count: 65)])
    func `an invitation by a name that no watch can have is refused`(_ name: String) {
        var hub = HubScript()
        hub.feed(.invite(.init(number: 1), key: key(50), name: name, validMilliseconds: 1000), at: 0)
        let deeds = hub.claimDeeds()
        #expect(deeds == [.answer(.init(number: 1), .refused(.badName(name)))])
    }

    @Test func `a watch needs a key of its own`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        hub.feed(.invite(.init(number: 1), key: key(50), name: nil, validMilliseconds: 1000), at: 0)
        hub.store(at: 0)
        _ = hub.claimDeeds()
        // The key of the invitation itself, and a key whose cell would be that of another watch.
        let twin = try #require(PeerKey(bytes: Array(watch.bytes.prefix(16)) + Array(repeating: 9, count: 16)))
        for named in [key(50), twin] {
            hub.send(PairRequest(nonce: 1, key: named, name: "x").frame, key(50), connection(1), at: 1)
            guard case .send(let frame, _)? = hub.claimDeeds().first else {
                Issue.record("no answer")
                continue
            }
            #expect((try? Refusal(frame))?.code == .failed)
        }
        #expect(hub.engine.watches.map(\.watch.key) == [watch])
    }

    @Test func `an invitation for ever does not overflow`() {
        var hub = HubScript()
        hub.feed(.invite(.init(number: 1), key: key(50), name: nil, validMilliseconds: .max), at: 0)
        hub.store(at: 0)
        #expect(hub.engine.admittedKeys == [key(50)])
    }

    @Test func `one watch that asks again and again takes one place in the queue`() {
        var hub = HubScript()
        hub.feed(.invite(.init(number: 1), key: key(50), name: nil, validMilliseconds: 1_000_000), at: 0)
        hub.store(at: 0)
        _ = hub.claimDeeds()
        hub.feed(.transact(.init(number: 2), [CellChange(key: note(1), value: "a")], expected: nil), at: 1)
        for nonce in 0...UInt64(HubEngine.requestCountMax) {
            // Slow enough that the hub still reads the frames.
            let time = Int64(nonce) * 200 + 2
            hub.send(PairRequest(nonce: nonce, key: watch, name: "x").frame, key(50), connection(1), at: time)
        }
        hub.feed(.transact(.init(number: 3), [CellChange(key: note(2), value: "b")], expected: nil), at: 300_000)
        let deeds = hub.claimDeeds()
        #expect(deeds.count == 1)
    }
}
