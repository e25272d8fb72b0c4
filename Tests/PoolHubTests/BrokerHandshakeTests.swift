import BrokerFixture
import Foundation
import PoolModel
import Testing
import Waiting

@testable import PoolHub

/// What the hub says before and after a broker has accepted it, byte by byte.
@Suite(.timeLimit(.minutes(20))) struct BrokerHandshakeTests {
    /// The packets of one connection, as a broker reads them.
    private final class Packets {
        let peer: ScriptedListener.Peer
        private var bytes: [UInt8] = []

        init(_ peer: ScriptedListener.Peer) { self.peer = peer }

        /// The next packet: its first byte, and what follows its length.
        func next() async throws -> (kind: UInt8, body: [UInt8]) {
            while true {
                if let packet = split() { return packet }
                let more = try await peer.receive()
                // The connection has ended.
                if more.isEmpty { return (0, []) }
                bytes += more
            }
        }

        private func split() -> (kind: UInt8, body: [UInt8])? {
            var (length, place) = (0, 1)
            while true {
                guard bytes.count > place else { return nil }
                length |= Int(bytes[place] & 0x7F) << (7 * (place - 1))
                place += 1
                if bytes[place - 1] < 0x80 { break }
            }
            guard bytes.count >= place + length else { return nil }
            let packet = (bytes[0], Array(bytes[place..<(place + length)]))
            bytes.removeFirst(place + length)
            return packet
        }
    }

    private static let subscribe: UInt8 = 0x82

    /// The filters of a SUBSCRIBE in MQTT 3.1.1.
    private func filters(_ body: [UInt8]) -> [String] {
        var (filters, rest): ([String], ArraySlice<UInt8>) = ([], body.dropFirst(2))
        while rest.count > 2 {
            let length = rest.removeFirst(of: 2).reduce(0) { $0 << 8 | Int($1) }
            filters.append(String(decoding: rest.removeFirst(of: length), as: UTF8.self))
            rest = rest.dropFirst()
        }
        return filters
    }

    @Test func `wanted topics wait for the broker's yes, which alone is connected, and go out once each`() async throws
    {
        // P9, P19, P20, X8
        let listener = try ScriptedListener()
        let line = BrokerFailureTests.Line(port: listener.port, filters: ["pool/a"]) {
            $0.tempo.connectTimeout = .seconds(600)
        }
        let packets = Packets(try await listener.accept())
        #expect(try await packets.next().kind == 0x10)
        line.connection.want(["pool/a", "pool/b"])
        line.connection.want(["pool/b", "pool/a"])
        #expect(!line.connection.current.isConnected)

        packets.peer.send([0x20, 0x02, 0x00, 0x00])
        await line.connects()
        // Everything that was wanted before; then something new, so that a repetition would come in between.
        var subscribed: [String] = []
        while Set(subscribed) != ["pool/a", "pool/b"] {
            let packet = try await packets.next()
            if packet.kind == Self.subscribe { subscribed += filters(packet.body) }
        }
        line.connection.want(["pool/a", "pool/b", "pool/c"])
        while subscribed.last != "pool/c" {
            let packet = try await packets.next()
            if packet.kind == Self.subscribe { subscribed += filters(packet.body) }
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
        // The end of the connection, or a goodbye.
        #expect(after == 0 || after == 0xE0)
        await line.end()
        #expect(!line.states.items.contains { $0.isConnected })
    }
}

extension ArraySlice<UInt8> {
    /// Takes the first bytes away.
    fileprivate mutating func removeFirst(of count: Int) -> ArraySlice<UInt8> {
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}
