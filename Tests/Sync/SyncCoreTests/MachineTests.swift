import Testing

@testable import SyncCore

/// The small state machines, as sequences of calls with the expected results.
@Suite struct MachineTests {
    // MARK: - WatchLink

    @Test func `a link greets, opens, pings and notices silence`() {
        // C23: sent frames prove nothing; only answers do.
        var link = WatchLink()
        #expect(link.connected(now: instant(0), nonce: 1) == .greet(nonce: 1))
        #expect(link.welcomed(welcome(1), session: 5, now: instant(10)) == true)
        // The first ping follows immediately: it shows the hub that the session is in use.
        #expect(link.deadlineReached(now: instant(10), nonce: 2) == .ping(Ping(number: 1), session: 5))
        #expect(link.pongReceived(Pong(number: 1, hubMilliseconds: 0), now: instant(30)) == .milliseconds(20))
        #expect(link.deadlineReached(now: instant(1009), nonce: 2) == .none)
        #expect(link.deadlineReached(now: instant(1010), nonce: 2) == .ping(Ping(number: 2), session: 5))
        #expect(link.deadlineReached(now: instant(2010), nonce: 2) == .ping(Ping(number: 3), session: 5))
        #expect(link.deadlineReached(now: instant(3029), nonce: 2) == .ping(Ping(number: 4), session: 5))
        #expect(link.deadlineReached(now: instant(3030), nonce: 2) == .reconnect)
        #expect(link.session == nil)
    }

    @Test func `a greeting is repeated, then the connection is given up`() {
        var link = WatchLink()
        #expect(link.connected(now: instant(0), nonce: 1) == .greet(nonce: 1))
        #expect(link.deadlineReached(now: instant(999), nonce: 2) == .none)
        // The same greeting again, so that either answer is valid.
        #expect(link.deadlineReached(now: instant(1000), nonce: 2) == .greet(nonce: 1))
        #expect(link.deadlineReached(now: instant(2000), nonce: 3) == .greet(nonce: 1))
        #expect(link.deadlineReached(now: instant(3000), nonce: 4) == .reconnect)
    }

    @Test func `a stale or a second welcome is ignored`() {
        var link = WatchLink()
        _ = link.connected(now: instant(0), nonce: 1)
        link.disconnected()
        _ = link.connected(now: instant(1000), nonce: 2)
        #expect(link.welcomed(welcome(1), session: 5, now: instant(1001)) == false)
        #expect(link.welcomed(welcome(2), session: 6, now: instant(1002)) == true)
        #expect(link.welcomed(welcome(2), session: 7, now: instant(1003)) == false)
        #expect(link.session?.id == 6)
    }

    @Test func `a refusal is waited out`() {
        var link = WatchLink()
        let refusal = Refusal(code: .notPaired, text: "", retryAfterMilliseconds: 5000)
        _ = link.connected(now: instant(0), nonce: 1)
        #expect(link.refused(refusal, nonce: 9, session: 0, now: instant(1)) == false)
        #expect(link.refused(refusal, nonce: 1, session: 0, now: instant(1)) == true)
        #expect(link.deadlineReached(now: instant(5000), nonce: 2) == .none)
        #expect(link.deadlineReached(now: instant(5001), nonce: 2) == .greet(nonce: 2))
    }

    @Test func `a refusal ends the open session, and is waited out`() {
        var link = WatchLink()
        let refusal = Refusal(code: .takenOver, text: "", retryAfterMilliseconds: 5000)
        _ = link.connected(now: instant(0), nonce: 1)
        _ = link.welcomed(welcome(1), session: 5, now: instant(1))
        // Its greeting was answered: from now on only the session counts.
        #expect(link.refused(refusal, nonce: 1, session: 6, now: instant(2)) == false)
        #expect(link.session?.id == 5)
        #expect(link.refused(refusal, nonce: 0, session: 5, now: instant(2)) == true)
        #expect(link.state == .refused(refusal, retryAt: instant(5002)))
        // A late frame of that session changes nothing.
        #expect(link.refused(refusal, nonce: 0, session: 5, now: instant(3)) == false)
        #expect(link.welcomed(welcome(1), session: 5, now: instant(3)) == false)
        #expect(link.deadlineReached(now: instant(5001), nonce: 2) == .none)
        #expect(link.deadlineReached(now: instant(5002), nonce: 2) == .greet(nonce: 2))
    }

    /// A link in each state.
    private var links: [WatchLink] {
        let refusal = Refusal(code: .notPaired, text: "", retryAfterMilliseconds: 5000)
        let down = WatchLink()
        var greeting = down
        _ = greeting.connected(now: instant(0), nonce: 1)
        var refused = greeting
        _ = refused.refused(refusal, nonce: 1, session: 0, now: instant(1))
        var opened = greeting
        _ = opened.welcomed(welcome(1), session: 5, now: instant(1))
        return [down, greeting, refused, opened]
    }

    @Test func `a new connection is greeted from each state, and nothing of an earlier one counts`() {
        for var link in links {
            #expect(link.connected(now: instant(500), nonce: 2) == .greet(nonce: 2))
            #expect(link.state == .greeting(nonce: 2, attempt: 1, deadline: instant(1500)))
            #expect(link.welcomed(welcome(1), session: 6, now: instant(501)) == false)
            #expect(link.welcomed(welcome(2), session: 7, now: instant(502)) == true)
            #expect(link.session?.id == 7)
        }
    }

    @Test func `a lost connection ends each state, and time alone brings nothing back`() {
        for var link in links {
            link.disconnected()
            #expect(link.state == .down)
            #expect(link.deadline == nil)
            #expect(link.welcomed(welcome(1), session: 5, now: instant(2)) == false)
            #expect(link.deadlineReached(now: instant(100_000), nonce: 2) == .none)
        }
    }

    @Test func `a hub that says BYE ends the session, and the watch connects anew`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(Frame(kind: .bye, session: 4), at: 1)
        #expect(watch.engine.linkState == .linked)
        let before = watch.claim()
        #expect(!before.contains(.reconnect))
        watch.receive(Frame(kind: .bye, session: 5), at: 2)
        #expect(watch.engine.linkState == .lost(lastAnswer: instant(0)))
        let after = watch.claim()
        #expect(after.contains(.reconnect))
        watch.feed(.connected, at: 3)
        let frames = watch.claimFrames()
        #expect(frames.map(\.kind) == [.hello])
    }

    @Test func `an answer to a ping that was never sent is no answer`() {
        var link = WatchLink()
        _ = link.connected(now: instant(0), nonce: 1)
        _ = link.welcomed(welcome(1), session: 5, now: instant(0))
        #expect(link.pongReceived(Pong(number: 1, hubMilliseconds: 0), now: instant(1)) == nil)
        #expect(link.session?.lastAnswer == instant(0))
    }

    // MARK: - Context

    @Test func `one snapshot is on its way at a time`() {
        var sender = ContextSender(known: nil)
        #expect(sender.next(version(1), now: instant(0)) == .whole)
        #expect(sender.next(version(2), now: instant(1)) == nil)
        #expect(sender.acknowledgementReceived(version(9)) == false)
        #expect(sender.next(version(2), now: instant(2)) == nil)
        #expect(sender.acknowledgementReceived(version(1)) == true)
        #expect(sender.next(version(3), now: instant(3)) == .whole)
        #expect(sender.deadline == instant(2003))
        #expect(sender.next(version(3), now: instant(2002)) == nil)
        #expect(sender.next(version(4), now: instant(2003)) == .whole)
        #expect(sender.acknowledgementReceived(version(4)) == true)
        #expect(sender.next(version(4), now: instant(9000)) == nil)
        #expect(sender.acknowledged == version(4))
    }

    @Test func `what changed since the acknowledged version goes once, then the whole`() {
        // PROTOCOL §6
        var sender = ContextSender(known: version(5), takesDeltas: true)
        #expect(sender.form == .since(version(5)))
        #expect(sender.next(version(6), now: instant(0)) == .since(version(5)))
        #expect(sender.form == .whole)
        #expect(sender.next(version(7), now: instant(1999)) == nil)
        #expect(sender.next(version(7), now: instant(2000)) == .whole)
        #expect(sender.acknowledgementReceived(version(6)) == false)
        #expect(sender.acknowledgementReceived(version(7)) == true)
        #expect(sender.next(version(8), now: instant(2001)) == .since(version(7)))
        var new = ContextSender(known: nil, takesDeltas: true)
        #expect(new.next(version(1), now: instant(0)) == .whole)
    }

    @Test func `a watch that holds the version gets nothing`() {
        var sender = ContextSender(known: version(5))
        #expect(sender.next(version(5), now: instant(0)) == nil)
        #expect(sender.next(version(6), now: instant(0)) == .whole)
    }

    @Test func `a watch never returns to an epoch that it left`() {
        var fence = EpochFence()
        #expect(fence.pass(Epoch(number: 1)) == .new)
        #expect(fence.pass(Epoch(number: 1)) == .current)
        #expect(fence.pass(Epoch(number: 2)) == .new)
        #expect(fence.pass(Epoch(number: 1)) == .abandoned)
        for number in 3..<UInt64(EpochFence.abandonedCountMax + 10) {
            #expect(fence.pass(Epoch(number: number)) == .new)
        }
        #expect(fence.abandoned.count == EpochFence.abandonedCountMax)
    }

    // MARK: - Registers

    @Test func `values go out in order while there is credit`() {
        var sender = RegisterLine(window: 2)
        for order in 1...4 { sender.publish(register("\(order)", UInt64(order))) }
        #expect(sender.next(now: instant(0))?.register.order == 1)
        #expect(sender.next(now: instant(0))?.number == 2)
        #expect(sender.next(now: instant(0)) == nil)
        sender.creditReceived(Credit(highest: 2, missing: []), now: instant(1))
        #expect(sender.confirmedCount == 2)
        #expect(sender.next(now: instant(1))?.register.order == 3)
    }

    @Test func `a lost value is sent again if it is the newest, and gives way if it is not`() {
        var sender = RegisterLine(window: 4)
        for value in [register("a", 1), register("b", 1), register("a", 2)] {
            sender.publish(value)
            _ = sender.next(now: instant(0))
        }
        sender.creditReceived(Credit(highest: 3, missing: [1, 2]), now: instant(1))
        let again = sender.next(now: instant(1))
        #expect(again?.register == register("b", 1))
        #expect(again?.number == 4)
        #expect(sender.next(now: instant(1)) == nil)
        #expect(sender.supersededCount == 1)
        #expect(sender.confirmedCount == 1)
    }

    @Test func `what nobody confirms is sent again after a while`() {
        var sender = RegisterLine(window: 4)
        sender.publish(register("a", 1))
        _ = sender.next(now: instant(0))
        sender.deadlineReached(now: instant(1999))
        #expect(sender.next(now: instant(1999)) == nil)
        sender.deadlineReached(now: instant(2000))
        #expect(sender.next(now: instant(2000))?.register == register("a", 1))
    }

    @Test func `a slow watch gets fewer values, never older ones`() {
        // I7: one value of each register waits, and each replaced value is counted.
        var sender = RegisterLine(window: 1)
        for order in 1...999 {
            sender.publish(register(order.isMultiple(of: 2) ? "a" : "b", UInt64(order)))
        }
        #expect(sender.backlogCount == 2)
        #expect(sender.supersededCount == 997)
        // In the order of their last changes, because the sender has not read the table before.
        var orders: [UInt64] = []
        while let (number, register) = sender.next(now: instant(0)) {
            orders.append(register.order)
            sender.creditReceived(Credit(highest: number, missing: []), now: instant(0))
        }
        #expect(orders == [998, 999])
        #expect(sender.confirmedCount == 2)
    }

    @Test func `what changes again and again does not keep others from their turn`() {
        // I7: two registers change faster than the watch sends credit.
        var sender = RegisterLine(window: 1)
        var keys: [String] = []
        for round in UInt64(0)..<6 {
            sender.publish(register("a", 2 * round + 1))
            sender.publish(register("b", 2 * round + 1))
            sender.publish(register("a", 2 * round + 2))
            if round > 0 { sender.creditReceived(Credit(highest: round, missing: []), now: instant(0)) }
            if let sent = sender.next(now: instant(0)) {
                keys.append(sent.register.key)
                #expect(sent.register.order > 2 * round)
            }
        }
        #expect(keys == ["b", "a", "b", "a", "b", "a"])
        #expect(sender.supersededCount + sender.confirmedCount + UInt64(sender.backlogCount) == 18)
    }

    @Test func `a value goes out at once only where it is all that is left to send`() {
        var sender = RegisterLine(window: 1)
        #expect(sender.publishAtOnce(register("a", 1), now: instant(0)) == 1)
        #expect(sender.publishAtOnce(register("a", 2), now: instant(1)) == nil)
        sender.creditReceived(Credit(highest: 1, missing: []), now: instant(2))
        // An earlier value is still waiting.
        #expect(sender.publishAtOnce(register("b", 1), now: instant(3)) == nil)
        #expect(sender.next(now: instant(3))?.register == register("a", 2))
        sender.creditReceived(Credit(highest: 2, missing: []), now: instant(4))
        #expect(sender.next(now: instant(4))?.register == register("b", 1))
        sender.creditReceived(Credit(highest: 3, missing: []), now: instant(5))
        #expect(sender.publishAtOnce(register("b", 2), now: instant(6)) == 4)
        // The same applies after a change that was not handled yet.
        var behind = RegisterLine(window: 4)
        behind.publish(register("a", 1))
        #expect(behind.publishAtOnce(register("b", 1), now: instant(0)) == nil)
        #expect(behind.next(now: instant(0))?.register == register("a", 1))
        #expect(behind.next(now: instant(0))?.register == register("b", 1))
        // The same applies while another value must be sent again.
        var wider = RegisterLine(window: 2)
        #expect(wider.publishAtOnce(register("a", 1), now: instant(0)) == 1)
        #expect(wider.publishAtOnce(register("b", 1), now: instant(2000)) == nil)
        #expect(wider.next(now: instant(2000))?.register == register("b", 1))
        #expect(wider.next(now: instant(2000))?.register == register("a", 1))
    }

    @Test func `a watch that confirms nothing gets each register in turn`() {
        var sender = RegisterLine(window: 1)
        sender.publish(register("a", 1))
        sender.publish(register("b", 1))
        var keys: [String] = []
        for round in Int64(0)..<4 {
            sender.deadlineReached(now: instant(round * 2000))
            if let (_, register) = sender.next(now: instant(round * 2000)) { keys.append(register.key) }
        }
        #expect(keys == ["a", "b", "a", "b"])
    }

    @Test func `credit for what was never sent changes nothing`() {
        var sender = RegisterLine(window: 2)
        sender.publish(register("a", 1))
        _ = sender.next(now: instant(0))
        sender.creditReceived(Credit(highest: 99, missing: []), now: instant(0))
        #expect(sender.backlogCount == 1)
        #expect(sender.confirmedCount == 0)
    }

    @Test func `a receiver names the holes in each credit`() {
        var receiver = LiveReceiver(window: 8)
        #expect(receiver.arrived(1, now: instant(0)) == true)
        #expect(receiver.arrived(1, now: instant(0)) == false)
        #expect(receiver.arrived(4, now: instant(0)) == true)
        #expect(receiver.credit(now: instant(0)) == Credit(highest: 4, missing: [2, 3]))
        #expect(receiver.credit(now: instant(0)) == nil)
        #expect(receiver.arrived(3, now: instant(1)) == true)
        #expect(receiver.credit(now: instant(1)) == nil)
        #expect(receiver.credit(now: instant(51)) == Credit(highest: 4, missing: [2]))
    }

    @Test func `a wild number costs a window of memory at most`() {
        var receiver = LiveReceiver(window: 8)
        _ = receiver.arrived(.max, now: instant(0))
        #expect(receiver.missing.count <= 8)
    }

    @Test func `a table holds the newest of each register, and no more than its bound`() {
        var table = RegisterTable()
        #expect(table.take(register("a", 2)) == .newest(at: 0))
        #expect(table.take(register("a", 2)) == .old)
        #expect(table.take(register("a", 1)) == .old)
        for number in 1..<RegisterTable.countMax { _ = table.take(Register(key: "\(number)", order: 1, value: [])) }
        #expect(table.take(register("one more", 1)) == .full)
        #expect(table.take(register("a", 3)) == .newest(at: 0))
    }

    @Test func `a table tells what changed since some change, in the order of the last changes`() {
        var table = RegisterTable()
        for (order, key) in ["a", "b", "c", "b", "a", "b"].enumerated() {
            _ = table.take(register(key, UInt64(order)))
        }
        func keys(after count: UInt64) -> [String] { table.places(changedAfter: count).map { table[$0].key } }
        #expect(
            (0...6).map { keys(after: $0) } == [
                ["c", "a", "b"], ["c", "a", "b"], ["c", "a", "b"], ["a", "b"], ["a", "b"], ["b"], [],
            ])
        #expect(table.placesByKey.map { table[$0].key } == ["a", "b", "c"])
        // The relevant change is found regardless of the number of changes.
        for order in UInt64(10)..<1000 { _ = table.take(register("c", order)) }
        #expect(keys(after: 6) == ["c"])
        #expect(keys(after: 0) == ["a", "b", "c"])
        #expect(table.changeCount == 996)
    }

    @Test func `an order counts within its epoch, and is written once a second`() {
        var cache = RegisterCache(SortedMap())
        let first = Epoch(number: 1)
        let second = Epoch(number: 2)
        #expect(cache.take(register("a", 9), of: first, now: instant(0)) == true)
        #expect(cache.take(register("a", 9), of: first, now: instant(1)) == false)
        #expect(cache.take(register("a", 1), of: second, now: instant(2)) == true)
        #expect(cache.flush(now: instant(999), early: false) == [])
        #expect(cache.flush(now: instant(1000), early: false).map(\.register) == [register("a", 1)])
    }
}
