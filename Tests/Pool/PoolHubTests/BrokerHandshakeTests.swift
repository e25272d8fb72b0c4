import BrokerFixture
import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub

/// The bytes that the hub sends before and after a broker has accepted it.
@Suite(.timeLimit(.minutes(20))) struct BrokerHandshakeTests {
    private static let subscribe: UInt8 = 0x82

    @Test func `wanted topics wait for the broker's yes, which alone is connected, and go out once each`() async throws
    {
        // P9, P19, P20, X8
        let listener = try ScriptedListener()
        let line = BrokerFailureTests.Line(port: listener.port, filters: ["pool/a"]) {
            $0.connectTimeout = .seconds(600)
        }
        let packets = Packets(try await listener.accept())
        #expect(try await packets.next().kind == 0x10)
        line.connection.want(["pool/a", "pool/b"])
        line.connection.want(["pool/b", "pool/a"])
        #expect(!line.connection.current.isConnected)

        packets.peer.send([0x20, 0x02, 0x00, 0x00])
        await line.connects()
        // First all previous subscriptions, then a new one, so that a repetition would appear in between.
        var subscribed: [String] = []
        while Set(subscribed) != ["pool/a", "pool/b"] {
            let packet = try await packets.next()
            if packet.kind == Self.subscribe { subscribed += Packets.filters(packet.body) }
        }
        line.connection.want(["pool/a", "pool/b", "pool/c"])
        while subscribed.last != "pool/c" {
            let packet = try await packets.next()
            if packet.kind == Self.subscribe { subscribed += Packets.filters(packet.body) }
        }
        #expect(subscribed.sorted() == ["pool/a", "pool/b", "pool/c"])

        packets.peer.close()
        await line.states.wait { $0.last?.isConnected == false }
        await line.end()
        let phases = line.states.items.map(\.isConnected)
        #expect(phases.count(where: \.self) >= 1 && line.connection.current.isConnected == false)
    }

    @Test(arguments: [UInt8(1), 2, 3, 4, 5])
    func `after a refusal nothing is subscribed to`(number: UInt8) async throws {
        // P9, P18, P20
        let listener = try ScriptedListener()
        let line = BrokerFailureTests.Line(port: listener.port, filters: ["pool/a"])
        let packets = Packets(try await listener.accept())
        #expect(try await packets.next().kind == 0x10)
        packets.peer.send([0x20, 0x02, 0x00, number])
        let after = try await packets.next().kind
        // The end of the connection, or DISCONNECT.
        #expect(after == 0 || after == 0xE0)
        await line.end()
        #expect(!line.states.items.contains { $0.isConnected })
    }
}
