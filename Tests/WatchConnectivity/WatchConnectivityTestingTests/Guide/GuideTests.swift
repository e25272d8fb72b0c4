import Foundation
import Synchronization
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// The snippets of `Docs/watchconnectivity/testing.md`, as tests that run.
@Suite struct GuideTests {
    // snippet: the first test
    @Test func `laps reach the phone`() throws {
        let pair = try TestPair()
        let (phone, watch) = (PhoneSide(), WatchSide())
        pair.asDefault(.phone) { phone.start() }
        pair.asDefault(.watch) { watch.start() }
        pair.settle()

        pair.asDefault(.watch) { watch.swam(laps: 4) }
        pair.settle()
        #expect(phone.lapCount.withLock { $0 } == 4)
    }
    // end

    // snippet: sessions that are passed in
    @Test func `a recording delegate plays the other side`() throws {
        let (phone, watch) = (RecordingDelegate(), RecordingDelegate())
        watch.answer = { message in ["sum": (message["a"] as? Int ?? 0) + (message["b"] as? Int ?? 0)] }
        let pair = try TestPair.activated(phone: phone, watch: watch)

        let sum = Mutex(0)
        pair.phone.sendMessage(["a": 1, "b": 2]) { reply in
            let value = reply["sum"] as? Int ?? 0
            sum.withLock { $0 = value }
        }
        pair.settle()
        #expect(sum.withLock { $0 } == 3)
        #expect(watch.calls.last == "didReceiveMessage replyHandler")
    }
    // end

    // snippet: an app that does not run
    @Test func `three laps wait for the phone's app`() throws {
        let pair = try TestPair()
        let (phone, watch) = (PhoneSide(), WatchSide())
        // What each new process of the phone's app does.
        pair.phoneDevice.onLaunch = { [weak pair] _, _ in pair?.asDefault(.phone) { phone.start() } }
        pair.asDefault(.watch) { watch.start() }
        pair.settle()

        pair.phoneDevice.app = .notRunning
        for _ in 1...3 { pair.asDefault(.watch) { watch.swam(laps: 1) } }
        pair.settle()
        #expect(phone.lapCount.withLock { $0 } == 0)
        #expect(pair.watch.outstandingUserInfoTransfers.isEmpty)  // The phone's device has them.

        pair.phoneDevice.app = .foreground
        pair.settle()
        #expect(phone.lapCount.withLock { $0 } == 3)
    }
    // end

    // snippet: a bad link
    @Test func `laps survive a bad link and a dead battery`() throws {
        let pair = try TestPair(seed: 7)
        let (phone, watch) = (PhoneSide(), WatchSide())
        pair.asDefault(.phone) { phone.start() }
        pair.asDefault(.watch) { watch.start() }
        pair.settle()

        pair.link.faults.dropChance = 0.3
        pair.link.faults.delays = .milliseconds(10) ... .seconds(2)
        for _ in 1...10 { pair.asDefault(.watch) { watch.swam(laps: 1) } }
        pair.advance(by: .seconds(1))
        pair.watchDevice.powerOff()
        pair.advance(by: .seconds(60))
        pair.watchDevice.powerOn()
        pair.link.heal()
        pair.settle()
        #expect(phone.lapCount.withLock { $0 } == 10)
    }
    // end

    // snippet: time
    @Test func `a reply that never comes fails after ten seconds that nobody waits for`() throws {
        // Sessions hold their delegates weakly, so the test holds them.
        let (phone, silent) = (RecordingDelegate(), RecordingDelegate())
        let pair = try TestPair.activated(phone: phone, watch: silent)
        let code = Mutex<WCError.Code?>(nil)
        pair.phone.sendMessage(
            ["question": 1], replyHandler: { _ in },
            errorHandler: { error in code.withLock { $0 = (error as? WCError)?.code } })
        pair.advance(by: .seconds(9))
        #expect(code.withLock { $0 } == nil)
        pair.advance(by: .seconds(2))
        #expect(code.withLock { $0 } == .messageReplyTimedOut)
    }
    // end

    // snippet: behaviours
    @Test func `an error handler that is called twice does not hurt`() throws {
        var behaviour = SessionBehaviour()
        behaviour.callsErrorHandlerTwice = true
        let pair = try TestPair(phone: behaviour)
        let delegate = RecordingDelegate()
        pair.phone.delegate = delegate
        pair.phone.activate()
        pair.link.cut()
        pair.settle()

        let count = Mutex(0)
        pair.phone.sendMessage(["a": 1], replyHandler: nil) { _ in count.withLock { $0 += 1 } }
        pair.settle()
        #expect(count.withLock { $0 } == 2)
    }
    // end

    // snippet: another watch
    @Test func `the goal reaches the watch that is worn now`() throws {
        let pair = try TestPair(watches: 2)
        let (phone, first, second) = (PhoneSide(), WatchSide(), WatchSide())
        pair.asDefault(.phone) { phone.start() }
        pair.asDefault(.watch(0)) { first.start() }
        pair.asDefault(.watch(1)) { second.start() }
        pair.settle()

        pair.switchWatch(to: 1)
        pair.settle()
        try pair.asDefault(.phone) { try phone.setGoal(40) }
        pair.settle()
        #expect(first.goal.withLock { $0 } == nil)
        #expect(second.goal.withLock { $0 } == 40)
    }
    // end

    // snippet: tasks
    @Test func `code that goes on in a task is waited for`() async throws {
        let pair = try TestPair()
        let phone = RecordingDelegate()
        let watch = WatchSide()
        pair.phone.delegate = phone
        pair.phone.activate()
        pair.asDefault(.watch) { watch.start() }
        await pair.settle()

        await pair.asDefault(.watch) {
            await Task { watch.swam(laps: 2) }.value
        }
        #expect(await pair.settle { phone.userInfos.count == 1 })
    }
    // end

    // snippet: the timeline
    @Test func `what happened can be read`() throws {
        let (phone, watch) = (RecordingDelegate(), RecordingDelegate())
        let pair = try TestPair.activated(phone: phone, watch: watch)
        pair.phone.sendMessage(["tags": [NSNull()]], replyHandler: nil)
        pair.settle()
        #expect(pair.warnings.contains { $0.contains("tags") })
        print(pair.timeline)
    }
    // end
}

// snippet: code that goes on elsewhere
@Suite(.serialized) struct HoppingTests {
    @Test func `laps that are sent from a queue reach the phone`() async throws {
        let pair = try TestPair(singleton: .watch)
        let (phone, watch) = (PhoneSide(), WatchSide())
        pair.asDefault(.phone) { phone.start() }
        watch.start()
        await pair.settle()

        DispatchQueue.global().async { watch.swam(laps: 3) }
        #expect(await pair.settle { phone.lapCount.withLock { $0 } == 3 })
    }
}
// end
