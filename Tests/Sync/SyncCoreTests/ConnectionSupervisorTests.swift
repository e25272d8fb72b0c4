import Testing

@testable import SyncCore

/// The supervision of a watch's connection, as sequences of events with the expected results.
@Suite struct ConnectionSupervisorTests {
    private typealias Supervisor = ConnectionSupervisor

    /// A supervisor whose first socket is open.
    private var connecting: Supervisor {
        var supervisor = Supervisor()
        #expect(supervisor.nextSocketDirective() == .open)
        supervisor.socketOpened()
        return supervisor
    }

    private var connected: Supervisor {
        var supervisor = connecting
        supervisor.connectionTaken(at: instant(0))
        #expect(supervisor.handshakeSucceeded() == .beginConnection(.connected))
        return supervisor
    }

    /// A supervisor whose connection was rejected at 0.
    private var denied: Supervisor {
        var supervisor = connecting
        supervisor.connectionTaken(at: instant(0))
        #expect(supervisor.handshakeFailed(.denied, at: instant(0)) == .notAdmitted)
        return supervisor
    }

    /// A supervisor that could not open a socket at 0.
    private var short: Supervisor {
        var supervisor = Supervisor()
        #expect(supervisor.socketDenied(at: instant(0)) == .report(.unreachable))
        return supervisor
    }

    /// A supervisor that closes a connection that the engine does not know.
    private var ending: Supervisor {
        var supervisor = connected
        supervisor.replaceSocket()
        return supervisor
    }

    /// One supervisor in each state.
    private var all: [Supervisor] { [Supervisor(), connecting, connected, denied, short, ending] }

    // MARK: - Sockets

    @Test func `a socket is opened once, and kept`() {
        var supervisor = Supervisor()
        #expect(supervisor.status == .connecting)
        #expect(!supervisor.keepsSocket)
        // Reading the directive does not open the socket.
        #expect(supervisor.nextSocketDirective() == .open)
        #expect(supervisor.nextSocketDirective() == .open)
        supervisor.socketOpened()
        #expect(supervisor.keepsSocket)
        #expect(supervisor.nextSocketDirective() == .keep)
        #expect(supervisor.deadline == nil)
    }

    @Test func `a shortage of sockets is reported once, and tried again each second`() {
        var supervisor = short
        #expect(supervisor.status == .unreachable)
        #expect(supervisor.nextSocketDirective() == .keep)
        #expect(supervisor.deadline == instant(1000))
        supervisor.timeReached(at: instant(999))
        #expect(supervisor.nextSocketDirective() == .keep)
        supervisor.timeReached(at: instant(1000))
        #expect(supervisor.nextSocketDirective() == .open)
        #expect(supervisor.socketDenied(at: instant(1001)) == .wait)
        #expect(supervisor.deadline == instant(2001))
        // The engine's request ends the wait, and is not reported as another shortage.
        supervisor.replaceSocket()
        #expect(supervisor.nextSocketDirective() == .open)
        #expect(supervisor.socketDenied(at: instant(1500)) == .wait)
        supervisor.retryRequested()
        #expect(supervisor.nextSocketDirective() == .open)
        supervisor.socketOpened()
        #expect(supervisor.nextSocketDirective() == .keep)
        // The next failure is reported; the application already knows the status.
        supervisor.replaceSocket()
        #expect(supervisor.socketDenied(at: instant(3000)) == .report(nil))
    }

    @Test func `a connection that is given up ends before its socket is replaced`() {
        var supervisor = connected
        supervisor.replaceSocket()
        supervisor.replaceSocket()
        #expect(!supervisor.keepsSocket)
        // A later report from the socket changes nothing.
        #expect(supervisor.connectionLost() == .ignore)
        #expect(supervisor.nextSocketDirective() == .endConnection)
        #expect(supervisor.nextSocketDirective() == .open)
        supervisor.socketOpened()
        #expect(supervisor.status == .connected)
        #expect(supervisor.handshakeSucceeded() == .beginConnection(nil), "the application knows no other status")
    }

    @Test func `another socket is opened from each state, after the end of a connection`() {
        for var supervisor in all {
            let wasConnected = supervisor == connected || supervisor == ending
            supervisor.replaceSocket()
            #expect(supervisor.deadline == nil)
            if wasConnected { #expect(supervisor.nextSocketDirective() == .endConnection) }
            #expect(supervisor.nextSocketDirective() == .open)
        }
    }

    @Test func `a socket that is to be replaced says nothing any more`() {
        for var supervisor in [Supervisor(), ending, short, denied] {
            let before = supervisor
            supervisor.connectionTaken(at: instant(1))
            #expect(supervisor.handshakeSucceeded() == .ignore)
            #expect(supervisor.connectionRetried() == nil)
            #expect(supervisor.connectionLost() == .ignore)
            for failure in [Supervisor.HandshakeFailure.denied, .undecided, .brokenOff, .wrongAnswer] {
                #expect(supervisor.handshakeFailed(failure, at: instant(1)) == nil)
            }
            #expect(supervisor == before)
        }
    }

    // MARK: - Connections

    @Test func `the engine has a connection from the handshake until the loss`() {
        var supervisor = connected
        #expect(supervisor.status == .connected)
        #expect(supervisor.nextSocketDirective() == .keep)
        #expect(supervisor.connectionLost() == .endConnection)
        #expect(supervisor.connectionLost() == .ignore, "it has none any more")
        #expect(supervisor.nextSocketDirective() == .keep, "libzmq connects again")
        #expect(supervisor.connectionRetried() == .unreachable)
        #expect(supervisor.connectionRetried() == nil, "told already")
        supervisor.connectionTaken(at: instant(5))
        #expect(supervisor.handshakeSucceeded() == .beginConnection(.connected))
    }

    @Test func `an attempt that nothing answers shows that the hub is not there`() {
        var supervisor = connecting
        #expect(supervisor.connectionRetried() == .unreachable)
        #expect(supervisor.connectionLost() == .ignore)
        #expect(supervisor.status == .unreachable)
    }

    // MARK: - Handshakes

    @Test func `the wait after a denial doubles up to ten seconds`() {
        var supervisor = denied
        var waits: [Duration] = []
        var now = instant(0)
        for _ in 0..<6 {
            let due = supervisor.deadline ?? now
            waits.append(now.duration(to: due))
            #expect(supervisor.nextSocketDirective() == .keep)
            now = due
            supervisor.timeReached(at: now)
            #expect(supervisor.nextSocketDirective() == .open)
            supervisor.socketOpened()
            #expect(supervisor.handshakeFailed(.denied, at: now) == nil, "told already")
        }
        #expect(waits == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    }

    @Test func `a handshake, a retry and another endpoint end the doubling`() {
        var base = denied
        base.timeReached(at: instant(1000))
        base.socketOpened()
        var next = base
        #expect(next.handshakeFailed(.denied, at: instant(1000)) == nil)
        #expect(next.deadline == instant(3000), "the second wait, if nothing ended it")

        var admitted = base
        #expect(admitted.handshakeSucceeded() == .beginConnection(.connected))
        #expect(admitted.connectionLost() == .endConnection)
        var retried = base
        retried.retryRequested()
        #expect(retried.nextSocketDirective() == .keep, "the engine decides about a socket that tries")
        var moved = base
        moved.endpointChanged()
        #expect(moved.nextSocketDirective() == .open)
        moved.socketOpened()
        for var supervisor in [admitted, retried, moved] {
            _ = supervisor.handshakeFailed(.denied, at: instant(1000))
            #expect(supervisor.deadline == instant(2000))
        }
    }

    @Test func `a retry ends a wait, and leaves a connection alone`() {
        for var supervisor in [denied, short] {
            supervisor.retryRequested()
            #expect(supervisor.nextSocketDirective() == .open)
        }
        for var supervisor in [connecting, connected] {
            supervisor.retryRequested()
            #expect(supervisor.nextSocketDirective() == .keep)
        }
    }

    @Test func `a hub that cannot tell whom to admit is no hub that denies`() {
        var supervisor = connecting
        #expect(supervisor.handshakeFailed(.undecided, at: instant(0)) == .unfinished)
        #expect(supervisor.deadline == instant(1000))
    }

    @Test func `the second handshake in a row that breaks at once shows another program`() {
        var supervisor = connecting
        supervisor.connectionTaken(at: instant(0))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(1)) == nil)
        #expect(supervisor.nextSocketDirective() == .keep, "libzmq connects again")
        #expect(supervisor.connectionRetried() == nil, "something answered")
        supervisor.connectionTaken(at: instant(100))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(1599)) == .notThisHub)
        #expect(supervisor.connectionRetried() == nil, "it is still there")
        // Nothing answers any more, so the hub is unreachable.
        #expect(supervisor.connectionRetried() == .unreachable)
        supervisor.connectionTaken(at: instant(2000))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(2001)) == nil, "counted anew")
    }

    @Test func `a silent handshake shows no other program, and counts for none`() {
        var supervisor = connecting
        supervisor.connectionTaken(at: instant(0))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(1)) == nil)
        supervisor.connectionTaken(at: instant(100))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(1600)) == .unfinished)
        supervisor.connectionTaken(at: instant(2000))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(2001)) == nil)
        supervisor.connectionTaken(at: instant(2100))
        #expect(supervisor.handshakeFailed(.brokenOff, at: instant(2101)) == .notThisHub)
    }

    @Test func `a success and another endpoint let broken handshakes count anew`() {
        var base = connecting
        base.connectionTaken(at: instant(0))
        #expect(base.handshakeFailed(.brokenOff, at: instant(1)) == nil)
        var admitted = base
        #expect(admitted.handshakeSucceeded() == .beginConnection(.connected))
        #expect(admitted.connectionLost() == .endConnection)
        var moved = base
        moved.endpointChanged()
        moved.socketOpened()
        for var supervisor in [admitted, moved] {
            supervisor.connectionTaken(at: instant(10))
            #expect(supervisor.handshakeFailed(.brokenOff, at: instant(11)) == nil)
        }
    }

    @Test func `after an answer that is no handshake another socket tries, and the answers count`() {
        var supervisor = connecting
        supervisor.connectionTaken(at: instant(0))
        #expect(supervisor.handshakeFailed(.wrongAnswer, at: instant(1)) == nil)
        #expect(supervisor.deadline == instant(501))
        supervisor.timeReached(at: instant(501))
        #expect(supervisor.nextSocketDirective() == .open)
        supervisor.socketOpened()
        supervisor.connectionTaken(at: instant(502))
        #expect(supervisor.handshakeFailed(.wrongAnswer, at: instant(503)) == .notThisHub)
        #expect(supervisor.deadline == instant(1003))
        // Its wait is not that of a rejection.
        supervisor.timeReached(at: instant(1003))
        supervisor.socketOpened()
        #expect(supervisor.handshakeFailed(.denied, at: instant(1003)) == .notAdmitted)
        #expect(supervisor.deadline == instant(2003))
    }
}
