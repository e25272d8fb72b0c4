/// The groups of fields that exist, and who may see and change them.
enum EntryGroup: Hashable, CaseIterable {
    case serverName
    case serverEndpoint
    case deviceName
    case deviceMembership
    case deviceSource
    case deviceTiming
    case deviceLimits(Quantity)
    case selection

    static let allCases: [EntryGroup] =
        [.serverName, .serverEndpoint, .deviceName, .deviceMembership, .deviceSource, .deviceTiming, .selection]
        + Quantity.allCases.map { .deviceLimits($0) }

    static let serverKind = "server"
    static let deviceKind = "device"
    static let preferenceKind = "pref"

    var kind: String {
        switch self {
        case .serverName, .serverEndpoint: Self.serverKind
        case .deviceName, .deviceMembership, .deviceSource, .deviceTiming, .deviceLimits: Self.deviceKind
        case .selection: Self.preferenceKind
        }
    }

    var group: String {
        switch self {
        case .serverName, .deviceName: "name"
        case .serverEndpoint: "endpoint"
        case .deviceMembership: "membership"
        case .deviceSource: "source"
        case .deviceTiming: "timing"
        case .deviceLimits(let quantity): "limits-\(quantity.rawValue)"
        case .selection: "selection"
        }
    }

    var isVisibleToWatches: Bool {
        switch self {
        case .serverName, .deviceName, .deviceMembership, .deviceTiming, .deviceLimits, .selection: true
        case .serverEndpoint, .deviceSource: false
        }
    }

    /// Whether a person may change it on a watch too; everything else is the hub's alone.
    var isEditableOnWatches: Bool {
        switch self {
        case .serverName, .deviceName, .deviceLimits, .selection: true
        case .serverEndpoint, .deviceMembership, .deviceSource, .deviceTiming: false
        }
    }

    /// Whether a record of the kind cannot be used without it.
    var isRequired: Bool {
        switch self {
        case .serverName, .serverEndpoint, .deviceName, .deviceMembership, .deviceSource: true
        case .deviceTiming, .deviceLimits, .selection: false
        }
    }

    init?(kind: String, group: String) {
        guard let found = Self.allCases.first(where: { $0.kind == kind && $0.group == group }) else { return nil }
        self = found
    }

    /// The entry of this group with these fields.
    func entry(of record: ConfigurationEntry.Record, fields: some Encodable) -> ConfigurationEntry {
        ConfigurationEntry(
            key: ConfigurationEntry.Key(kind: kind, record: record, group: group),
            value: CanonicalJSON.bytes(ofEncodable: fields))
    }
}
