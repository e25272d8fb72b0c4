import SyncCore
import TestSupport
import Testing
import ZeroMQ

@testable import SyncTransport

/// The limits of the hub's memory for connections, on real sockets and with a manual clock.
@Suite struct ConnectionTableTests {
    private let context: Context
    private let peer: PeerKey
    private let other: PeerKey
    private let name = ConnectionID(bytes: [0, 1, 2, 3, 4])

    init() throws {
        context = try Context()
        peer = try CurveKeyPair().publicKey.peerKey
        other = try CurveKeyPair().publicKey.peerKey
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    /// A table that can be used in an expectation.
    private final class Table {
        private var table: ConnectionTable

        init(_ ends: Ends, silentCountMax: Int = ConnectionTable.silentCountMax) {
            table = ConnectionTable(ends.door.endpoint, silentCountMax: silentCountMax)
        }

        var deadline: Instant? { table.deadline }

        func accepted(_ descriptor: Int32, at now: Instant) { table.accepted(descriptor, at: now) }

        func heard(_ descriptor: Int32, _ name: ConnectionID, from peer: PeerKey, at now: Instant) -> Bool {
            table.heard(descriptor, name, from: peer, at: now) != .ignored
        }

        func end(_ name: ConnectionID) { table.end(name) }

        func mayTake(_ byteCount: Int, _ kind: FrameKind, _ name: ConnectionID) -> Bool {
            table.mayTake(byteCount, kind, name)
        }

        func look(at now: Instant) { table.look(at: now) }
    }

    /// A ROUTER that listens.
    private final class Door {
        let router: Socket
        let arrivals: Monitor
        let endpoint: Endpoint

        init(_ context: Context) throws {
            router = try Socket(context, .router)
            arrivals = try router.monitor(.accepted)
            endpoint = try router.bind(Endpoint("tcp://127.0.0.1:*"))
        }
    }

    /// A connection to a ROUTER, and the connection's file descriptor at the ROUTER.
    private final class Ends {
        let door: Door
        let dealer: Socket
        let monitor: Monitor
        let descriptor: Int32

        init(_ context: Context, beside other: Ends? = nil) async throws {
            let door = try other?.door ?? Door(context)
            self.door = door
            var options = SocketOptions()
            options.reconnect = .never
            // It receives one message, and then no more.
            options.receiveHighWaterMark = 1
            dealer = try Socket(context, .dealer, options: options)
            monitor = try dealer.monitor([.handshake, .connection])
            try dealer.connect(to: door.endpoint)
            var accepted: Int32?
            try await poll("the connection is accepted") {
                accepted = try door.arrivals.nextEvent()?.fileDescriptor
                return accepted != nil
            }
            descriptor = try present(accepted)
        }

        /// Waits for the end of the connection at the peer.
        func waitForEnd() async throws {
            try await poll("the connection ends") { try isGone }
        }

        var isGone: Bool {
            get throws {
                while let event = try monitor.nextEvent() {
                    if event.kind == .disconnected { return true }
                }
                return false
            }
        }
    }

    @Test func `a connection that brings no message for ten seconds is ended`() async throws {
        let ends = try await Ends(context)
        let table = Table(ends)
        table.accepted(ends.descriptor, at: at(0))
        #expect(table.deadline == at(250))
        table.look(at: at(9999))
        #expect(try !ends.isGone)
        table.look(at: at(10_250))
        try await ends.waitForEnd()
    }

    @Test func `of too many connections without a message the oldest is ended, and none that was heard`() async throws {
        let heard = try await Ends(context)
        let silent = [
            try await Ends(context, beside: heard), try await Ends(context, beside: heard),
            try await Ends(context, beside: heard), try await Ends(context, beside: heard),
        ]
        let table = Table(heard, silentCountMax: 2)
        table.accepted(heard.descriptor, at: at(0))
        #expect(table.heard(heard.descriptor, name, from: peer, at: at(0)))
        for (number, ends) in silent.enumerated() { table.accepted(ends.descriptor, at: at(1 + Int64(number))) }
        try await silent[0].waitForEnd()
        try await silent[1].waitForEnd()
        #expect(try !silent[2].isGone && !silent[3].isGone && !heard.isGone)
        // The room is that of those which still bring one.
        let newcomer = ConnectionID(bytes: [0, 0, 0, 0, 7])
        #expect(table.heard(silent[2].descriptor, newcomer, from: other, at: at(9)))
        #expect(table.heard(heard.descriptor, name, from: peer, at: at(9)))
    }

    @Test func `of too many connections without a message a sixteenth is ended at once, then none for a while`()
        async throws
    {
        let first = try await Ends(context)
        var silent = [first]
        for _ in 0..<18 { silent.append(try await Ends(context, beside: first)) }
        let table = Table(first, silentCountMax: 16)
        for (number, ends) in silent.prefix(17).enumerated() { table.accepted(ends.descriptor, at: at(Int64(number))) }
        try await silent[0].waitForEnd()
        try await silent[1].waitForEnd()
        table.accepted(silent[17].descriptor, at: at(18))
        #expect(try !silent[2].isGone)
        table.accepted(silent[18].descriptor, at: at(19))
        try await silent[2].waitForEnd()
        try await silent[3].waitForEnd()
        #expect(try !silent[4].isGone && !silent[18].isGone)
    }

    @Test func `a key may make so many connections without a message, and a few more in each second`() {
        var limit = HandshakeLimit()
        func admitted(_ count: Int, _ key: PeerKey, at milliseconds: Int64) -> Int {
            (0..<count).count { _ in limit.admits(key, at: at(milliseconds)) }
        }
        #expect(admitted(100, peer, at: 0) == HandshakeLimit.countMax)
        #expect(admitted(3, other, at: 0) == 3)
        #expect(admitted(100, peer, at: 9999) == 0)
        #expect(admitted(1, peer, at: 10_000) == 1)

        // Whoever greets may come back as often as its link breaks.
        for second in 0..<100 {
            #expect(admitted(1, other, at: Int64(second) * 10) == 1)
            limit.heard(other)
        }
        // But not for the sake of handshakes: 103 of them count by now.
        for number in 104...200 {
            #expect(admitted(1, other, at: 1000) == (number <= HandshakeLimit.countMaxOfAll ? 1 : 0))
            limit.heard(other)
        }
        #expect(admitted(1, other, at: 9999) == 0)
        #expect(admitted(1, other, at: 11_000) == 1)
    }

    @Test func `a connection that was heard stays, however long it is silent then`() async throws {
        let ends = try await Ends(context)
        let table = Table(ends)
        table.accepted(ends.descriptor, at: at(0))
        #expect(table.heard(ends.descriptor, name, from: peer, at: at(1)))
        for second in Int64(1)...60 { table.look(at: at(second * 1000)) }
        #expect(table.heard(ends.descriptor, name, from: peer, at: at(61_000)))
        #expect(try !ends.isGone)
    }

    @Test func `a connection that brings megabytes and no whole message is ended`() async throws {
        let ends = try await Ends(context)
        let table = Table(ends)
        #expect(table.heard(ends.descriptor, name, from: peer, at: at(0)))
        var time: Int64 = 250
        table.look(at: at(time))
        // For the table, a message that nobody receives is incomplete, too.
        for _ in 0..<8 { _ = try ends.dealer.send([[UInt8](repeating: 7, count: 1 << 20)]) }
        try await poll("the connection ends") {
            time += 250
            table.look(at: at(time))
            return try ends.isGone
        }
    }

    @Test func `behind an unread snapshot there goes no second one, and other frames do`() async throws {
        let ends = try await Ends(context)
        let table = Table(ends)
        #expect(table.heard(ends.descriptor, name, from: peer, at: at(0)))

        // The test sends nothing, so the peer never reads the accepted frames.
        #expect(table.mayTake(800_000, .context, name))
        #expect(!table.mayTake(800_000, .context, name))
        #expect(!table.mayTake(100, .welcome, name))
        #expect(table.mayTake(100, .register, name))
        #expect(table.mayTake(100, .pong, name))
        var count = 0
        while count < 100, table.mayTake(1 << 20, .chunk, name) { count += 1 }
        #expect(count == 32)
        #expect(!table.mayTake(100, .pong, name))
    }

    @Test func `who reads its snapshots gets one after the other`() async throws {
        let ends = try await Ends(context)
        let table = Table(ends)
        _ = try ends.dealer.send([[1]])
        var routingID: RoutingID?
        try await poll("the message is there") {
            routingID = try ends.door.router.receive()?.routingID
            return routingID != nil
        }
        let receiver = try present(routingID)
        #expect(table.heard(ends.descriptor, name, from: peer, at: at(0)))
        let snapshot = [UInt8](repeating: 7, count: 800_000)
        for _ in 0..<10 {
            try await poll("there is room for a snapshot") {
                _ = try ends.dealer.receive()
                return table.mayTake(snapshot.count, .context, name)
            }
            #expect(try ends.door.router.send([snapshot], to: receiver) == .sent)
        }
    }

    @Test func `of three connections of one key the one that was heard first is ended, and none of another key`()
        async throws
    {
        let first = try await Ends(context)
        let second = try await Ends(context, beside: first)
        let third = try await Ends(context, beside: first)
        let fourth = try await Ends(context, beside: first)
        let table = Table(first)
        func name(_ number: UInt8) -> ConnectionID { ConnectionID(bytes: [0, 0, 0, 0, number]) }
        #expect(table.heard(fourth.descriptor, name(9), from: other, at: at(0)))
        #expect(table.heard(first.descriptor, name(1), from: peer, at: at(1)))
        #expect(table.heard(second.descriptor, name(2), from: peer, at: at(2)))
        #expect(table.heard(first.descriptor, name(1), from: peer, at: at(3)))
        #expect(table.heard(third.descriptor, name(3), from: peer, at: at(4)))
        try await second.waitForEnd()
        #expect(!table.heard(second.descriptor, name(2), from: peer, at: at(5)))
        #expect(table.heard(first.descriptor, name(1), from: peer, at: at(6)))
        #expect(table.heard(fourth.descriptor, name(9), from: other, at: at(6)))
        #expect(try !first.isGone && !third.isGone && !fourth.isGone)

        // The engine ends a connection by its name.
        table.end(name(1))
        try await first.waitForEnd()
        #expect(try !third.isGone && !fourth.isGone)
    }
}
