import PoolDecoding
package import PoolModel

/// What a detection answers.
package enum DetectionAnswer: Codable, Sendable {
    /// How far it is, and what was found so far.
    case progress(DetectionProgress)
}

/// How far a detection is, and what it has found so far; nothing of it is applied.
package struct DetectionProgress: Codable, Equatable, Sendable {
    /// The server that is listened to.
    package var serverID: ServerID
    /// Its name.
    package var server: String
    /// Whether the time is over, or it was ended, or it failed.
    package var isOver: Bool
    /// The seconds until it is over; 0 then.
    package var secondsLeft: Int
    /// Whether the broker accepts the hub's listener now; false also before it did.
    package var isListening: Bool
    /// Why nothing, or not all, is heard, in words; nil if all is well.
    package var trouble: String?
    /// The messages that came.
    package var messages: Int
    /// The report for a person, line by line, without line ends; the devices in it have the numbers of ``offers``, from 1.
    package var lines: [String]
    /// The report for programs: one line of JSON, see `DetectionReport.jsonLine()`.
    package var json: String
    /// The devices, in the order of the numbers in ``lines``.
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

/// A device that a detection offers, ready to be added.
package struct DetectionOffer: Codable, Equatable, Sendable {
    /// Another reading of one quantity that a person may prefer.
    package struct Suggestion: Codable, Equatable, Sendable {
        /// What it changes, and why, in one sentence.
        package var words: String
        /// The quantity that is read in another way.
        package var quantity: Quantity
        /// The sources of that quantity then.
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

    /// The name for people; perhaps taken by another device already.
    package var name: String
    /// The device's topic.
    package var topic: String
    /// What its messages mean; nil for the flat message, which needs no mapping.
    package var mapping: DeviceMapping?
    /// The seconds between two readings, as far as they were seen or said.
    package var expectedIntervalSeconds: Int?
    /// Why it cannot be added as it is, in words; nil if it can.
    package var obstacle: String?
    /// The name of the device of the same server that has the same topic already, or nil.
    package var knownAs: String?
    /// What could be changed in the mapping; one for each quantity can be taken.
    package var suggestions: [Suggestion]
    /// The quantities of which one suggestion must be taken: nothing else says which of several is the water's.
    package var openQuantities: [Quantity] = []
    /// What it shows now and how sure that is, in one line; empty if no value came yet.
    package var preview = ""

    /// The patch that adds the device, at the server that was listened to.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - taken: The places of the suggestions that are taken.
    /// - Returns: The patch.
    /// - Throws: ``DetectionOfferError`` if there is no such suggestion, two are for the same quantity, or one must be taken.
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
        if let open = openQuantities.first(where: { !quantities.contains($0) }) {
            let candidates = suggestions.enumerated().filter { $0.element.quantity == open }
                .map { "\($0.offset + 1) to \($0.element.words)" }
            throw DetectionOfferError(
                description: "nothing says which \(open.name) is that of the water; give --suggestion with the right "
                    + "number: \(candidates.joined(separator: ", "))")
        }
        var patch = DevicePatch()
        patch.name = name
        patch.serverID = server
        patch.topic = topic
        patch.mapping = mapping.map { .set($0) }
        patch.expectedIntervalSeconds = expectedIntervalSeconds
        return patch
    }

    /// Creates a detection offer.
    package init(
        name: String, topic: String, mapping: DeviceMapping? = nil, expectedIntervalSeconds: Int? = nil,
        obstacle: String? = nil, knownAs: String? = nil, suggestions: [Suggestion], openQuantities: [Quantity] = [],
        preview: String = ""
    ) {
        self.name = name
        self.topic = topic
        self.mapping = mapping
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.obstacle = obstacle
        self.knownAs = knownAs
        self.suggestions = suggestions
        self.openQuantities = openQuantities
        self.preview = preview
    }
}

/// Why suggestions of a ``DetectionOffer`` cannot be taken, or must be.
package struct DetectionOfferError: Error, CustomStringConvertible {
    /// In words, with the candidates where one must be chosen.
    package let description: String
}
