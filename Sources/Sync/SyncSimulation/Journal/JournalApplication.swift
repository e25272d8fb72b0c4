public import SyncCore

/// What the engines of an application get at their start and no journal holds, found by the application's name.
///
/// A journal names its application. To replay it, one needs that application, in the version that recorded it.
public struct JournalApplication: Sendable {
    /// The name in journals.
    public var name: String
    /// The versions of the records that a current device reads.
    public var versions: ClosedRange<UInt32>
    /// Whether what stays at the hub may be a secret, so that no journal may hold it.
    public var hasSecrets: Bool
    /// The configuration of a hub's engine that reads these versions of the records.
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

    /// The cells of its configuration that a current device reads.
    var schema: Schema { hub(versions).schema }
}
