import Testing

@testable import SyncCore

/// The two engines, as scripts of inputs and outputs.
@Suite struct EngineTests {
    private let watch = key(1)

    // MARK: - Durability

    @Test func `nothing leaves before it is durable`() throws {
        // I17
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let greeted = hub.greet(watch, on: connection(1), at: 1)
        #expect(greeted != nil)
        _ = hub.claimDeeds()
        let before = hub.engine.version
        hub.feed(.transact(.init(number: 1), [CellChange(key: note(1), value: "a")], expected: nil), at: 2)
        let deeds = hub.claimDeeds()
        guard case .persist(let group)? = deeds.first, deeds.count == 1, group.count == 1 else {
            Issue.record("wanted one transaction stored, got \(deeds)")
            return
        }
        #expect(hub.engine.version == before)
        hub.feed(.persisted(group), at: 3)
        #expect(hub.engine.version == group[0].after)
        let claimed = hub.claimDeeds()
        #expect(claimed.first == .answer(.init(number: 1), .done(group[0].after)))
    }

    @Test func `what could not be stored leaves no trace, and the next request goes on`() {
        var hub = HubScript()
        hub.feed(.transact(.init(number: 1), [CellChange(key: note(1), value: "a")], expected: nil), at: 0)
        hub.feed(.transact(.init(number: 2), [CellChange(key: note(2), value: "b")], expected: nil), at: 0)
        guard case .persist(let first)? = hub.claimDeeds().first else {
            Issue.record("nothing to store")
            return
        }
        hub.feed(.persistFailed(first, reason: "full"), at: 1)
        let deeds = hub.claimDeeds()
        #expect(deeds.first == .answer(.init(number: 1), .refused(.notStored("full"))))
        guard case .persist(let second)? = deeds.last else {
            Issue.record("the second request was forgotten: \(deeds)")
            return
        }
        hub.feed(.persisted(second), at: 2)
        #expect(hub.engine.version.revision == 1)
        #expect(hub.engine.cells.keys == [note(2)])
    }

    @Test func `a transaction names the author of its request, and of no other one`() {
        var hub = HubScript()
        func author(of input: HubEngine.Input) -> String?? {
            hub.feed(input, at: 0)
            for case .persist(let group) in hub.claimDeeds() {
                hub.feed(.persisted(group), at: 0)
                _ = hub.claimDeeds()
                return .some(group.first?.author)
            }
            return nil
        }
        func change(_ number: UInt64, _ value: String, expected: Version? = nil) -> HubEngine.Input {
            .transact(.init(number: number), [CellChange(key: note(1), value: value)], expected: expected)
        }
        #expect(author(of: .authored(by: "Ada", change(1, "a"))) == .some("Ada"))
        // The same number again, after a request that was carried out, refused at once, refused later, or had no effect.
        #expect(author(of: change(1, "b")) == .some(nil))
        let invitation = HubEngine.Input.invite(.init(number: 1), key: key(9), name: "", validMilliseconds: 1)
        #expect(author(of: .authored(by: "Ada", invitation)) == nil)
        #expect(author(of: change(1, "c")) == .some(nil))
        #expect(author(of: .authored(by: "Ada", change(1, "d", expected: version(99, chain: 9)))) == nil)
        #expect(author(of: change(1, "e")) == .some(nil))
        #expect(author(of: .authored(by: "Ada", change(1, "e"))) == nil)
        #expect(author(of: change(1, "f")) == .some(nil))
    }

    @Test func `an author of a transaction that could not be stored is forgotten`() {
        var hub = HubScript()
        func change(_ value: String) -> HubEngine.Input {
            .transact(.init(number: 1), [CellChange(key: note(1), value: value)], expected: nil)
        }
        hub.feed(.authored(by: "Ada", change("a")), at: 0)
        guard case .persist(let first)? = hub.claimDeeds().first else {
            Issue.record("nothing to store")
            return
        }
        #expect(first.map(\.author) == ["Ada"])
        hub.feed(.persistFailed(first, reason: "full"), at: 1)
        _ = hub.claimDeeds()
        hub.feed(change("a"), at: 2)
        guard case .persist(let second)? = hub.claimDeeds().first else {
            Issue.record("nothing to store")
            return
        }
        #expect(second.map(\.author) == [nil])
    }

    @Test func `a request for a version that has passed is refused`() {
        var hub = HubScript()
        let seen = hub.engine.version
        hub.feed(.transact(.init(number: 1), [CellChange(key: note(1), value: "a")], expected: seen), at: 0)
        hub.store(at: 1)
        _ = hub.claimDeeds()
        hub.feed(.transact(.init(number: 2), [CellChange(key: note(1), value: "b")], expected: seen), at: 2)
        let claimed = hub.claimDeeds()
        #expect(claimed == [.answer(.init(number: 2), .refused(.versionMoved(hub.engine.version)))])
    }

    @Test func `reserved kinds, bad names and too large snapshots are refused`() {
        var hub = HubScript()
        func refused(_ changes: CellChange...) -> HubEngine.RequestError? { refused(changes) }
        func refused(_ changes: [CellChange]) -> HubEngine.RequestError? {
            hub.feed(.transact(.init(number: 1), changes, expected: nil), at: 0)
            guard case .answer(_, .refused(let fault))? = hub.claimDeeds().first else { return nil }
            return fault
        }
        var reserved = note(1)
        reserved.kind = "sync.watch"
        #expect(refused(CellChange(key: reserved, value: "x")) == .reservedKind("sync.watch"))
        var empty = note(1)
        empty.group = ""
        #expect(refused(CellChange(key: empty, value: "x")) == .badName(""))
        let long = String(repeating: "x", count: Cell.valueByteCountMax + 1)
        #expect(
            refused(CellChange(key: note(1), value: long)) == .valueTooLarge(note(1), byteCount: long.utf8.count))
        let large = (0...UInt64(HubEngine.cellByteCountMax / Cell.valueByteCountMax)).map {
            CellChange(key: note($0), value: String(long.dropLast()))
        }
        guard case .snapshotTooLarge? = refused(large) else {
            Issue.record("a snapshot over the limit was taken")
            return
        }
        #expect(hub.engine.version.revision == 0)
    }

    // MARK: - Sessions at the hub

    @Test func `a stranger is refused in words and gets nothing`() {
        var hub = HubScript()
        let answered = hub.greet(key(9), on: connection(1), at: 0)
        #expect(answered == nil)
        let frames = hub.claimDeeds()
        guard case .send(let frame, connection(1))? = frames.first, frames.count == 1 else {
            Issue.record("a stranger got \(frames)")
            return
        }
        #expect((try? Refusal(frame))?.code == .notPaired)
        hub.feed(.publish(register("a", 1)), at: 1)
        let claimed = hub.claimDeeds()
        #expect(claimed.isEmpty)
    }

    @Test func `versions that do not overlap are refused in words`() {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        func code(wire: ClosedRange<UInt32>, schema: ClosedRange<UInt32>) -> Refusal.Code? {
            let hello = Hello(nonce: 1, wire: wire, schema: schema, name: "w", epoch: nil, known: nil, window: 1)
            hub.send(hello.frame, watch, connection(1), at: 1)
            guard case .send(let frame, _)? = hub.claimDeeds().first else { return nil }
            return (try? Refusal(frame))?.code
        }
        #expect(code(wire: 2...3, schema: 1...1) == .upgradeHub)
        #expect(code(wire: 0...0, schema: 1...1) == .upgradeWatch)
        #expect(code(wire: 1...1, schema: 2...2) == .upgradeHub)
        #expect(code(wire: 1...1, schema: 0...0) == .upgradeWatch)
    }

    @Test func `frames of another session, connection or direction are dropped`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        hub.pair(key(2), at: 0)
        let greeted = hub.greet(watch, on: connection(1), at: 1)
        let session = try #require(greeted)
        _ = hub.claimEvents()
        hub.send(Ping(number: 1).frame(session: session ^ 2), watch, connection(1), at: 2)
        hub.send(Ping(number: 1).frame(session: session), watch, connection(2), at: 2)
        hub.send(Ping(number: 1).frame(session: session), key(2), connection(1), at: 2)
        #expect(
            hub.outputs.allSatisfy { output in
                guard case .event(.dropped(_, .foreignSession)) = output else { return false }
                return true
            })
        let claimed = hub.claimEvents()
        #expect(claimed.count == 3)
        hub.send(Pong(number: 1, hubMilliseconds: 0).frame(session: session), watch, connection(1), at: 3)
        let last = hub.claimEvents()
        #expect(last == [.dropped(watch, .wrongDirection(.pong))])
    }

    @Test func `three heartbeats of silence end a session`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let greeted = hub.greet(watch, on: connection(1), at: 0)
        let session = try #require(greeted)
        hub.send(Ping(number: 1).frame(session: session), watch, connection(1), at: 500)
        _ = hub.claimEvents()
        hub.feed(.timeReached, at: 3499)
        #expect(hub.engine.watches.first?.isLinked == true)
        hub.feed(.timeReached, at: 3500)
        #expect(hub.engine.watches.first?.isLinked == false)
        let claimed = hub.claimEvents()
        #expect(claimed == [.unlinked(watch, name: "wrist", .silent)])
    }

    @Test func `two devices with one key that take the session from each other raise the alarm`() {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        for round in UInt8(0)..<4 {
            let session = hub.greet(watch, on: connection(round % 2), nonce: UInt64(round), at: Int64(round))
            #expect(session != nil)
        }
        #expect(!hub.outputs.contains(.event(.duplicateWatch(watch))))
        _ = hub.greet(watch, on: connection(0), nonce: 9, at: 9)
        #expect(hub.outputs.contains(.event(.duplicateWatch(watch))))
    }

    @Test func `one watch that connects again and again raises none`() {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        for round in UInt8(1)...20 {
            let session = hub.greet(watch, on: connection(round), nonce: UInt64(round), at: Int64(round) * 200)
            #expect(session != nil)
        }
        #expect(!hub.outputs.contains(.event(.duplicateWatch(watch))))
    }

    @Test func `a watch gets so many sessions a second, and then waits`() {
        // I20
        var hub = HubScript()
        hub.pair(watch, at: 0)
        hub.pair(key(2), at: 0)
        for round in 0..<HubEngine.greetingLimit {
            let session = hub.greet(watch, on: connection(1), nonce: UInt64(round + 1), at: Int64(round))
            #expect(session != nil)
        }
        _ = hub.claimDeeds()
        let early = hub.greet(watch, on: connection(1), nonce: 100, at: 999)
        #expect(early == nil)
        _ = hub.claimDeeds()
        let other = hub.greet(key(2), on: connection(2), nonce: 101, at: 999)
        #expect(other != nil)
        _ = hub.claimDeeds()
        let later = hub.greet(watch, on: connection(1), nonce: 102, at: 1000)
        #expect(later != nil)
    }

    @Test func `an unpaired watch is told and forgotten`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let greeted = hub.greet(watch, on: connection(1), at: 1)
        let session = try #require(greeted)
        _ = hub.claimDeeds()
        hub.feed(.unpair(.init(number: 1), watch), at: 2)
        hub.store(at: 3)
        let told = hub.outputs.contains { output in
            guard case .send(let frame, connection(1)) = output, frame.kind == .refuse else { return false }
            return frame.session == session && (try? Refusal(frame))?.code == .notPaired
        }
        #expect(told)
        #expect(hub.engine.watches.isEmpty)
        #expect(!hub.engine.admittedKeys.contains(watch))
    }

    @Test func `a hub that lost its past begins a new epoch`() throws {
        // PROTOCOL §9
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let before = hub.engine.version
        let answered = hub.greet(watch, on: connection(1), known: version(99), at: 1)
        #expect(answered == nil)
        hub.store(at: 2)
        #expect(hub.engine.version.epoch != before.epoch)
        _ = hub.claimEvents()
        let anew = hub.greet(watch, on: connection(1), known: version(99), nonce: 8, at: 3)
        #expect(anew != nil)
    }

    // MARK: - Pairing

    @Test func `an invitation lets one watch in, again if it asks again, and no other`() {
        var hub = HubScript()
        let invitation = key(50)
        hub.feed(.invite(.init(number: 1), key: invitation, name: "kitchen", validMilliseconds: 1000), at: 0)
        hub.store(at: 0)
        _ = hub.claimDeeds()
        func answer(_ watch: PeerKey, at milliseconds: Int64) -> Frame? {
            hub.send(PairRequest(nonce: 1, key: watch, name: "x").frame, invitation, connection(5), at: milliseconds)
            let direct = hub.outputs
            hub.store(at: milliseconds)
            for case .send(let frame, _) in direct + hub.claimDeeds() { return frame }
            return nil
        }
        #expect(answer(key(1), at: 1)?.kind == .paired)
        #expect(answer(key(1), at: 2)?.kind == .paired)
        #expect(answer(key(2), at: 3).flatMap { try? Refusal($0) }?.code == .invitationVoid)
        #expect(answer(key(1), at: 1000).flatMap { try? Refusal($0) }?.code == .invitationVoid)
        #expect(hub.engine.watches.map(\.watch.name) == ["kitchen"])
    }

    @Test func `who holds an invitation cannot change what the hub knows of a watch that is paired`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let before = hub.engine.watches.map(\.watch)
        hub.feed(.invite(.init(number: 1), key: key(50), name: "stolen", validMilliseconds: 1000), at: 1)
        hub.store(at: 1)
        _ = hub.claimDeeds()
        hub.send(PairRequest(nonce: 1, key: watch, name: "mine").frame, key(50), connection(5), at: 2)
        hub.store(at: 2)
        // The same watch, which lost its record of the hub, gets the same name.
        let answers = hub.claimDeeds().compactMap { deed -> PairAnswer? in
            guard case .send(let frame, _) = deed else { return nil }
            return try? PairAnswer(frame)
        }
        #expect(answers.map(\.name) == ["wrist"])
        #expect(hub.engine.watches.map(\.watch) == before)
        hub.send(PairRequest(nonce: 2, key: key(3), name: "x").frame, key(50), connection(6), at: 3)
        #expect(hub.engine.watches.map(\.watch) == before, "the invitation is used")
    }

    @Test func `an invitation's key cannot open a session, and a watch's key cannot pair`() {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let answered = hub.greet(key(200), on: connection(1), at: 1)
        #expect(answered == nil)
        guard case .send(let frame, _)? = hub.claimDeeds().first else {
            Issue.record("no answer")
            return
        }
        #expect((try? Refusal(frame))?.code == .invitationOnly)
        hub.send(PairRequest(nonce: 1, key: key(3), name: "x").frame, watch, connection(1), at: 2)
        guard case .send(let second, _)? = hub.claimDeeds().first else {
            Issue.record("no answer")
            return
        }
        #expect((try? Refusal(second))?.code == .invitationVoid)
        #expect(hub.engine.watches.count == 1)
    }

    @Test func `an invitation ends with its time`() {
        var hub = HubScript()
        hub.feed(.invite(.init(number: 1), key: key(50), name: nil, validMilliseconds: 1000), at: 0)
        hub.store(at: 0)
        #expect(hub.engine.admittedKeys == [key(50)])
        hub.feed(.timeReached, at: 1000)
        #expect(hub.engine.admittedKeys.isEmpty)
    }

    @Test func `a clock that is set neither lengthens an invitation nor ends it; across a restart it counts`() {
        func moment(_ milliseconds: Int64, setBy ahead: Int64) -> Moment {
            Moment(
                monotonic: instant(milliseconds), wallMilliseconds: 1_790_000_000_000 + milliseconds + ahead)
        }
        var hub = HubScript()
        hub.feed(.invite(.init(number: 1), key: key(50), name: nil, validMilliseconds: 1000), at: 0)
        hub.store(at: 0)
        for ahead: Int64 in [3_600_000, -3_600_000] {
            hub.feed(.timeReached, at: moment(999, setBy: ahead))
            #expect(hub.engine.admittedKeys == [key(50)])
        }
        let stored = hub.engine.ledger.state
        hub.feed(.timeReached, at: moment(1000, setBy: -3_600_000))
        #expect(hub.engine.admittedKeys.isEmpty)
        hub.send(PairRequest(nonce: 1, key: watch, name: "x").frame, key(50), connection(5), at: 1000)
        #expect(hub.engine.watches.isEmpty)

        // The monotonic clock of an earlier run says nothing about the elapsed time.
        for (wall, isOpen) in [(999, true), (1000, false)] as [(Int64, Bool)] {
            let again = HubEngine(
                configuration: hub.engine.configuration, state: stored, seed: 2,
                at: Moment(monotonic: instant(77_000), wallMilliseconds: 1_790_000_000_000 + wall))
            #expect(again.admittedKeys == (isOpen ? [key(50)] : []))
        }
    }

    @Test(arguments: [
        "a\u{1B}[2J", "a\u{202E}", "a\nb", "a\u{2028}", "a\u{9B}", "\u{7F}", "\u{200B}", "a\u{AD}b", "\u{E0041}",
        "\u{2800}",
    ])
    func `a watch whose name steers a terminal or the direction of writing is refused in words`(name: String) throws {
        var hub = HubScript()
        hub.feed(.invite(.init(number: 1), key: key(50), name: name, validMilliseconds: 1000), at: 0)
        #expect(hub.claimDeeds() == [.answer(.init(number: 1), .refused(.badName(name)))])
        hub.feed(.invite(.init(number: 2), key: key(50), name: nil, validMilliseconds: 1000), at: 0)
        hub.store(at: 0)
        _ = hub.claimDeeds()
        hub.send(PairRequest(nonce: 1, key: watch, name: name).frame, key(50), connection(5), at: 1)
        let refusals = hub.claimDeeds().compactMap { deed -> Refusal? in
            guard case .send(let frame, _) = deed else { return nil }
            return try? Refusal(frame)
        }
        #expect(refusals.map(\.code) == [.failed])
        #expect(refusals.first?.text.hasPrefix("the name of the watch holds U+") == true)
        #expect(hub.engine.watches.isEmpty)
        // Control characters in an answer of another hub are replaced.
        let read = try PairAnswer(PairAnswer(nonce: 1, name: name).frame).name
        #expect(ControlCharacter.find(in: read) == nil && read.contains("\u{FFFD}"))
    }

    @Test func `a pairing client asks until it is answered`() {
        var client = PairingClient(key: watch, name: "wrist", app: testApp, seed: 1)
        guard case .send(let first) = client.connected(now: instant(0)),
            case .send(let second) = client.timeReached(now: instant(1000)),
            let nonce = (try? PairRequest(second))?.nonce
        else {
            Issue.record("it did not ask")
            return
        }
        #expect(first == second)
        let stale = PairAnswer(nonce: nonce &+ 1, name: "old").frame
        #expect(client.received(FrameCodec.parts(of: stale)) == .none)
        let answer = PairAnswer(nonce: nonce, name: "wrist").frame
        #expect(client.received(FrameCodec.parts(of: answer)) == .done(name: "wrist"))
        #expect(client.timeReached(now: instant(9000)) == .none)
    }

    // MARK: - The watch

    @Test func `a snapshot is acknowledged when it is durable`() throws {
        // I17
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(3).frame(session: 5), at: 1)
        let outputs = watch.claim()
        #expect(outputs.count == 1)
        guard case .persist(let record)? = outputs.first else {
            Issue.record("wanted it stored, got \(outputs)")
            return
        }
        #expect(watch.engine.snapshot == nil)
        watch.feed(.persisted(record), at: 2)
        #expect(
            watch.claim() == [
                .event(.snapshotChanged(snapshot(3))), .send(snapshot(3).version.acknowledgement(session: 5)),
            ])
    }

    @Test func `frames of another session are dropped by a watch`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(3).frame(session: 6), at: 1)
        watch.receive(register("a", 1).frame(session: 6, number: 1, epoch: Epoch(number: 1)), at: 1)
        let claimed = watch.claim()
        #expect(claimed == Array(repeating: .event(.dropped(.foreignSession)), count: 2))
    }

    @Test func `a left epoch never comes back`() throws {
        var watch = WatchScript(
            watchState(
                snapshot(3, epoch: 2), EpochFence(current: Epoch(number: 2), abandoned: [Epoch(number: 1)])))
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(9).frame(session: 5), at: 1)
        let claimed = watch.claim()
        #expect(claimed == [.event(.hubForked(Epoch(number: 1))), .event(.dropped(.old(.context)))])
        #expect(watch.engine.snapshot == snapshot(3, epoch: 2))
    }

    @Test func `older values never replace newer ones, whatever the session`() throws {
        var watch = WatchScript()
        let epoch = Epoch(number: 1)
        try watch.open(session: 5, at: 0)
        watch.receive(register("a", 9).frame(session: 5, number: 1, epoch: epoch), at: 1)
        let claimed = watch.claim()
        #expect(claimed.contains(.event(.registerChanged(register("a", 9)))))
        watch.feed(.disconnected, at: 2)
        try watch.open(session: 6, at: 3)
        watch.receive(register("a", 8).frame(session: 6, number: 1, epoch: epoch), at: 4)
        let last = watch.claim()
        #expect(last.contains(.event(.dropped(.old(.register)))))
        #expect(watch.engine.registers["a"]?.register.order == 9)
    }

    @Test func `the link is lost when the hub does not answer, though it is heard`() throws {
        // C23
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        for second in 1...3 {
            let number = UInt64(second)
            watch.receive(
                register("a", number).frame(session: 5, number: number, epoch: Epoch(number: 1)),
                at: Int64(second) * 1000 - 10)
        }
        watch.feed(.timeReached, at: 3000)
        let outputs = watch.claim()
        #expect(outputs.contains(.reconnect))
        #expect(outputs.contains(.event(.linkChanged(.lost(lastAnswer: instant(0))))))
    }

    @Test func `a farewell writes what waits`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(register("a", 1).frame(session: 5, number: 1, epoch: Epoch(number: 1)), at: 1)
        _ = watch.claim()
        watch.feed(.farewell, at: 2)
        let outputs = watch.claim()
        #expect(outputs.contains(.send(Frame(kind: .bye, session: 5))))
        let isWritten = outputs.contains { output in
            guard case .persist(.registers(let registers, _)) = output else { return false }
            return registers.map(\.register) == [register("a", 1)]
        }
        #expect(isWritten)
    }

    @Test func `what a watch remembers is what its store holds, also of an epoch that came with registers`() throws {
        // I17
        var watch = WatchScript(watchState(snapshot(3), EpochFence(current: Epoch(number: 1))))
        try watch.open(session: 5, at: 0)
        watch.receive(register("a", 1).frame(session: 5, number: 1, epoch: Epoch(number: 2)), at: 1)
        watch.feed(.farewell, at: 2)
        for output in watch.claim() {
            guard case .persist(let record) = output else { continue }
            watch.feed(.persisted(record), at: 3)
        }
        #expect(watch.engine.replica.fence == EpochFence(current: Epoch(number: 2), abandoned: [Epoch(number: 1)]))
        #expect(watch.engine.replica.fence == watch.engine.epochs)
    }

    @Test func `an input before the outputs are drained traps`() async {
        await #expect(processExitsWith: .failure) {
            var engine = WatchEngine(
                configuration: .init(name: "w", app: testApp, schemaVersions: 1...1), state: watchState(), seed: 1)
            engine.handle(.connected, at: moment(0))
            engine.handle(.disconnected, at: moment(1))
        }
    }
}
