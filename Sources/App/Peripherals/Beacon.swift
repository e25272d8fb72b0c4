package import Primitives
import Text
package import ZeroMQ

/// The radio of a device or a bridge: it advertises, and knows who listens and who is connected.
package final class Beacon {
    /// The peers that may be connected at once, as radio chips have few connections.
    private static let followerCountMax = 8
    /// The peers that are remembered as listening.
    private static let listenerCountMax = 64

    private let advertisement: Advertisement
    private let interval: Duration
    private let socket: Socket
    /// Who listens, and until when that is believed.
    private var listeners: [RoutingID: Instant] = [:]
    /// Who is connected, and until when that is believed.
    private var followers: [RoutingID: Instant] = [:]
    /// When the next advertisement is due.
    package private(set) var deadline: Instant

    /// Opens the socket.
    ///
    /// - Throws: What ZeroMQ says.
    package init(
        _ serial: SerialNumber<some PeripheralMaker>, rssi: Int, every interval: Duration, in air: Air,
        _ context: Context, at now: Instant
    ) throws {
        advertisement = Advertisement(
            name: serial.bearer.advertisedName, manufacturerData: Array(serial.text.utf8), rssi: rssi)
        self.interval = interval
        socket = try Socket(context, .router)
        try socket.bind(try air.endpoint(of: serial))
        deadline = now
    }

    /// Whether anybody is connected.
    package var isConnected: Bool { !followers.isEmpty }

    /// Adds its socket to the poller.
    package func begin(_ poller: inout Poller) { _ = poller.add(socket, for: .input) }

    /// The next request that was received; nil if there is none.
    ///
    /// Who listens and who connects is noted here; of those who connect only the accepted ones are returned.
    package func next(at now: Instant) throws(ZeroMQError) -> (peer: RoutingID, request: LinkRequest)? {
        while let message = try socket.receive(maxFrameCount: 1) {
            guard let peer = message.routingID, let frame = message.frames.first,
                let request = try? CanonicalJSON.decode(LinkRequest.self, from: frame)
            else { continue }
            switch request {
            case .scan: Self.note(peer, in: &listeners, limit: Self.listenerCountMax, at: now)
            case .follow:
                Self.note(peer, in: &listeners, limit: Self.listenerCountMax, at: now)
                if Self.note(peer, in: &followers, limit: Self.followerCountMax, at: now) { return (peer, request) }
            case .register, .pairing, .command, .relayed: return (peer, request)
            }
        }
        return nil
    }

    /// Remembers a peer; false if there are too many.
    @discardableResult
    private static func note(
        _ peer: RoutingID, in peers: inout [RoutingID: Instant], limit: Int, at now: Instant
    ) -> Bool {
        guard peers[peer] != nil || peers.count < limit else { return false }
        peers[peer] = now.advanced(by: ShortLink.silenceMax)
        return true
    }

    /// Answers a peer; one that is gone is forgotten.
    package func send(_ reply: LinkReply, to peer: RoutingID) throws(ZeroMQError) {
        guard try socket.send([CanonicalJSON.bytes(ofEncodable: reply)], to: peer) == .unroutable else { return }
        followers[peer] = nil
        listeners[peer] = nil
    }

    /// Tells everybody who is connected.
    package func tell(_ reply: LinkReply) throws(ZeroMQError) {
        for peer in followers.keys { try send(reply, to: peer) }
    }

    /// Advertises if it is time.
    ///
    /// - Returns: Whether it did.
    package func advertise(at now: Instant) throws(ZeroMQError) -> Bool {
        guard now >= deadline else { return false }
        deadline = now.advanced(by: interval)
        listeners = listeners.filter { $0.value > now }
        followers = followers.filter { $0.value > now }
        for peer in listeners.keys { try send(.advertisement(advertisement), to: peer) }
        return true
    }
}
