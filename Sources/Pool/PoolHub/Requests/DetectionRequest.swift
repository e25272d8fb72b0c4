import PoolDecoding
public import PoolModel

/// What a command asks of a detection of devices.
///
/// A running hub has one detection at a time: `begin` starts it and returns at once, `look` shows how far it is, also
/// after its end, until the next one begins. A hub at rest answers `begin` when the time is over, and nothing else.
public enum DetectionRequest: Codable, Sendable {
    /// Begin to listen to a server, by name or the beginning of its id, for so many seconds; 1…3600.
    case begin(server: String, seconds: Int)
    /// What was found so far.
    case look
    /// End it; the answer is what was found.
    case end
}

/// What a detection answers.
public enum DetectionAnswer: Codable, Sendable {
    /// How far it is, and what was found so far.
    case progress(DetectionProgress)
}

/// How far a detection is, and what it has found so far; nothing of it is applied.
public struct DetectionProgress: Codable, Sendable {
    /// The name of the server that is listened to.
    public var server: String
    /// Whether the time is over, or it was ended, or it failed.
    public var isOver: Bool
    /// The seconds until it is over; 0 then.
    public var secondsLeft: Int
    /// Whether the broker accepts the hub's listener now; false also before it did.
    public var isListening: Bool
    /// Why nothing, or not all, is heard, in words; nil if all is well.
    public var trouble: String?
    /// The messages that came.
    public var messages: Int
    /// The report for a person, line by line, without line ends; the devices in it have the numbers of ``offers``, from 1.
    public var lines: [String]
    /// The report for programs: one line of JSON, see `DetectionReport.jsonLine()`.
    public var json: String
    /// The devices, in the order of the numbers in ``lines``.
    public var offers: [DetectionOffer]
}

/// A device that a detection offers, ready to be added.
public struct DetectionOffer: Codable, Sendable {
    /// Another reading of one quantity that a person may prefer.
    public struct Suggestion: Codable, Sendable {
        /// What it changes, and why, in one sentence.
        public var words: String
        /// The quantity that is read in another way.
        public var quantity: Quantity
        /// The sources of that quantity then.
        public var values: [ValueSource]
    }

    /// The name for people; perhaps taken by another device already.
    public var name: String
    /// The device's topic.
    public var topic: String
    /// What its messages mean; nil for the flat message, which needs no mapping.
    public var mapping: DeviceMapping?
    /// The seconds between two readings, as far as they were seen or said.
    public var expectedIntervalSeconds: Int?
    /// Why it cannot be added as it is, in words; nil if it can.
    public var obstacle: String?
    /// The name of the device of the same server that has the same topic already; nil if there is none.
    public var knownAs: String?
    /// What could be changed in the mapping; one for each quantity can be taken.
    public var suggestions: [Suggestion]
    /// The quantities of which one suggestion must be taken: nothing else says which of several is the water's.
    public var openQuantities: [Quantity] = []
    /// What it shows now and how sure that is, in one line; empty if no value came yet.
    public var preview = ""

    /// The draft of the device, at the server that was listened to.
    ///
    /// - Parameters:
    ///   - server: The name of the server.
    ///   - taken: The places of the suggestions that are taken.
    /// - Returns: The draft.
    /// - Throws: ``DetectionOfferError`` if there is no such suggestion, two are for the same quantity, or one must be taken.
    public func draft(server: String, taking taken: [Int] = []) throws -> DeviceDraft {
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
        var draft = DeviceDraft()
        draft.name = name
        draft.server = server
        draft.topic = topic
        draft.mapping = mapping
        draft.expectedIntervalSeconds = expectedIntervalSeconds
        return draft
    }
}

/// Why suggestions of a ``DetectionOffer`` cannot be taken, or must be.
public struct DetectionOfferError: Error, CustomStringConvertible {
    /// In words, with the candidates where one must be chosen.
    public let description: String
}
