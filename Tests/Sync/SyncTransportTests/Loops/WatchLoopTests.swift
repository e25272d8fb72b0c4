import SyncTransport
import TestSupport
import Testing

@testable import SyncCore

/// The order in which the watch's loop carries out its engine's outputs.
///
/// Each expected text was recorded and reviewed once.
@Suite struct WatchLoopTests {
    private func expect(_ course: Course, _ expected: String) {
        #expect(course.text == expected, "\(course.text)")
    }

    @Test func `what the hub sends is stored before it is shown or confirmed`() async throws {
        let watch = try await WatchUnderTest()
        let hub = try present(watch.hub)
        watch.chapter("the configuration")
        try hub.context(1, "one")
        try await watch.rest()
        watch.chapter("a configuration that the store does not take")
        try hub.context(2, "two")
        try await watch.rest(failing: "no room")
        watch.chapter("user info")
        try hub.item(1, "info")
        try await watch.rest()
        watch.chapter("a message, and its reply")
        try hub.send(
            MessageFrame(number: 1, wantsReply: true, timeoutMilliseconds: 3_600_000, payload: Array("hi".utf8))
                .frame(session: hub.session))
        try await watch.rest()
        watch.ask("the reply") {
            .exchange(.reply($0, MessageID(session: hub.session, number: 1), Array("yes".utf8)))
        }
        try await watch.rest()
        watch.chapter("a register, which is stored within a second")
        try hub.register(1, "7")
        await watch.course.passed.wait { $0.records.wantedCount > $0.records.toldCount }
        try await watch.rest()
        expect(watch.course, Self.whatTheHubSends)
        try await watch.stop {}
    }

    @Test func `what the person asks for is answered when it is so, also if nobody waits any more`() async throws {
        let watch = try await WatchUnderTest(file: [1, 2, 3])
        let hub = try present(watch.hub)
        watch.chapter("an edit")
        _ = await watch.edit(1, "mine")
        try await watch.rest()
        try hub.context(1, "mine", taken: 1)
        try await watch.rest()
        watch.chapter("an edit that the store does not take")
        _ = await watch.edit(2, "two")
        try await watch.rest(failing: "no room")
        watch.chapter("an edit whose caller was cancelled")
        let abandoned = await watch.edit(3, "three")
        abandoned.cancel()
        try await watch.rest()
        watch.chapter("user info")
        watch.ask("info") { .exchange(.transfer($0, .init(payload: Array("info".utf8)))) }
        try await watch.rest()
        try hub.acknowledgeItem()
        await watch.course.waitUntilTold("itemDelivered")
        try await watch.rest()
        watch.chapter("a message, and its reply")
        watch.ask("question") {
            .exchange(.message($0, Message(payload: Array("hi".utf8), wantsReply: true, timeout: .seconds(3600))))
        }
        try await watch.rest()
        try hub.send(MessageAnswerFrame.reply(Array("yes".utf8)).frame(number: 1, session: hub.session))
        try await watch.rest()
        watch.chapter("a file")
        let digest = try present(FileDigest(hexadecimal: String(repeating: "0", count: 64)))
        watch.ask("file") {
            .files(.send($0, file: "copy", name: "log", byteCount: 3, digest, metadata: []))
        }
        try await watch.rest()
        expect(watch.course, Self.whatThePersonAsks)
        try await watch.stop {}
    }

    @Test func `a lost socket and a goodbye end what waits in their session, and nothing else`() async throws {
        let watch = try await WatchUnderTest()
        watch.chapter("the hub goes without a word")
        watch.ask("question") {
            .exchange(.message($0, Message(payload: Array("hi".utf8), wantsReply: true, timeout: .seconds(3600))))
        }
        try await watch.rest()
        let endpoint = try present(watch.loseHub())
        await watch.course.waitUntilTold("transport unreachable")
        try await watch.rest()
        watch.chapter("an edit and user info while it is away")
        _ = await watch.edit(1, "mine")
        watch.ask("info") { .exchange(.transfer($0, .init(payload: Array("info".utf8)))) }
        try await watch.rest()
        watch.chapter("the hub is back")
        try await watch.listen(at: endpoint)
        try await watch.rest()
        try watch.hub?.acknowledgeItem()
        await watch.course.waitUntilTold("itemDelivered")
        try await watch.rest()
        watch.chapter("the hub says goodbye")
        let hub = try present(watch.hub)
        let count = hub.greetingCount
        try hub.send(Frame(kind: .bye, session: hub.session))
        try await hub.waitForGreeting(after: count)
        try await watch.rest()
        expect(watch.course, Self.aLostSocket)
        try await watch.stop {}
    }

    @Test func `at the end all is stored that was taken, and everybody has an answer`() async throws {
        let watch = try await WatchUnderTest()
        let hub = try present(watch.hub)
        try hub.item(1, "info")
        try await watch.rest()
        watch.chapter("the end, with an edit on its way to the disk")
        _ = await watch.edit(1, "mine")
        await watch.course.disk.jobs.wait { $0.contains { $0.hasPrefix("replica") } }
        watch.ask("question") {
            .exchange(.message($0, Message(payload: Array("hi".utf8), wantsReply: true, timeout: .seconds(3600))))
        }
        watch.ask("info") { .exchange(.transfer($0, .init(payload: Array("late".utf8)))) }
        watch.transport.tell(.exchange(.consumed(RandomID(high: 60, low: 1))))
        try await watch.stop {
            watch.ask("after the end began") { .exchange(.transfer($0, .init(payload: [1]))) }
            #expect(watch.course.answeredCount == 0, "nothing of it is stored yet")
        }
        watch.ask("after the end") { .exchange(.transfer($0, .init(payload: [1]))) }
        await watch.course.writeHeard()
        try await hub.waitForGoodbye()
        watch.course.write("the hub has its goodbye")
        expect(watch.course, Self.theEnd)
    }
}

// MARK: - The expected texts

extension WatchLoopTests {
    private static let whatTheHubSends = """
          told transport connected
          told link linked
          hub gets hello
        - the configuration
        disk did replica 1 [1=one] unchanged
          told snapshot 1 [1=one]
          hub gets context acknowledged 1
        - a configuration that the store does not take
        disk failed replica 2 [1=two] unchanged
          told not stored: no room
        - user info
        disk did items received info
          told item info
          hub gets item acknowledged 1
        - a message, and its reply
          told message hi
          told the reply: replySent
          hub gets reply 1 yes
        - a register, which is stored within a second
          told register ph 7
          hub gets credit 1 missing []
        disk did registers ph 7
        """

    private static let whatThePersonAsks = """
          told transport connected
          told link linked
          hub gets hello
        - an edit
        disk did replica added 1 1=mine
          answer note 1: accepted
          hub gets upload 1 1=mine
        disk did replica 1 [1=mine] confirmed 1
          told snapshot 1 [1=mine]
          told confirmed 1
          hub gets context acknowledged 1
        - an edit that the store does not take
        disk failed replica added 2 2=two
          told not stored: no room
          answer note 2: refused
        - an edit whose caller was cancelled
        disk did replica added 2 3=three
          answer note 3: accepted
          hub gets upload 2 3=three
        - user info
        disk did items added info, renumbered, released 1
          told info: accepted
          hub gets item 1 info
          told itemDelivered
        - a message, and its reply
          hub gets message 1 hi
          told question: replied yes
        - a file
        disk did file queued
          told file: accepted
          hub gets offer log
        """

    private static let aLostSocket = """
          told transport connected
          told link linked
          hub gets hello
        - the hub goes without a word
          hub gets message 1 hi
          told question: failed the link was lost before the reply; the message may have been acted upon
          told link lost
          told transport unreachable
        - an edit and user info while it is away
        disk did replica added 1 1=mine
          answer note 1: accepted
        disk did items added info
          told info: accepted
        - the hub is back
          told transport connected
          told link linked
          hub gets hello
          hub gets upload 1 1=mine
        disk did items renumbered, released 1
          hub gets item 1 info
          told itemDelivered
        - the hub says goodbye
          told link lost
          told link linked
          hub gets hello
          hub gets upload 1 1=mine
        """

    private static let theEnd = """
          told transport connected
          told link linked
          hub gets hello
        disk did items received info
          told item info
          hub gets item acknowledged 1
        - the end, with an edit on its way to the disk
        disk did replica added 1 1=mine
        disk did items added late, renumbered, released 1
        disk did items consumed
        the loop has ended
          told question: failed the link was lost before the reply; the message may have been acted upon
          told link lost
          told after the end began: the link has ended; start it again
          told info: accepted
          answer note 1: accepted
          told after the end: the link has ended; start it again
        the hub has its goodbye
        """
}
