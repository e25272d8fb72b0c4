import PoolDecoding
package import PoolModel

/// The progress of a detection, and what it has found so far.
///
/// Nothing of it is applied.
package struct DetectionProgress: Codable, Equatable, Sendable {
    /// The server that the detection listens to.
    package var serverID: ServerID
    /// The name of that server.
    package var server: String
    /// Whether the detection has ended: the time is over, it was ended, or it failed.
    package var isOver: Bool
    /// The remaining seconds; 0 after the end.
    package var secondsLeft: Int
    /// Whether the broker currently accepts the detection's connection.
    package var isListening: Bool
    /// Why no messages, or not all, are received; nil if there is no problem.
    package var trouble: String?
    /// The number of messages received.
    package var messages: Int
    /// The report for a user, as lines without line breaks.
    ///
    /// It numbers the devices in the order of ``offers``, from 1.
    package var lines: [String]
    /// The report for programs: one line of JSON; see `DetectionReport.jsonLine()`.
    package var json: String
    /// The devices, in the order of their numbers in ``lines``.
    package var offers: [DetectionOffer]

    /// Creates a detection progress.
    package init(
        serverID: ServerID, server: String, isOver: Bool, secondsLeft: Int, isListening: Bool, trouble: String? = nil,
        messages: Int, lines: [String], json: String, offers: [DetectionOffer]
    ) {
        self.serverID = serverID
        self.server = server
        self.isOver = isOver
        self.secondsLeft = secondsLeft
        self.isListening = isListening
        self.trouble = trouble
        self.messages = messages
        self.lines = lines
        self.json = json
        self.offers = offers
    }
}

/// A device that a detection found, ready to be added.
package struct DetectionOffer: Codable, Equatable, Sendable {
    /// An alternative mapping of one quantity.
    package struct Suggestion: Codable, Equatable, Sendable {
        /// What it changes, and why, in one sentence.
        package var words: String
        /// The quantity that would be read differently.
        package var quantity: Quantity
        /// The sources of that quantity.
        package var values: [ValueSource]

        /// Creates a suggestion.
        package init(
            words: String, quantity: Quantity, values: [ValueSource]
        ) {
            self.words = words
            self.quantity = quantity
            self.values = values
        }
    }

    /// The proposed name; another device may already have it.
    package var name: String
    /// The topic that the device publishes to.
    package var topic: String
    /// The mapping that decodes its messages; nil for the flat message, which needs no mapping.
    package var mapping: DeviceMapping?
    /// The interval between two readings in seconds, if it was observed or announced.
    package var expectedIntervalSeconds: Int?
    /// Why the device cannot be added as it is; nil if it can.
    package var obstacle: String?
    /// The name of the configured device with the same server and topic; nil if there is none.
    package var knownAs: String?
    /// Alternative mappings; at most one for each quantity can be taken.
    package var suggestions: [Suggestion]
    /// The quantities for which a suggestion must be chosen, because it is unclear which value is that of the water, or
    /// in which unit it is.
    package var openQuantities: [Quantity] = []
    /// Why a suggestion must be chosen, for each of ``openQuantities``; nil from a program of before.
    package var openReasons: QuantityMap<String>?
    /// What the mapping does not read, because the value that came is suspected; one sentence each, nil from a program
    /// of before.
    package var leftOut: [String]?
    /// The current values and their confidence, in one line; empty if no value was received yet.
    package var preview = ""

    /// Why a suggestion must be chosen for a quantity.
    package func reason(for open: Quantity) -> String {
        openReasons?[open] ?? "nothing says which \(open.name) is that of the water"
    }

    /// The patch that adds the device.
    ///
    /// - Parameters:
    ///   - server: The server that the detection listened to.
    ///   - taken: The indices of the chosen suggestions.
    /// - Returns: The patch.
    /// - Throws: ``DetectionOfferError`` if a suggestion does not exist, two are for the same quantity, or one is
    ///   missing.
    package func patch(server: ServerID, taking taken: [Int] = []) throws -> DevicePatch {
        var quantities: Set<Quantity> = []
        var mapping = mapping
        for place in taken {
            guard suggestions.indices.contains(place) else {
                throw DetectionOfferError(
                    description: "there are \(suggestions.count) suggestions: there is no \(place + 1)")
            }
            let suggestion = suggestions[place]
            guard quantities.insert(suggestion.quantity).inserted else {
                throw DetectionOfferError(
                    description: "two of the suggestions are for the \(suggestion.quantity.name): give one of them")
            }
            mapping = mapping?.reading(suggestion.quantity, as: suggestion.values)
        }
        let questions = openQuantities.filter { !quantities.contains($0) }.map { open in
            let candidates = suggestions.enumerated().filter { $0.element.quantity == open }
                .map { "\($0.offset + 1) to \($0.element.words)" }
            return "\(reason(for: open)); give --suggestion with the right number: "
                + candidates.joined(separator: ", ")
        }
        guard questions.isEmpty else {
            throw DetectionOfferError(description: questions.joined(separator: ". And "))
        }
        var patch = DevicePatch()
        patch.name = name
        patch.serverID = server
        patch.topic = topic
        patch.mapping = mapping.map { .set($0) }
        // What was seen in a minute says little: some probes send a burst, and then nothing for an hour.
        patch.expectedIntervalSeconds = max(expectedIntervalSeconds ?? 0, IntervalMemory.firstSeconds)
        patch.learnsInterval = true
        return patch
    }

    /// Creates a detection offer.
    package init(
        name: String, topic: String, mapping: DeviceMapping? = nil, expectedIntervalSeconds: Int? = nil,
        obstacle: String? = nil, knownAs: String? = nil, suggestions: [Suggestion], openQuantities: [Quantity] = [],
        openReasons: QuantityMap<String>? = nil, leftOut: [String]? = nil, preview: String = ""
    ) {
        self.name = name
        self.topic = topic
        self.mapping = mapping
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.obstacle = obstacle
        self.knownAs = knownAs
        self.suggestions = suggestions
        self.openQuantities = openQuantities
        self.openReasons = openReasons
        self.leftOut = leftOut
        self.preview = preview
    }
}

/// Why the chosen suggestions of a ``DetectionOffer`` are invalid.
package struct DetectionOfferError: Error, CustomStringConvertible {
    /// The description, with the candidates if one must be chosen.
    package let description: String
}
