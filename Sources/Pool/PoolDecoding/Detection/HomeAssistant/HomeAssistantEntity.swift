public import PoolModel

/// A sensor of a pool quantity that a device announced to Home Assistant.
public struct HomeAssistantEntity: Hashable, Sendable {
    /// Where its announcement came, and inside a device form, under which component.
    public var source: String
    /// The quantity.
    public var quantity: Quantity
    /// The name for people; may be empty.
    public var name: String
    /// The unique id; nil if the announcement has none.
    public var uniqueID: String?
    /// What tells the device apart from others: its first identifier, else its name, else the topic of the state.
    public var deviceKey: String
    /// The name of the device for people; nil if the announcement has none.
    public var deviceName: String?
    /// The program that announced it; nil if it does not say.
    public var originName: String?
    /// The topic of the state.
    public var stateTopic: String
    /// What the template does; nil if it is not understood, which ``notes`` then say.
    public var template: ValueTemplate?
    /// The unit.
    public var unit: SourceUnit
    /// Where it is said whether the device is there.
    public var availability: [AvailabilitySource]
    /// After how many seconds without a message the value counts as gone; nil for never.
    public var expireAfterSeconds: Int?
    /// What cannot be carried over, and what a person should know.
    public var notes: [String]

    /// What may tell what it is of.
    var names: [String] {
        let keys = template?.path.steps.compactMap { step in
            switch step {
            case .key(let key), .element(_, let key): key
            case .index: nil
            }
        }
        return [name, uniqueID ?? "", stateTopic, source] + (keys ?? [])
    }

    /// Where the value is; nil if the template is not understood.
    public var valueSource: ValueSource? {
        template.map {
            ValueSource(
                quantity, topic: stateTopic, path: $0.path, scale: $0.scale, offset: $0.offset, unit: unit)
        }
    }
}
