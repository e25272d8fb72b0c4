import Crypto
import PoolControl
import PoolModel
import WebServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The detection of devices, for owners: it listens to a server, shows what it found, and adds what a person chose.
struct DetectionRoutes: Sendable {
    let hub: HubWatcher

    /// How long a detection may listen, in seconds.
    static let secondsRange = 1...3600

    func begin(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["serverID", "seconds"])
        let server = try ServerRoutes.server(try members.text("serverID"), in: try hub.snapshot().state)
        let seconds = try members.optionalInteger("seconds", Self.secondsRange) ?? 30
        return try .json(
            DetectionView(try await hub.ask(.detection(.begin(server.id, seconds: seconds)))), status: 201)
    }

    func look() async throws -> WebResponse {
        do {
            return try .json(DetectionView(try await hub.ask(.detection(.look))))
        } catch let problem as Problem where problem.kind == .refused {
            throw Problem(.missing, "no detection was begun: begin one with POST /api/v1/detection")
        }
    }

    func end() async throws -> WebResponse { try .json(DetectionView(try await hub.ask(.detection(.end)))) }

    func add(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members([
            "offer", "suggestions", "name", "poolID", "deviceType", "expectedIntervalSeconds",
        ])
        let id = try members.text("offer")
        let taken = try members.optionalIntegers("suggestions", 0...64, 1...1000) ?? []
        let progress = try await hub.ask(.detection(.look))
        guard let offer = progress.offers.first(where: { DetectionView.id(of: $0) == id }) else {
            throw Problem(
                .refused, "what was found has changed meanwhile: look at the list again",
                french: "ce qui a été trouvé a changé entre-temps : regardez la liste", member: "offer", value: id)
        }
        if let obstacle = offer.obstacle { throw Problem(.refused, "\(offer.name) cannot be added: \(obstacle)") }
        if let known = offer.knownAs {
            throw Problem(
                .refused,
                "the topic \(Excerpt(offer.topic)) belongs to the device \(Excerpt(known)) already: change that one")
        }
        var patch = try Self.patch(offer, taken.map { $0 - 1 }, server: progress.serverID)
        if let name = try members.optionalText("name") { patch.name = name }
        patch.deviceType = try members.optionalText("deviceType")
        patch.poolID = try members.optionalID("poolID").map { .set($0) }
        if let seconds = try members.optionalInteger("expectedIntervalSeconds", Device.intervalRange) {
            patch.expectedIntervalSeconds = seconds
            patch.learnsInterval = nil
        }
        var answer = try await hub.perform(.edit(.addDevice(patch)), context)
        answer.status = 201
        return answer
    }

    /// The patch that adds an offer; a quantity that is doubtful must be chosen.
    private static func patch(
        _ offer: DetectionOffer, _ taken: [Int], server: ServerID
    ) throws(Problem) -> DevicePatch {
        let chosen = taken.filter(offer.suggestions.indices.contains).map { offer.suggestions[$0].quantity }
        if let open = offer.openQuantities.first(where: { !chosen.contains($0) }) {
            let numbers = offer.suggestions.indices.filter { offer.suggestions[$0].quantity == open }
                .map { "\($0 + 1)" }.joined(separator: ", ")
            throw Problem(
                .wrongMember, "\(offer.reason(for: open)): choose one of the suggestions \(numbers)",
                member: "suggestions.\(open.rawValue)")
        }
        do {
            return try offer.patch(server: server, taking: taken)
        } catch {
            throw Problem(.wrongMember, "\(error)", member: "suggestions")
        }
    }
}

/// A detection as the page shows it.
struct DetectionView: Encodable {
    /// A value that was found.
    struct Found: Encodable {
        var quantity: Quantity
        /// The value in the unit of the quantity; nil if none has come, or if it is no number.
        var value: Double?
        /// The text of the message.
        var raw: String?
        /// The topic, and the place in the message.
        var place: String
    }

    /// A number that is not taken.
    struct Skipped: Encodable {
        var raw: String
        var place: String
        var reason: String
    }

    /// Another way to read a quantity.
    struct Suggestion: Encodable {
        /// Its number, from 1.
        var number: Int
        var quantity: Quantity
        var words: String
        /// The sources in their notation.
        var mapping: [String]
    }

    /// A quantity for which a suggestion must be chosen.
    struct Question: Encodable {
        var quantity: Quantity
        var reason: String
    }

    /// A device that was found.
    struct Offer: Encodable {
        /// What the mapping is, as a number: another mapping has another one.
        var id: String
        var name: String
        var topic: String
        var expectedIntervalSeconds: Int?
        var obstacle: String?
        var knownAs: String?
        var confidence: String?
        var values: [Found]
        /// The mapping in its notation, one value a line; empty for the flat message.
        var mapping: [String]
        var remarks: [String]
        /// What the mapping does not read, because the value is suspected.
        var leftOut: [Quantity]
        var skipped: [Skipped]
        var questions: [Question]
        var suggestions: [Suggestion]
    }

    var serverID: ServerID
    var server: String
    var isOver: Bool
    var secondsLeft: Int
    var isListening: Bool
    var trouble: String?
    var messages: Int
    var offers: [Offer]
    var skipped: [Skipped]
    var unreadTopics: [String]

    init(_ progress: DetectionProgress) {
        let report = try? CanonicalJSON.decode(DetectionFindings.self, from: Array(progress.json.utf8))
        serverID = progress.serverID
        server = progress.server
        isOver = progress.isOver
        secondsLeft = progress.secondsLeft
        isListening = progress.isListening
        trouble = progress.trouble
        messages = progress.messages
        skipped = report?.skipped.map(Skipped.init) ?? []
        unreadTopics = report?.unreadTopics ?? []
        offers = progress.offers.enumerated().map { index, offer in
            let found = report.flatMap { $0.proposals.indices.contains(index) ? $0.proposals[index] : nil }
            return Offer(
                id: Self.id(of: offer), name: offer.name, topic: offer.topic,
                expectedIntervalSeconds: offer.expectedIntervalSeconds, obstacle: offer.obstacle,
                knownAs: offer.knownAs, confidence: found?.confidence,
                values: found?.preview.map(Found.init) ?? [],
                mapping: offer.mapping?.values.map(\.notation) ?? [], remarks: found?.remarks ?? [],
                leftOut: found?.leftOut ?? [], skipped: found?.skipped.map(Skipped.init) ?? [],
                questions: offer.openQuantities.map { Question(quantity: $0, reason: offer.reason(for: $0)) },
                suggestions: offer.suggestions.enumerated().map { place, suggestion in
                    Suggestion(
                        number: place + 1, quantity: suggestion.quantity, words: suggestion.words,
                        mapping: suggestion.values.map(\.notation))
                })
        }
    }

    /// The identity of an offer: a hash of all that adding it would store, and of what must be chosen.
    static func id(of offer: DetectionOffer) -> String {
        var plain = DetectionOffer(
            name: "", topic: offer.topic, mapping: offer.mapping, suggestions: offer.suggestions,
            openQuantities: offer.openQuantities)
        for index in plain.suggestions.indices { plain.suggestions[index].words = "" }
        return Hexadecimal.text(SHA256.hash(data: CanonicalJSON.bytes(ofEncodable: plain)).prefix(8))
    }
}

/// What the page reads of the report for programs; see `DetectionReport.jsonLine()`.
private struct DetectionFindings: Decodable {
    struct Preview: Decodable {
        var quantity: Quantity
        var topic: String
        var path: ValuePath
        var raw: String?
        var value: Double?
    }

    struct Skipped: Decodable {
        var topic: String
        var path: ValuePath
        var raw: String
        var reason: String
    }

    struct Proposal: Decodable {
        var confidence: String
        var remarks: [String]
        var preview: [Preview]
        var leftOut: [Quantity]
        var skipped: [Skipped]
    }

    var proposals: [Proposal]
    var skipped: [Skipped]
    var unreadTopics: [String]
}

extension DetectionView.Found {
    fileprivate init(_ preview: DetectionFindings.Preview) {
        quantity = preview.quantity
        value = preview.value
        raw = preview.raw
        place = DetectionFindings.place(preview.topic, preview.path)
    }
}

extension DetectionView.Skipped {
    fileprivate init(_ skipped: DetectionFindings.Skipped) {
        raw = skipped.raw
        place = DetectionFindings.place(skipped.topic, skipped.path)
        reason = skipped.reason
    }
}

extension DetectionFindings {
    /// The topic, and the place in the message if it is not the whole of it.
    fileprivate static func place(_ topic: String, _ path: ValuePath) -> String {
        path == .whole ? topic : "\(topic) \(path)"
    }
}
