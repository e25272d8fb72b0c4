package import PoolModel

/// A server as the screens show it.
package struct ServerItem: Equatable, Sendable {
    /// What is configured.
    package var server: Server
    /// Whether a password is kept; it is never shown.
    package var hasPassword: Bool
    /// Whether the broker has accepted the hub; nil while nobody tried.
    package var isConnected: Bool?
    /// The state of the connection in a few words, such as `connected` or why it failed.
    package var state: String

    /// Creates an item.
    package init(server: Server, hasPassword: Bool = false, isConnected: Bool? = nil, state: String = "") {
        self.server = server
        self.hasPassword = hasPassword
        self.isConnected = isConnected
        self.state = state
    }
}

/// A device as the screens show it.
package struct DeviceItem: Equatable, Sendable {
    /// What is configured: limits of its own, calibrations, mapping and pool included.
    package var device: Device
    /// Its values, judged by the limits that hold for it, with trends and the last day.
    ///
    /// Its link is always `linked`: the hub looks at its own values.
    package var glance: Glance
    /// The newest values as the device sent them, with their times; for calibrations.
    package var raw: QuantityMap<LatestValue>
    /// Whether the device is there, as it or its bridge says; nil if nothing was said.
    package var isAvailable: Bool?
    /// The readings in the history.
    package var storedReadings: Int
    /// What became of its messages since the hub started, in a few words; empty for nothing to say.
    package var traffic: String
    /// Its last message as text, shortened; nil if none came since the hub started.
    package var lastMessage: String?

    /// Creates an item.
    package init(
        device: Device, glance: Glance, raw: QuantityMap<LatestValue> = [:], isAvailable: Bool? = nil,
        storedReadings: Int = 0, traffic: String = "", lastMessage: String? = nil
    ) {
        self.device = device
        self.glance = glance
        self.raw = raw
        self.isAvailable = isAvailable
        self.storedReadings = storedReadings
        self.traffic = traffic
        self.lastMessage = lastMessage
    }
}

/// A pool as the screens show it.
package struct PoolItem: Equatable, Sendable {
    /// What is configured.
    package var pool: Pool

    /// Creates an item.
    package init(pool: Pool) {
        self.pool = pool
    }
}

/// A detection of devices as the screens show it.
package struct DetectionItem: Equatable, Sendable {
    /// A device that was found.
    package struct Offer: Equatable, Sendable {
        /// A change of the mapping that a person may prefer.
        package struct Suggestion: Equatable, Sendable {
            /// What it changes, and why, in one sentence.
            package var words: String
            /// The quantity that is read in another way.
            package var quantity: Quantity
            /// The sources of that quantity then.
            package var values: [ValueSource]

            /// Creates a suggestion.
            package init(words: String, quantity: Quantity, values: [ValueSource]) {
                self.words = words
                self.quantity = quantity
                self.values = values
            }
        }

        /// The name for people.
        package var name: String
        /// The device's topic.
        package var topic: String
        /// What its messages mean, nil for the flat message.
        package var mapping: DeviceMapping?
        /// The seconds between two readings, as far as they were seen or said.
        package var expectedIntervalSeconds: Int?
        /// What it shows now and how sure that is, in one line; empty if nothing came yet.
        package var preview: String
        /// Why it cannot be added as it is, nil if it can.
        package var obstacle: String?
        /// The name of the device that has the same topic already, or nil.
        package var knownAs: String?
        /// What could be changed in the mapping.
        package var suggestions: [Suggestion]
        /// The quantities of which one suggestion must be taken.
        package var openQuantities: [Quantity]

        /// Creates an offer.
        package init(
            name: String, topic: String, mapping: DeviceMapping? = nil, expectedIntervalSeconds: Int? = nil,
            preview: String = "", obstacle: String? = nil, knownAs: String? = nil, suggestions: [Suggestion] = [],
            openQuantities: [Quantity] = []
        ) {
            self.name = name
            self.topic = topic
            self.mapping = mapping
            self.expectedIntervalSeconds = expectedIntervalSeconds
            self.preview = preview
            self.obstacle = obstacle
            self.knownAs = knownAs
            self.suggestions = suggestions
            self.openQuantities = openQuantities
        }
    }

    /// The server that is listened to.
    package var serverID: ServerID
    /// Whether the time is over, or it was ended, or it failed.
    package var isOver: Bool
    /// The seconds until it is over.
    package var secondsLeft: Int
    /// Why nothing, or not all, is heard; nil if all is well.
    package var trouble: String?
    /// The messages that came.
    package var messages: Int
    /// The devices that were found so far.
    package var offers: [Offer]

    /// Creates an item.
    package init(
        serverID: ServerID, isOver: Bool = false, secondsLeft: Int = 0, trouble: String? = nil, messages: Int = 0,
        offers: [Offer] = []
    ) {
        self.serverID = serverID
        self.isOver = isOver
        self.secondsLeft = secondsLeft
        self.trouble = trouble
        self.messages = messages
        self.offers = offers
    }
}
