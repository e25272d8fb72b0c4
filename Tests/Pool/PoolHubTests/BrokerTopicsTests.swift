import MQTT
import Testing

@testable import PoolHub

/// Which filters are asked for, which messages are wanted, and which are copies.
@Suite struct BrokerTopicsTests {
    @Test(arguments: [
        ("a/#", "a/b", true), ("a/#", "a", true), ("a/#", "a/+/c", true), ("a/+", "a/b", true), ("a/+", "a/#", false),
        ("a/+", "a/b/c", false), ("#", "a/#", true), ("#", "$SYS/x", false), ("+/x", "$SYS/x", false),
        ("a/b", "a/b", true), ("a/b", "a/+", false), ("+/+", "a/b", true), ("a/+/c", "a/b/+", false),
    ])
    func `a filter covers another one`(_ wide: String, _ narrow: String, _ covers: Bool) {
        #expect(Subscriptions.covers(wide, narrow) == covers)
    }

    @Test func `only filters that no other one covers are asked for`() throws {
        let subscriptions = Subscriptions(["z/pool", "z/pool/#", "z/+/state", "spa"])
        #expect(subscriptions.needed == ["z/pool/#", "z/+/state", "spa"])
        #expect(subscriptions.contains(try TopicName("z/pool")))
        #expect(!subscriptions.contains(try TopicName("z/other")))
        #expect(subscriptions.copyCount(of: try TopicName("z/pool/state")) == 2)
        #expect(subscriptions.copyCount(of: try TopicName("spa")) == 1)
        #expect(subscriptions.covering(["z/pool"]) == ["z/pool/#"])
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
        var watch = ClientIDConflictDetector()
        for _ in 0..<2 { watch.ended(.connectionLost(nil), after: .seconds(2)) }
        #expect(watch.words(clientIdentifier: "x") == nil)
        watch.ended(.connectionLost(nil), after: .seconds(20))
        #expect(watch.words(clientIdentifier: "PoolSensors-x")?.contains("PoolSensors-x") == true)
        watch.ended(.connectionLost(nil), after: .seconds(3600))
        #expect(watch.words(clientIdentifier: "x") == nil)
        watch.ended(.disconnected(.sessionTakenOver), after: .seconds(3600))
        #expect(watch.words(clientIdentifier: "x") != nil)
    }

    @Test func `a backlog is over when messages trickle`() {
        var watch = BacklogDetector()
        watch.begin()
        for _ in 0..<10 { watch.note(10, busyFor: .milliseconds(10)) }
        let whileItComes = watch.isOver(after: .milliseconds(250))
        watch.note(1, busyFor: .milliseconds(200))
        let whileStoringIsSlow = watch.isOver(after: .milliseconds(250))
        watch.note(1, busyFor: .milliseconds(1))
        let inTheEnd = watch.isOver(after: .milliseconds(250))
        #expect([whileItComes, whileStoringIsSlow, inTheEnd] == [false, false, true])
        let ends = [watch.end(), watch.end()]
        #expect(ends == [true, false])
    }
}
