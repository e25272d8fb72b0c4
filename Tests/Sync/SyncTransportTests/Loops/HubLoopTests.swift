import SyncTransport
import TestSupport
import Testing

@testable import SyncCore

/// The order in which the hub's loop carries out its engine's outputs.
///
/// Each expected text was recorded and reviewed once.
@Suite struct HubLoopTests {
    private func expect(_ course: Course, _ expected: String) {
        #expect(course.text == expected, "\(course.text)")
    }

    @Test func `what a watch brings is stored before anybody hears of it`() async throws {
        let hub = try await HubUnderTest(watches: ["A"])
        let watch = hub.watches[0]
        hub.chapter("an edit")
        try watch.upload(1, 1, "one")
        try await hub.rest()
        hub.chapter("user info")
        try watch.item(1, "info")
        try await hub.rest()
        hub.chapter("a message, and its reply")
        try watch.send(
            MessageFrame(number: 1, wantsReply: true, timeoutMilliseconds: 3_600_000, payload: Array("hi".utf8))
                .frame(session: watch.session))
        try await hub.rest()
        hub.ask("the reply", with: 0) {
            .exchange(.reply($0, MessageID(session: watch.session, number: 1), Array("yes".utf8)))
        }
        try await hub.rest()
        hub.chapter("a file")
        let file = RandomID(high: 70, low: 1)
        let digest = try present(FileDigest(hexadecimal: String(repeating: "0", count: 64)))
        try watch.send(
            FileOffer(id: file, name: "log", byteCount: 3, digest: digest, metadata: [])
                .frame(session: watch.session, number: 1))
        try await hub.rest()
        try watch.send(FileChunk(id: file, offset: 0, bytes: [1, 2, 3]).frame(session: watch.session))
        try await hub.rest()
        hub.chapter("an edit that the store does not take")
        try watch.upload(2, 2, "two")
        try await hub.rest(failing: "no room")
        expect(hub.course, Self.whatAWatchBrings)
        try await hub.stop {}
    }

    @Test func `what the application asks for is answered when it is so, also if nobody waits any more`() async throws {
        let hub = try await HubUnderTest(watches: ["A"], file: [1, 2, 3])
        let watch = hub.watches[0]
        hub.chapter("a change")
        _ = await hub.transact(1, "one")
        try await hub.rest()
        hub.chapter("a change that the store does not take")
        _ = await hub.transact(2, "two")
        try await hub.rest(failing: "no room")
        hub.chapter("a change whose caller was cancelled")
        let abandoned = await hub.transact(3, "three")
        abandoned.cancel()
        try await hub.rest()
        hub.chapter("user info")
        hub.ask("info", with: 0) { .exchange(.transfer($0, .init(payload: Array("info".utf8)))) }
        try await hub.rest()
        try watch.acknowledgeItem()
        await hub.course.waitUntilTold("itemDelivered")
        try await hub.rest()
        hub.chapter("a register")
        hub.transport.publish(Register(key: "ph", order: 1, value: Array("7".utf8)))
        try await hub.rest()
        hub.chapter("a message, and its reply")
        hub.ask("question", with: 0) {
            .exchange(.message($0, Message(payload: Array("hi".utf8), wantsReply: true, timeout: .seconds(3600))))
        }
        try await hub.rest()
        try watch.send(MessageAnswerFrame.reply(Array("yes".utf8)).frame(number: 1, session: watch.session))
        try await hub.rest()
        hub.chapter("a file")
        let digest = try present(FileDigest(hexadecimal: String(repeating: "0", count: 64)))
        hub.ask("file", with: 0) {
            .files(.send($0, file: "copy", name: "log", byteCount: 3, digest, metadata: []))
        }
        try await hub.rest()
        let file = try present(watch.offered).id
        try watch.send(
            FilePull(id: file, number: 1, offset: 0, byteCount: 3, arrived: 0).frame(session: watch.session))
        try await hub.rest()
        try watch.send(FileDone(id: file).frame(session: watch.session))
        try await hub.rest()
        expect(hub.course, Self.whatTheApplicationAsks)
        try await hub.stop {}
    }

    @Test func `a watch that cannot be reached ends with its own requests, and nobody else's`() async throws {
        let hub = try await HubUnderTest(watches: ["A", "B"])
        hub.chapter("both are asked, A goes without a word")
        for number in [0, 1] {
            hub.ask("question to \(hub.watches[number].name)", with: number) {
                .exchange(.message($0, Message(payload: Array("hi".utf8), wantsReply: true, timeout: .seconds(3600))))
            }
        }
        try await hub.rest()
        let other = hub.watches[1]
        hub.close(0)
        // The loss is noticed when something is sent to A; what A does not confirm is sent again.
        hub.transport.publish(Register(key: "ph", order: 1, value: Array("7".utf8)))
        await hub.course.waitUntilTold("unlinked A: the connection is gone")
        try await hub.rest()
        hub.chapter("B answers")
        try other.send(MessageAnswerFrame.reply(Array("yes".utf8)).frame(number: 1, session: other.session))
        try await hub.rest()
        expect(hub.course, Self.aWatchOutOfReach)
        try await hub.stop {}
    }

    @Test func `at the end all is stored that was taken, and everybody has an answer`() async throws {
        let hub = try await HubUnderTest(watches: ["A"])
        let watch = hub.watches[0]
        try watch.item(1, "info")
        try await hub.rest()
        hub.chapter("the end, with a change on its way to the disk")
        _ = await hub.transact(1, "one")
        await hub.course.disk.jobs.wait { $0.contains { $0.hasPrefix("transaction") } }
        hub.ask("question", with: 0) {
            .exchange(.message($0, Message(payload: Array("hi".utf8), wantsReply: true, timeout: .seconds(3600))))
        }
        hub.ask("info", with: 0) { .exchange(.transfer($0, .init(payload: Array("late".utf8)))) }
        hub.transport.tell(.exchange(.consumed(RandomID(high: 60, low: 1))), to: hub.key(of: 0))
        try await hub.stop {
            hub.ask("after the end began", with: 0) { .exchange(.transfer($0, .init(payload: [1]))) }
            #expect(hub.course.answeredCount == 0, "nothing of it is stored yet")
        }
        hub.ask("after the end", with: 0) { .exchange(.transfer($0, .init(payload: [1]))) }
        await hub.course.writeHeard()
        expect(hub.course, Self.theEnd)
    }
}

// MARK: - The expected texts

extension HubLoopTests {
    private static let whatAWatchBrings = """
          told linked A
          told acknowledged 2
          A gets welcome
          A gets context 2 []
        - an edit
        disk did transaction 3 [1=one], uploads through 1
          told committed 3
          told uploads taken through 1
          told acknowledged 3
          A gets context 3 [1=one], taken through 1
        - user info
        disk did items received info
          told item info
          A gets item acknowledged 1
        - a message, and its reply
          told message hi
          told the reply: replySent
          A gets reply 1 yes
        - a file
        file did begin log at 0
          told file receiving
          A gets pull 0+3
        file did write 0+3
        file did finish log
        disk did file received
          told file log
          A gets done
        - an edit that the store does not take
        disk failed transaction 4 [2=two], uploads through 2
          told not stored: no room
        """

    private static let whatTheApplicationAsks = """
          told linked A
          told acknowledged 2
          A gets welcome
          A gets context 2 []
        - a change
        disk did transaction 3 [1=one]
          told committed 3
          told acknowledged 3
          answer note 1: done, revision 3
          A gets context 3 [1=one]
        - a change that the store does not take
        disk failed transaction 4 [2=two]
          answer note 2: the hub declined: it could not be stored, and was not changed: no room
        - a change whose caller was cancelled
        disk did transaction 4 [3=three]
          told committed 4
          told acknowledged 4
          answer note 3: done, revision 4
          A gets context 4 [1=one 3=three]
        - user info
        disk did items added info, renumbered, released 1
          told info: accepted
          A gets item 1 info
          told itemDelivered
        - a register
          A gets register ph 7
        - a message, and its reply
          A gets message 1 hi
          told question: replied yes
        - a file
        disk did file queued
          told file: accepted
          A gets offer log
          told file sent
        file did read copy from 0
          A gets chunk 0+3
        disk did file ended
          told file ended
        file did release copy
        """

    private static let aWatchOutOfReach = """
          told linked A
          told acknowledged 4
          A gets welcome
          A gets context 4 []
          told linked B
          told acknowledged 4
          B gets welcome
          B gets context 4 []
        - both are asked, A goes without a word
          A gets message 1 hi
          B gets message 1 hi
          told unlinked A: the connection is gone
          told question to A: failed the link was lost before the reply; the message may have been acted upon
          B gets register ph 7
        - B answers
          told question to B: replied yes
        """

    private static let theEnd = """
          told linked A
          told acknowledged 2
          A gets welcome
          A gets context 2 []
        disk did items received info
          told item info
          A gets item acknowledged 1
        - the end, with a change on its way to the disk
        disk did transaction 3 [1=one]
        disk did items added late, renumbered, released 1
        disk did items consumed
        the loop has ended
          told after the end began: the link has ended; start it again
          told committed 3
          told info: accepted
          told question: the link has ended; start it again
          answer note 1: done, revision 3
          told after the end: the link has ended; start it again
        """
}
