/// The packets of MQTT 3.1.1 that come from the other end of a connection.
public final class Packets {
    /// The connection, through which a test answers.
    public let peer: ScriptedListener.Peer
    private var bytes: [UInt8] = []

    /// Begins with the next byte of a connection.
    public init(_ peer: ScriptedListener.Peer) { self.peer = peer }

    /// The next packet: its first byte, and what follows its length; zero and nothing when the connection has ended.
    public func next() async throws -> (kind: UInt8, body: [UInt8]) {
        while true {
            if let packet = split() { return packet }
            let more = try await peer.receive()
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

    /// The filters in the body of a SUBSCRIBE.
    public static func filters(_ body: [UInt8]) -> [String] {
        var (filters, rest): ([String], ArraySlice<UInt8>) = ([], body.dropFirst(2))
        while rest.count > 2 {
            let length = number(rest)
            rest = rest.dropFirst(2)
            filters.append(String(decoding: rest.prefix(length), as: UTF8.self))
            // The quality of service stands behind the filter.
            rest = rest.dropFirst(length + 1)
        }
        return filters
    }

    /// The number in the first two bytes; there must be two.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    }
}
