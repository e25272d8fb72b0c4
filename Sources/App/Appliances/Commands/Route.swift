/// The way of a command to its device.
package enum Route: Hashable, Sendable {
    /// The short link to a motor device.
    case shortLink
    /// MQTT, and for a motor device the bridge that it is near.
    case broker
    /// None; nothing is sent, and nothing is kept for later.
    case refused(Reason)
}

/// What the phone knows of the ways to a device; from it follows the ``Route`` (T18).
package struct Surroundings: Hashable, Sendable {
    /// What a will, or its opposite, said last.
    package enum Presence: String, Codable, Sendable {
        case online, offline
        /// Nothing was said.
        case unknown
    }

    /// The last advertisement of the device on the short link.
    package struct Sighting: Hashable, Sendable {
        /// When it was received.
        package var at: Instant
        /// How strong it was, in dBm.
        package var rssi: Int

        /// Notes an advertisement.
        package init(at: Instant, rssi: Int) {
            self.at = at
            self.rssi = rssi
        }
    }

    /// The age up to which an advertisement means that the device is near.
    package static let sightingAgeMax = Duration.seconds(3)
    /// The weakest signal over which a connection is tried, in dBm.
    package static let rssiMin = -85

    /// Nil if the device was never heard, or has no short link.
    package var sighting: Sighting?
    /// How the broker is reached.
    package var broker: BrokerReach
    /// The bridge; its will.
    package var bridge: Presence
    /// The device; its will or its availability.
    package var device: Presence

    /// Notes what is known.
    package init(
        sighting: Sighting? = nil, broker: BrokerReach, bridge: Presence = .unknown, device: Presence = .unknown
    ) {
        self.sighting = sighting
        self.broker = broker
        self.bridge = bridge
        self.device = device
    }

    /// The way to a device now.
    ///
    /// - Parameters:
    ///   - dialect: How the device is spoken to; only a motor device has a short link and a bridge.
    ///   - now: The time.
    /// - Returns: The way, or why there is none.
    package func route(_ dialect: Dialect, at now: Instant) -> Route {
        if dialect == .own, let sighting, sighting.at.duration(to: now) <= Self.sightingAgeMax,
            sighting.rssi >= Self.rssiMin
        {
            return .shortLink
        }
        guard broker.isConnected else { return .refused(.brokerOffline) }
        if dialect == .own, bridge != .online { return .refused(.hubOffline) }
        switch device {
        case .online: return .broker
        case .offline: return .refused(.deviceOffline)
        // A message that does not expire would be carried out whenever the device comes back.
        case .unknown: return broker.messagesExpire ? .broker : .refused(.presenceUnknown)
        }
    }
}

/// How the broker is reached.
package struct BrokerReach: Hashable, Sendable {
    /// Whether it accepted the phone.
    package var isConnected: Bool
    /// Whether its messages expire, as they do from MQTT 5 on.
    package var messagesExpire: Bool

    /// Notes how it is reached; without arguments it is not.
    package init(isConnected: Bool = false, messagesExpire: Bool = true) {
        self.isConnected = isConnected
        self.messagesExpire = messagesExpire
    }
}
