import SystemPackage
import Testing

@testable import MQTT

/// Which filters are asked for, which messages are wanted, and which are copies.
@Suite struct BrokerTopicsTests {
    @Test(arguments: [
        ("a/#", "a/b", true), ("a/#", "a", true), ("a/#", "a/+/c", true), ("a/+", "a/b", true), ("a/+", "a/#", false),
        ("a/+", "a/b/c", false), ("#", "a/#", true), ("#", "$SYS/x", false), ("+/x", "$SYS/x", false),
        ("a/b", "a/b", true), ("a/b", "a/+", false), ("+/+", "a/b", true), ("a/+/c", "a/b/+", false),
    ])
    func `a filter covers another one`(_ wide: String, _ narrow: String, _ covers: Bool) throws {
        #expect(try TopicFilter(wide).covers(TopicFilter(narrow)) == covers)
    }

    private func filters(_ texts: String...) throws -> Set<TopicFilter> {
        Set(try texts.map { try TopicFilter($0) })
    }

    @Test func `only filters that no other one covers are asked for`() throws {
        let subscriptions = Subscriptions(try filters("z/pool", "z/pool/#", "z/+/state", "spa"))
        #expect(subscriptions.needed == (try filters("z/pool/#", "z/+/state", "spa")))
        #expect(subscriptions.contains(try TopicName("z/pool")))
        #expect(!subscriptions.contains(try TopicName("z/other")))
        #expect(subscriptions.copyCount(of: try TopicName("z/pool/state")) == 2)
        #expect(subscriptions.copyCount(of: try TopicName("spa")) == 1)
        #expect(subscriptions.covering(try filters("z/pool")) == (try filters("z/pool/#")))
    }

    @Test func `a copy is told from the same payload sent again`() throws {
        var copies = MessageCopies()
        let message = Message(
            topic: try TopicName("z/pool/state"), payload: [1], qualityOfService: .atLeastOnce, isRetained: false,
            packetIdentifier: nil, properties: MessageProperties())
        let start = ContinuousClock.now
        let answers = [0, 1, 2, 3, 4000].map { offset in
            copies.isCopy(message, copyCount: 2, at: start.advanced(by: .milliseconds(offset)))
        }
        #expect(answers == [false, true, false, true, false])
        let isAlone = copies.isCopy(message, copyCount: 1, at: start)
        #expect(!isAlone)
    }

    @Test func `short connections in a row mean that a second hub has the same name`() {
        // P16
        var detector = ClientIDConflictDetector()
        for _ in 0..<2 { detector.ended(.connectionLost(nil), after: .seconds(2)) }
        #expect(detector.conflict == nil)
        detector.ended(.connectionLost(nil), after: .seconds(20))
        #expect(detector.conflict == .likely(connectionCount: 3))
        detector.ended(.connectionLost(nil), after: .seconds(3600))
        #expect(detector.conflict == nil)
        detector.ended(.disconnected(.sessionTakenOver), after: .seconds(3600))
        #expect(detector.conflict == .certain)
        detector.ended(.unreachable(.connectionRefused), after: nil)
        #expect(detector.conflict == nil)
    }

    @Test func `a backlog is over when messages trickle`() {
        var detector = BacklogDetector()
        for _ in 0..<10 { detector.note(10, busyFor: .milliseconds(10)) }
        let whileItComes = detector.isOver(after: .milliseconds(250))
        detector.note(1, busyFor: .milliseconds(200))
        let whileStoringIsSlow = detector.isOver(after: .milliseconds(250))
        detector.note(1, busyFor: .milliseconds(1))
        let inTheEnd = detector.isOver(after: .milliseconds(250))
        #expect([whileItComes, whileStoringIsSlow, inTheEnd] == [false, false, true])
    }
}
