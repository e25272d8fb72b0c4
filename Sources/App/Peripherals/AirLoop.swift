import Appliances
import Platform
package import Primitives
import Text
package import ZeroMQ

/// What a phone or a bridge hears on the short link, and its connections to the devices there.
package final class AirLoop<Maker: PeripheralMaker>: SocketLoop {
    package typealias Serial = SerialNumber<Maker>

    /// What happens there; told on the thread of the loop.
    package enum Event: Sendable {
        /// A device or a bridge was heard.
        case heard(Serial, rssi: Int)
        /// A device that it is connected to was not heard for some seconds, or the place went out of range.
        case lost(Serial)
        /// A device answered.
        case reply(Serial, LinkReply)
    }

    /// What can be asked.
    package enum Request: Sendable {
        /// Connect to these devices whenever they are near, and to no others.
        case know(Set<Serial>)
        /// Write to a device; dropped, with an ``Event/lost(_:)``, if it is not near.
        case send(Serial, LinkRequest)
    }

    /// Which devices it connects to.
    package enum Reach: Sendable {
        /// Every one, as a bridge does.
        case all
        /// Those of ``Request/know(_:)``.
        case known
    }

    /// The connection to an endpoint in the folder.
    private final class Station {
        let dealer: Socket
        let item: Poller.Item
        /// The device there, once it was heard and may be connected to.
        var serial: Serial?

        init(_ context: Context, to endpoint: Endpoint, _ poller: inout Poller) throws(ZeroMQError) {
            dealer = try Socket(context, .dealer)
            try dealer.connect(to: endpoint)
            item = poller.add(dealer, for: .input)
        }
    }

    /// The time between two looks at the folder; a device forgets who listens after ``silenceMax``.
    private static var lookInterval: Duration { .milliseconds(500) }
    /// The silence after which a device counts as gone.
    package static var silenceMax: Duration { ShortLink.silenceMax }

    private let air: Air
    private let place: String
    private let reach: Reach
    private let context: Context
    private let onEvent: (Event) -> Void
    private var scanner = Scanner<Maker>()
    private var stations: [Endpoint: Station] = [:]
    private var looksAt: Instant

    /// Opens the loop; on its thread.
    ///
    /// - Parameters:
    ///   - air: The folder of the short link.
    ///   - place: The name of the place, for ``Air/walk(_:away:)``.
    ///   - reach: Which devices it connects to.
    ///   - context: The context of its sockets.
    ///   - onEvent: Called on the thread; must return at once.
    package init(_ air: Air, place: String, reach: Reach, _ context: Context, onEvent: @escaping (Event) -> Void) {
        self.air = air
        self.place = place
        self.reach = reach
        self.context = context
        self.onEvent = onEvent
        looksAt = Moment.now.monotonic
    }

    package func begin(_ poller: inout Poller) {}

    package func turn(_ requests: [Request], _ poller: inout Poller, at now: Moment) -> Instant? {
        do throws(ZeroMQError) {
            if now.monotonic >= looksAt { try look(&poller, at: now.monotonic) }
            for station in stations.values {
                while let message = try station.dealer.receive(maxFrameCount: 1) {
                    try hear(message, station, at: now.monotonic)
                }
            }
            for request in requests { try take(request) }
        } catch {
            // Nothing is near without sockets; the next look tries again.
            for endpoint in stations.keys { drop(endpoint, &poller) }
        }
        return looksAt
    }

    private func station(of serial: Serial) -> Station? { stations.values.first { $0.serial == serial } }

    private func look(_ poller: inout Poller, at now: Instant) throws(ZeroMQError) {
        looksAt = now.advanced(by: Self.lookInterval)
        let present = air.isAway(place) ? [] : air.endpoints
        for endpoint in Set(stations.keys).subtracting(present) { drop(endpoint, &poller) }
        for endpoint in present {
            let station: Station
            if let known = stations[endpoint] {
                station = known
            } else {
                station = try Station(context, to: endpoint, &poller)
            }
            stations[endpoint] = station
            if let serial = station.serial, let heard = scanner.sightings[serial],
                heard.at.duration(to: now) > Self.silenceMax
            {
                leave(station)
            }
            try send(station.serial == nil ? .scan : .follow, to: station)
        }
    }

    private func hear(_ message: ReceivedMessage, _ station: Station, at now: Instant) throws(ZeroMQError) {
        guard let frame = message.frames.first, let reply = try? CanonicalJSON.decode(LinkReply.self, from: frame)
        else { return }
        guard case .advertisement(let advertisement) = reply else {
            if let serial = station.serial { onEvent(.reply(serial, reply)) }
            return
        }
        switch scanner.handle(advertisement, at: now) {
        case .ignored: break
        case .listed(let serial):
            onEvent(.heard(serial, rssi: advertisement.rssi))
            // It connects with the next advertisement.
            if case .all = reach, serial.bearer == .device { scanner.register(serial) }
        case .connect(let serial):
            onEvent(.heard(serial, rssi: advertisement.rssi))
            station.serial = serial
            try send(.follow, to: station)
        }
    }

    private func take(_ request: Request) throws(ZeroMQError) {
        switch request {
        case .know(let serials):
            for station in stations.values {
                guard let serial = station.serial, !serials.contains(serial) else { continue }
                scanner.unregister(serial)
                leave(station)
            }
            for serial in serials { scanner.register(serial) }
        case .send(let serial, let request):
            guard let station = station(of: serial), try send(request, to: station) else {
                return onEvent(.lost(serial))
            }
        }
    }

    @discardableResult
    private func send(_ request: LinkRequest, to station: Station) throws(ZeroMQError) -> Bool {
        try station.dealer.send([CanonicalJSON.bytes(ofEncodable: request)]) == .sent
    }

    private func leave(_ station: Station) {
        guard let serial = station.serial else { return }
        station.serial = nil
        scanner.disconnected(serial)
        onEvent(.lost(serial))
    }

    private func drop(_ endpoint: Endpoint, _ poller: inout Poller) {
        guard let station = stations.removeValue(forKey: endpoint) else { return }
        poller.remove(station.item)
        leave(station)
    }
}
