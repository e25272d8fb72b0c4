public import HomeAssistantMQTT
import PoolModel

/// Collects the announcements of devices to Home Assistant, and offers those that measure a quantity of the water.
///
/// It accepts messages in any order, keeps only sensors of pool quantities, and forgets one when its announcement is
/// deleted by an empty payload or replaced by another. It keeps nothing of other entities, so that its memory is
/// bounded by ``announcementCountMax`` announcements; more are counted in ``droppedCount``.
public struct HomeAssistantDiscovery: Sendable {
    /// The most announcements of pool sensors that are kept.
    public static let announcementCountMax = 256
    /// The most bytes of an announcement that is read.
    public static let byteCountMax = 131_072

    /// The result of a message.
    public enum Outcome: Hashable, Sendable {
        /// The message is not an announcement.
        case foreign
        /// The message announces this many sensors of pool quantities.
        case read(entityCount: Int)
        /// The message deletes an announcement, known or not.
        case deleted
        /// The message is an announcement that could not be read, for this reason.
        case unreadable(String)
        /// The limit of announcements is reached, or the message is too long.
        case dropped
    }

    /// The discovery prefix.
    public let prefix: String
    /// The number of announcements that were dropped because of a limit.
    public private(set) var droppedCount = 0
    /// The number of announcements that could not be read.
    public private(set) var unreadableCount = 0
    private var announcements: [String: [HomeAssistantEntity]] = [:]
    /// The most announcements of other things whose places are kept.
    private static let otherCountMax = 2048
    private var others: [String: [AnnouncedPlace]] = [:]

    /// Creates a discovery that has received nothing.
    public init(prefix: String = HomeAssistantTopic.defaultPrefix) {
        self.prefix = prefix
    }

    /// Processes one message; `isRetained` tells that the broker keeps it.
    @discardableResult
    public mutating func absorb(topic: String, payload: [UInt8], isRetained: Bool = false) -> Outcome {
        guard let announcement = HomeAssistantTopic(topic, prefix: prefix) else { return .foreign }
        if payload.isEmpty {
            announcements[topic] = nil
            others[topic] = nil
            return .deleted
        }
        guard payload.count <= Self.byteCountMax else {
            droppedCount += 1
            return .dropped
        }
        do throws(JSONParsingError) {
            guard String(validating: payload, as: UTF8.self) != nil else { return refuse("it is not text in UTF-8") }
            // What is kept is kept again when it changes, although the broker then sends it as a live message.
            let isKept = isRetained || announcements[topic]?.contains { $0.unitPlace != nil } == true
            let (entities, others) =
                try AnnouncementReader(topic: announcement, payload: payload, isKept: isKept).findings
            self.others[topic] = nil
            if !others.isEmpty, self.others.count < Self.otherCountMax { self.others[topic] = others }
            guard !entities.isEmpty else {
                announcements[topic] = nil
                return .read(entityCount: 0)
            }
            guard announcements[topic] != nil || announcements.count < Self.announcementCountMax else {
                droppedCount += 1
                return .dropped
            }
            announcements[topic] = entities
            return .read(entityCount: entities.count)
        } catch {
            return refuse("\(error)")
        }
    }

    /// The sensors of all devices, ordered by their announcements.
    public var entities: [HomeAssistantEntity] {
        announcements.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The places that are announced as something else, ordered by their announcements.
    var otherPlaces: [AnnouncedPlace] { others.sorted { $0.key < $1.key }.flatMap(\.value) }

    /// The devices that measure something of the water, ordered by their keys.
    public var offers: [HomeAssistantOffer] {
        Dictionary(grouping: entities, by: \.deviceKey).sorted { $0.key < $1.key }.map {
            HomeAssistantOffer(of: $0.value)
        }
    }

    private mutating func refuse(_ reason: String) -> Outcome {
        unreadableCount += 1
        return .unreadable(reason)
    }
}
