public import HomeAssistantMQTT
public import PoolModel

/// A sensor of a pool quantity that a device announced to Home Assistant.
public struct HomeAssistantEntity: Hashable, Sendable {
    /// The topic of its announcement and, in the device form, its component.
    public var source: String
    /// The quantity.
    public var quantity: Quantity
    /// The name for people; may be empty.
    public var name: String
    /// The unique id; nil if the announcement has none.
    public var uniqueID: String?
    /// What distinguishes the device from others: its first identifier, else its name, else the topic of the state.
    public var deviceKey: String
    /// The name of the device for people; nil if the announcement has none.
    public var deviceName: String?
    /// The program that announced it; nil if it does not say.
    public var originName: String?
    /// The topic of the state.
    public var stateTopic: String
    /// The effect of the template; nil if the template is not supported, as ``notes`` then say.
    public var template: ValueTemplate?
    /// The unit.
    public var unit: SourceUnit
    /// Where the announcement names the unit, if the broker keeps it: the device may announce another one.
    var unitPlace: UnitPlace?
    /// The topics that say whether the device is available.
    public var availability: [AvailabilitySource]
    /// The topics of the same kind whose templates are not supported.
    var unreadAvailability: [String]
    /// The number of seconds without a message after which the value expires; nil for never.
    public var expireAfterSeconds: Int?
    /// What could not be taken from the announcement, and what a person should know.
    public var notes: [String]

    /// The names that may tell what it belongs to.
    var names: [String] {
        let keys = template?.path.steps.compactMap { step in
            switch step {
            case .key(let key), .element(_, let key): key
            case .index, .each: nil
            }
        }
        return [name, uniqueID ?? "", stateTopic, source] + (keys ?? [])
    }

    /// Where the value is; nil if the template is not supported.
    public var valueSource: ValueSource? {
        template.map {
            ValueSource(
                quantity, topic: stateTopic, path: $0.path, scale: $0.scale, offset: $0.offset, unit: unit,
                unitPlace: unitPlace, conditions: $0.conditions)
        }
    }
}
