public import SyncCore

/// What the engines of an application are told at their start that no journal holds, found again by a name.
///
/// A journal names its application; who replays it must have the application at hand, in the version that kept it.
public struct JournalApplication: Sendable {
    /// The name that stands in journals.
    public var name: String
    /// The versions of the records that a device of today reads.
    public var versions: ClosedRange<UInt32>
    /// Whether what stays at the hub may be a secret, so that no journal may hold it.
    public var hasSecrets: Bool
    /// What a hub's engine is told that reads these versions of the records.
    public var hub: @Sendable (ClosedRange<UInt32>) -> HubEngine.Configuration

    /// Describes an application.
    public init(
        name: String, versions: ClosedRange<UInt32>, hasSecrets: Bool,
        hub: @escaping @Sendable (ClosedRange<UInt32>) -> HubEngine.Configuration
    ) {
        self.name = name
        self.versions = versions
        self.hasSecrets = hasSecrets
        self.hub = hub
    }

    /// The small world of scenarios, whose passwords stay at the hub.
    public static let scenarios = JournalApplication(
        name: "scenarios", versions: ScenarioSchema.versions, hasSecrets: true
    ) { HubEngine.Configuration(app: ScenarioSchema.app, schema: ScenarioSchema.schema($0)) }

    /// The cells of its configuration, as a device of today reads them.
    var schema: Schema { hub(versions).schema }
}
