import SyncCore
import Testing

@testable import SyncSimulation

/// The socket of a watch in virtual time, which follows the directives of its connection supervisor.
@Suite struct VirtualSocketTests {
    private static let start = Instant(nanoseconds: 0)

    /// A socket that tries to connect.
    private static func trying() -> VirtualSocket {
        var socket = VirtualSocket()
        socket.restart()
        let directive = socket.nextDirective()
        #expect(directive == .open)
        socket.opened()
        _ = socket.begin()
        return socket
    }

    @Test func `a socket that is denied rests twice as long each time until another one is opened`() throws {
        var socket = Self.trying()
        var now = Self.start
        for seconds in [1, 2, 4, 8, 10, 10] {
            socket.taken(at: now)
            let triesAgain = socket.failed(.denied, at: now)
            #expect(!triesAgain)
            let directive = socket.nextDirective()
            #expect(directive == .keep)
            let deadline = try #require(socket.deadline)
            #expect(now.duration(to: deadline) == .seconds(seconds))
            #expect(!socket.isIdle)
            now = deadline
            socket.timeReached(at: now)
            let next = socket.nextDirective()
            #expect(next == .open)
            socket.opened()
            _ = socket.begin()
        }
    }

    @Test func `a handshake that is broken off leaves the socket trying, and its attempt is over`() {
        var socket = Self.trying()
        let attempt = socket.attempt
        socket.taken(at: Self.start)

        let triesAgain = socket.failed(.brokenOff, at: Self.start.advanced(by: .seconds(2)))
        #expect(triesAgain)

        #expect(socket.isIdle)
        #expect(!socket.isTrying(attempt))
        let next = socket.begin()
        #expect(socket.isTrying(next))
    }

    @Test func `a connection that the engine gives up ends for the engine before another socket is opened`() {
        var socket = Self.trying()
        let begins = socket.succeeded(5)
        #expect(begins)
        #expect(socket.connection == 5)

        socket.replace()

        let directive = socket.nextDirective()
        #expect(directive == .endConnection)
        let closed = socket.close()
        #expect(closed == 5)
        #expect(socket.connection == nil)
        let next = socket.nextDirective()
        #expect(next == .open)
    }

    @Test func `a connection that is lost is told once, and the same socket tries again`() {
        var socket = Self.trying()
        let begins = socket.succeeded(5)
        #expect(begins)

        let isTold = socket.lost()
        #expect(isTold)
        let isToldAgain = socket.lost()
        #expect(!isToldAgain)

        let directive = socket.nextDirective()
        #expect(directive == .keep)
        #expect(socket.isIdle)
    }

    @Test func `without room for a socket another one is tried after a while`() throws {
        var socket = VirtualSocket()
        socket.restart()
        let directive = socket.nextDirective()
        #expect(directive == .open)

        socket.denied(at: Self.start)

        let next = socket.nextDirective()
        #expect(next == .keep)
        #expect(!socket.isIdle)
        let deadline = try #require(socket.deadline)
        socket.timeReached(at: deadline)
        let last = socket.nextDirective()
        #expect(last == .open)
    }
}
