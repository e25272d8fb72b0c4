import Primitives
import SystemPackage
import Testing

@testable import MQTT

/// Every transition of a session's machine, without a socket.
@Suite struct SessionStateMachineTests {
    private typealias Machine = SessionStateMachine

    /// A machine at a moment that the test turns.
    private struct Session {
        var machine: Machine
        var now = ContinuousClock.now
        var generator = SplitMix64(seed: 1)

        init(_ filters: Set<TopicFilter> = [], remembered: Set<TopicFilter> = []) {
            machine = Machine(remembered: remembered)
            _ = machine.want(filters)
        }

        var status: SessionStatus { machine.status }

        @discardableResult
        mutating func accept(_ number: UInt64 = 1, isSessionPresent: Bool = false) -> Machine.SubscriptionChange {
            machine.accepted(number, isSessionPresent: isSessionPresent, at: now)
        }

        @discardableResult
        mutating func end(
            _ end: Machine.End = .ended(.connectionLost(nil)), after duration: Duration = .seconds(100)
        ) -> Machine.NextStep {
            now += duration
            return machine.ended(end, at: now, using: &generator)
        }

        mutating func receive(_ topic: String, _ payload: UInt8 = 1) throws -> Machine.Reception {
            machine.received(try message(topic, payload), at: now)
        }

        /// The connection's messages cannot be kept, and it ends.
        mutating func failToStore() -> Machine.NextStep {
            #expect(machine.handled(1, .sendAgain(reason: "disk full"), busyFor: .zero) == .abort)
            return end(.ended(.closed))
        }
    }

    // MARK: - Connections

    @Test func `an attempt that fails is followed by a wait, and the wait by an attempt`() {
        var session = Session()
        #expect(session.status == SessionStatus(phase: .connecting))

        let step = session.end(.ended(.unreachable(.connectionRefused)))

        #expect(session.status.phase == .waiting(.ended(.unreachable(.connectionRefused), wasConnected: false)))
        #expect(duration(step).map { (.milliseconds(250)...(.milliseconds(500))).contains($0) } == true)
        #expect(session.machine.waited() == .connect(asStandIn: false))
        #expect(session.status.phase == .connecting)
    }

    @Test func `what cannot be tried waits for a person, slowly`() {
        var session = Session()

        let step = session.end(.notTried("no password"))

        #expect(session.status.phase == .waiting(.notTried("no password")))
        #expect(SessionProblem.notTried("").needsAttention)
        #expect(duration(step).map { $0 >= .milliseconds(7500) } == true)
    }

    @Test(arguments: [false, true])
    func `a connection that stood and ended is followed by a wait`(isSessionPresent: Bool) {
        var session = Session()
        session.accept(7, isSessionPresent: isSessionPresent)
        #expect(session.status.phase == .connected(isSessionPresent: isSessionPresent))
        #expect(session.machine.connection == SessionConnection(number: 7, isSessionResumed: isSessionPresent))

        let step = session.end(.ended(.keepAliveExpired))

        #expect(session.status.phase == .waiting(.ended(.keepAliveExpired, wasConnected: true)))
        #expect(duration(step) != nil)
        #expect(session.machine.connection == nil)
    }

    @Test func `failures in a row wait longer, and a connection that lasted begins anew`() throws {
        var session = Session()
        var waits: [Duration] = []
        for _ in 0..<8 {
            waits.append(try #require(duration(session.end(.ended(.unreachable(.connectionRefused))))))
            _ = session.machine.waited()
        }
        #expect(waits.last.map { $0 >= .seconds(15) } == true)
        session.accept()
        let afterShortOne = try #require(duration(session.end(after: .seconds(29))))
        _ = session.machine.waited()
        session.accept()
        let afterLongOne = try #require(duration(session.end(after: .seconds(30))))

        #expect(afterShortOne >= .seconds(15))
        #expect(afterLongOne <= .milliseconds(500))
    }

    @Test func `connections that another client takes over are tried slowly`() throws {
        // P16
        var session = Session()
        for count in 1...3 {
            session.accept()
            let wait = try #require(duration(session.end(after: .seconds(2))))
            let isConflict = session.status.phase == .waiting(.clientIDConflict(.likely(connectionCount: 3)))
            #expect(isConflict == (count == 3))
            #expect((wait >= .milliseconds(7500)) == isConflict)
            _ = session.machine.waited()
        }
        // That a person must mend it stays said when there is no attempt.
        session.end(.notTried("no file"))
        #expect(session.status.phase == .waiting(.clientIDConflict(.likely(connectionCount: 3))))
    }

    @Test(arguments: 0..<4)
    func `a session that stops shows its last phase, and no backlog`(stage: Int) {
        var session = Session()
        if stage == 1 { session.accept(isSessionPresent: true) }
        if stage == 2 { session.end() }
        if stage == 3 {
            session.accept()
            #expect(session.failToStore() == .connect(asStandIn: true))
        }
        let phase = session.status.phase
        #expect(session.status.isCatchingUp == (stage == 1))

        session.machine.stop()

        #expect(session.status.phase == phase)
        #expect(!session.status.isCatchingUp)
        #expect(session.machine.connection == nil)
        #expect(session.machine.want([]) == Machine.SubscriptionChange())
    }

    // MARK: - The stand-in

    @Test func `while messages cannot be kept a stand-in connects at once, and then the session again`() throws {
        var session = Session(try filters("a"))
        session.accept()
        #expect(session.failToStore() == .connect(asStandIn: true))
        #expect(session.status == SessionStatus(phase: .connecting, storeProblem: "disk full"))

        let change = session.accept(8)
        #expect(change == Machine.SubscriptionChange(subscribe: [try TopicFilter("a")]))
        #expect(session.machine.connection == SessionConnection(number: 8, isSessionResumed: false, isStandIn: true))
        // That a stand-in stores nothing is no success.
        #expect(session.machine.handled(1, .acknowledge, busyFor: .zero) == .acknowledge)
        #expect(session.status.storeProblem == "disk full")

        #expect(session.end(.ended(.closed)) == .connect(asStandIn: false))
        session.accept(9)
        #expect(session.machine.connection?.isStandIn == false)
        #expect(session.machine.handled(1, .acknowledge, busyFor: .zero) == .acknowledge)
        #expect(session.status.storeProblem == nil)
        #expect(duration(session.end()) != nil)
    }

    @Test func `a stand-in that the broker does not accept is followed by a wait, with the session's own reason`() {
        var session = Session()
        session.accept()
        #expect(session.failToStore() == .connect(asStandIn: true))

        let step = session.end(.ended(.refused(ConnectProblem(protocolVersion: .v311, number: 2))))

        #expect(session.status.phase == .waiting(.ended(.closed, wasConnected: true)))
        // Its own connection stood for long, so that nothing is slow.
        #expect(duration(step).map { $0 <= .milliseconds(500) } == true)
        // An attempt that is refused needs no stand-in.
        _ = session.machine.waited()
        #expect(duration(session.end(.ended(.unreachable(.connectionRefused)))) != nil)
    }

    // MARK: - Subscriptions

    @Test func `everything is subscribed to after each acceptance, and remembered before`() throws {
        // X9
        var session = Session(try filters("b", "a", "a/#"))
        let all = [try TopicFilter("a/#"), try TopicFilter("b")]

        #expect(session.accept() == Machine.SubscriptionChange(remembered: Set(all), subscribe: all))
        session.end()
        _ = session.machine.waited()
        #expect(session.accept(isSessionPresent: true) == Machine.SubscriptionChange(subscribe: all))
    }

    @Test func `only what changes is sent, and what a removed device left at the broker is ended`() throws {
        var session = Session(try filters("a"), remembered: try filters("a", "gone"))
        let (first, gone) = (try TopicFilter("a"), try TopicFilter("gone"))
        #expect(session.accept() == Machine.SubscriptionChange(unsubscribe: [gone], subscribe: [first]))
        session.machine.unsubscribing(PacketIdentifier(rawValue: 5), [gone])
        let early = session.machine.unsubscribed(PacketIdentifier(rawValue: 4))
        #expect(early == nil)
        let late = session.machine.unsubscribed(PacketIdentifier(rawValue: 5))
        #expect(late == [first])

        let second = try TopicFilter("b")
        let more = session.machine.want([first, second])
        #expect(more == Machine.SubscriptionChange(remembered: [first, second], subscribe: [second]))
        let same = session.machine.want([first, second])
        #expect(same == Machine.SubscriptionChange())
        let renewed = session.machine.want([first, second], renewing: [second])
        #expect(renewed == Machine.SubscriptionChange(subscribe: [second]))
        // What is to be ended stays remembered until the broker confirms it.
        let none = session.machine.want([])
        #expect(none == Machine.SubscriptionChange(unsubscribe: [first, second]))
    }

    @Test func `what is wanted before the broker's yes waits for it, and a stand-in remembers nothing`() throws {
        // P19
        var session = Session(remembered: try filters("old"))
        let before = session.machine.want(try filters("a"))
        #expect(before == Machine.SubscriptionChange())
        #expect(
            session.accept()
                == Machine.SubscriptionChange(
                    remembered: try filters("a", "old"), unsubscribe: [try TopicFilter("old")],
                    subscribe: [try TopicFilter("a")]))
        _ = session.failToStore()
        session.accept()
        let change = session.machine.want(try filters("b"))
        #expect(
            change == Machine.SubscriptionChange(unsubscribe: [try TopicFilter("a")], subscribe: [try TopicFilter("b")])
        )
        session.machine.unsubscribing(PacketIdentifier(rawValue: 1), [try TopicFilter("a")])
        let remembered = session.machine.unsubscribed(PacketIdentifier(rawValue: 1))
        #expect(remembered == nil)
    }

    @Test func `what the broker refuses or weakens is shown until it is granted or no longer wanted`() throws {
        var session = Session(try filters("a", "b", "c"))
        session.accept()
        func answer(_ text: String, _ outcome: SubscriptionAnswer.Outcome) throws -> SubscriptionAnswer {
            SubscriptionAnswer(filter: try TopicFilter(text), outcome: outcome)
        }
        let weak = try answer("b", .granted(.atMostOnce))
        let refused = try answer("a", .refused(.notAuthorized))
        session.machine.subscribed([weak, refused, try answer("c", .granted(.atLeastOnce))])
        #expect(session.status.shortfalls == [refused, weak])

        session.end()
        #expect(session.status.shortfalls == [refused, weak])
        _ = session.machine.waited()
        session.accept()
        session.machine.subscribed([try answer("a", .granted(.atLeastOnce))])
        #expect(session.status.shortfalls == [weak])
        _ = session.machine.want(try filters("a", "c"))
        #expect(session.status.shortfalls == [])
    }

    // MARK: - Messages

    @Test func `messages wait for the pause; copies and what nobody wants do not`() throws {
        var session = Session(try filters("a/+", "+/b", "c"))
        session.accept(3)
        let receptions = [try session.receive("a/b"), try session.receive("a/b"), try session.receive("d")]
        #expect(receptions == [.keep, .dropCopy, .unsubscribe])
        let other = try session.receive("c", 2)
        #expect(other == .keep)

        let first = session.machine.paused()
        #expect(first?.messages == [try message("a/b", 1), try message("c", 2)])
        #expect(first?.connection.number == 3)
        let second = session.machine.paused()
        #expect(second == nil)
    }

    @Test func `what came before the end without a pause comes again, and is kept once`() throws {
        var session = Session(try filters("a/+", "+/b"))
        session.accept()
        _ = try session.receive("a/b")
        session.end()
        _ = session.machine.waited()
        session.accept(isSessionPresent: true)

        // It is no copy of what was not acknowledged.
        let again = try session.receive("a/b")
        #expect(again == .keep)
        let arrived = session.machine.paused()
        #expect(arrived?.messages.count == 1)
    }

    // MARK: - Backlogs

    @Test func `a broker that goes on with a session delivers a backlog, until messages trickle`() {
        // P13
        var session = Session()
        session.accept(4, isSessionPresent: true)
        #expect(session.status.isCatchingUp)
        _ = session.machine.handled(BacklogDetector.trickle, .acknowledge, busyFor: .zero)
        var looks = [session.machine.backlogChecked(of: 4, after: .milliseconds(250))]
        // An earlier connection's look judges nothing.
        looks.append(session.machine.backlogChecked(of: 3, after: .milliseconds(250)))
        #expect(session.status.isCatchingUp)
        looks.append(session.machine.backlogChecked(of: 4, after: .milliseconds(250)))
        #expect(!session.status.isCatchingUp)
        looks.append(session.machine.backlogChecked(of: 4, after: .milliseconds(250)))

        #expect(looks == [true, false, false, false])
    }

    @Test func `a backlog ends with its connection, and a new session has none`() {
        var session = Session()
        session.accept(1, isSessionPresent: true)
        session.end()
        #expect(!session.status.isCatchingUp)
        let look = session.machine.backlogChecked(of: 1, after: .milliseconds(250))
        #expect(!look)
        _ = session.machine.waited()
        session.accept(2)
        #expect(!session.status.isCatchingUp)
    }
}

private func filters(_ texts: String...) throws -> Set<TopicFilter> { Set(try texts.map { try TopicFilter($0) }) }

private func message(_ topic: String, _ payload: UInt8) throws -> Message {
    Message(
        topic: try TopicName(topic), payload: [payload], qualityOfService: .atLeastOnce, isRetained: false,
        packetIdentifier: nil, properties: MessageProperties())
}

/// How long a step waits, nil if it connects.
private func duration(_ step: SessionStateMachine.NextStep) -> Duration? {
    switch step {
    case .connect: nil
    case .wait(let duration): duration
    }
}
