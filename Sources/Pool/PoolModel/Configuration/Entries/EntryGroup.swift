/// The groups of fields, and who may see and change them.
enum EntryGroup: Hashable, CaseIterable {
    case serverName
    case serverEndpoint
    case deviceName
    case deviceMembership
    case deviceSource
    case deviceTiming
    case deviceLimits(Quantity)
    case devicePool
    case deviceMapping
    case deviceCalibration(Quantity)
    case serverAnnouncement
    case poolName
    case poolWater
    case poolLimits(Quantity)
    case selection
    case history
    case export
    case alerts
    case alertAnswer

    static let allCases: [EntryGroup] =
        [
            .serverName, .serverEndpoint, .serverAnnouncement, .deviceName, .deviceMembership, .deviceSource,
            .deviceTiming, .devicePool, .deviceMapping, .poolName, .poolWater, .selection, .history, .export,
            .alerts, .alertAnswer,
        ] + Quantity.allCases.flatMap { [.deviceLimits($0), .deviceCalibration($0), .poolLimits($0)] }

    static let serverKind = "server"
    static let deviceKind = "device"
    static let poolKind = "pool"
    static let alertKind = "alert"
    static let preferenceKind = "pref"

    var kind: String {
        switch self {
        case .serverName, .serverEndpoint, .serverAnnouncement: Self.serverKind
        case .deviceName, .deviceMembership, .deviceSource, .deviceTiming, .deviceLimits, .devicePool, .deviceMapping,
            .deviceCalibration:
            Self.deviceKind
        case .poolName, .poolWater, .poolLimits: Self.poolKind
        case .alertAnswer: Self.alertKind
        case .selection, .history, .export, .alerts: Self.preferenceKind
        }
    }

    var group: String {
        switch self {
        case .serverName, .deviceName, .poolName: "name"
        case .serverEndpoint: "endpoint"
        case .deviceMembership: "membership"
        case .deviceSource: "source"
        case .deviceTiming: "timing"
        case .deviceLimits(let quantity), .poolLimits(let quantity): "limits-\(quantity.rawValue)"
        case .devicePool: "pool"
        case .deviceMapping: "mapping"
        case .deviceCalibration(let quantity): "calibration-\(quantity.rawValue)"
        case .serverAnnouncement: "announcement"
        case .poolWater: "water"
        case .selection: "selection"
        case .history: "history"
        case .export: "export"
        case .alerts: "alerts"
        case .alertAnswer: "answer"
        }
    }

    var isVisibleToWatches: Bool {
        switch self {
        case .serverName, .deviceName, .deviceMembership, .deviceTiming, .deviceLimits, .devicePool, .poolName,
            .poolLimits, .selection, .alertAnswer:
            true
        case .serverEndpoint, .serverAnnouncement, .deviceSource, .deviceMapping, .deviceCalibration, .poolWater,
            .history, .export, .alerts:
            false
        }
    }

    /// The first record version in which watches see the group.
    var firstVersion: UInt32 {
        switch self {
        case .devicePool, .poolName, .alertAnswer: 2
        case .poolLimits(let quantity): max(2, quantity.facts.firstVersion)
        case .deviceLimits(let quantity): quantity.facts.firstVersion
        case .serverName, .serverEndpoint, .deviceName, .deviceMembership, .deviceSource, .deviceTiming,
            .deviceMapping, .deviceCalibration, .serverAnnouncement, .poolWater, .selection, .history, .export, .alerts:
            1
        }
    }

    /// Whether a person may change it on a watch; only the hub changes the others.
    var isEditableOnWatches: Bool {
        switch self {
        case .serverName, .deviceName, .deviceLimits, .poolName, .poolLimits, .selection, .alertAnswer: true
        case .serverEndpoint, .serverAnnouncement, .deviceMembership, .deviceSource, .deviceTiming, .devicePool,
            .deviceMapping, .deviceCalibration, .poolWater, .history, .export, .alerts:
            false
        }
    }

    /// Whether a record of the kind requires it.
    var isRequired: Bool {
        switch self {
        case .serverName, .serverEndpoint, .deviceName, .deviceMembership, .deviceSource, .poolName, .poolWater: true
        case .serverAnnouncement, .deviceTiming, .deviceLimits, .devicePool, .deviceMapping, .deviceCalibration,
            .alertAnswer,
            .poolLimits, .selection, .history, .export, .alerts:
            false
        }
    }

    /// The only record of a group of preferences; nil for groups with many records.
    var onlyRecord: ConfigurationEntry.Record? {
        switch self {
        case .selection: ConfigurationEntry.selectionRecord
        case .history: ConfigurationEntry.Record(high: 0, low: 2)
        case .export: ConfigurationEntry.Record(high: 0, low: 3)
        case .alerts: ConfigurationEntry.Record(high: 0, low: 4)
        case .serverName, .serverEndpoint, .deviceName, .deviceMembership, .deviceSource, .deviceTiming,
            .deviceLimits, .devicePool, .deviceMapping, .deviceCalibration, .serverAnnouncement, .poolName,
            .poolWater, .poolLimits, .alertAnswer:
            nil
        }
    }

    init?(kind: String, group: String) {
        guard let found = Self.allCases.first(where: { $0.kind == kind && $0.group == group }) else { return nil }
        self = found
    }

    /// The entry of a group of preferences, which has only one record.
    func onlyEntry(_ fields: some Encodable) -> ConfigurationEntry {
        guard let onlyRecord else { preconditionFailure("\(self) has a record for each thing") }
        return entry(of: onlyRecord, fields: fields)
    }

    /// The entry of this group with these fields.
    func entry(of record: ConfigurationEntry.Record, fields: some Encodable) -> ConfigurationEntry {
        ConfigurationEntry(
            key: ConfigurationEntry.Key(kind: kind, record: record, group: group),
            value: CanonicalJSON.bytes(ofEncodable: fields))
    }
}
