/// The summary of a device in one word: the state of its water, or why it is unknown.
///
/// Every output of a device's state uses it: faces, sentences, lines for status bars, JSON, exit statuses, the
/// command `status`, and what other programs get over MQTT.
///
/// 1. Values that are not fresh are not judged: without any fresh one, the word says so.
/// 2. Otherwise the word is the worst of the fresh values by their limits and of the open alerts that concern the
///    device, answered or not: an open alert counts at least as a warning. This also applies while a value is back
///    inside its limit, but its alert waits for it to leave the dead band.
/// 3. A value that is not fresh, and was worse than all that, gives the word of what was: `WAS CRITICAL`. Alerts about
///    such a value count here, not in rule 2.
/// 4. Otherwise it is OK only if no quantity is missing. A quantity is missing if it had a value before and has no
///    fresh one, or if the device should send it and no usable value ever arrived. A quantity that the device does
///    not have does not count.
public enum Headline: Hashable, Sendable {
    /// The values are fresh, and this is the worst of their statuses.
    case judged(Status)
    /// The newest value is fresh, but another one is old and was worse when it was fresh: warning or critical.
    case formerly(Status)
    /// The newest value is fresh and everything that could be judged is normal, but another value is old.
    case partlyStale
    /// The newest value is older than it should be.
    case stale
    /// The newest value is too old.
    case offline
    /// The values were replayed by the broker, and their age is unknown.
    case lastKnown
    /// The device never sent a value.
    case noReading
    /// The hub has no device, or none is selected.
    case noDevice
    /// The hub's configuration has not arrived yet.
    case waiting
    /// The hub has not answered yet, and there is no older state to show.
    case connecting
    /// The link was lost, and there is no older state to show.
    case linkLost
    /// The hub refused this watch, and there is no older state to show.
    case refused
    /// This watch was never paired.
    case unpaired

    /// The headline of a glance.
    public init(_ glance: Glance) {
        if glance.link == .unpaired {
            self = .unpaired
        } else if glance.deviceName == nil || !glance.hasValues {
            self = Self.withoutValues(glance)
        } else {
            self = Self.withValues(glance)
        }
    }

    private static func withoutValues(_ glance: Glance) -> Headline {
        switch glance.link {
        case .unpaired: .unpaired
        case .connecting: .connecting
        case .lost: .linkLost
        case .refused: .refused
        case .linked where glance.deviceName != nil: .noReading
        case .linked: glance.revision == nil ? .waiting : .noDevice
        }
    }

    private static func withValues(_ glance: Glance) -> Headline {
        switch glance.freshness {
        case .never: return .noReading
        case .lastKnown: return .lastKnown
        case .offline: return .offline
        case .stale: return .stale
        case .live:
            let worst = [
                glance.alarmingGauges.first?.status,
                glance.ownAlerts.filter { !$0.isOutdated }.map(\.severity.status).max(),
                glance.deviceID.flatMap { glance.alerts.unlisted[$0] }?.status,
            ].compactMap(\.self).max()
            if let former = glance.formerlyAlarmingGauges.first?.formerAlarm, former > worst ?? .normal {
                return .formerly(former)
            }
            if let worst { return .judged(worst) }
            if glance.gauges.contains(where: \.isWanting) {
                return glance.gauges.contains { $0.mark == .judged(.normal) } ? .partlyStale : .stale
            }
            return .judged(.normal)
        }
    }

    /// The word in full, in capitals.
    public var word: String {
        switch self {
        case .judged(let status): status.word
        case .formerly(let status): "WAS \(status.word)"
        case .partlyStale: "PARTLY STALE"
        case .stale: "STALE"
        case .offline: "OFFLINE"
        case .lastKnown: "LAST KNOWN"
        case .noReading: "NO DATA"
        case .noDevice: "NO DEVICE"
        case .waiting: "WAITING"
        case .connecting: "CONNECTING"
        case .linkLost: "NO LINK"
        case .refused: "REFUSED"
        case .unpaired: "NOT PAIRED"
        }
    }

    /// The word for narrow displays, of eight characters at most.
    public var shortWord: String {
        switch self {
        case .judged(.warning): "WARN"
        case .judged(.critical): "CRIT"
        case .judged(let status): status == .offline ? "OFF" : status.word
        case .formerly(let status): status == .critical ? "WAS CRIT" : "WAS WARN"
        case .partlyStale: "PART"
        case .stale: "STALE"
        case .offline: "OFF"
        case .lastKnown: "OLD"
        case .noReading: "NO DATA"
        case .noDevice: "NONE"
        case .waiting: "WAIT"
        case .connecting: "CONN"
        case .linkLost: "NO LINK"
        case .refused: "REFUSED"
        case .unpaired: "NO HUB"
        }
    }

    /// The word for programs: `normal`, `warning`, `critical`, `stale` if some or all values are not fresh, and
    /// `offline` if there is no current value.
    public var label: String {
        switch self {
        case .judged(let status): status.rawValue
        case .formerly, .partlyStale, .stale: "stale"
        case .offline, .lastKnown, .noReading, .noDevice, .waiting, .connecting, .linkLost, .refused, .unpaired:
            Status.offline.rawValue
        }
    }

    /// All values of ``label``.
    public static let labels = [
        Status.normal.rawValue, Status.warning.rawValue, Status.critical.rawValue, "stale", Status.offline.rawValue,
    ]

    /// Whether the word describes current values.
    package var isFresh: Bool {
        if case .judged(let status) = self { status != .offline } else { false }
    }

    /// Whether the word tells what was.
    package var isFormer: Bool { if case .formerly = self { true } else { false } }

    /// Whether to show the age of the newest value with the word.
    package var hasAge: Bool {
        switch self {
        case .judged, .partlyStale, .stale, .offline: true
        // The newest value is not the one that the word is about.
        case .formerly: false
        case .lastKnown, .noReading, .noDevice, .waiting, .connecting, .linkLost, .refused, .unpaired: false
        }
    }
}

extension Glance {
    fileprivate var hasValues: Bool { gauges.contains { $0.shownValue != nil } }
}
