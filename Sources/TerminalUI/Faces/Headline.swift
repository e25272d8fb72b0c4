public import PoolModel

/// The one word that a face leads with: what is known about the pool, or why nothing is.
///
/// It never says OK about values that are not fresh. A quantity that had a value once and has no fresh one counts
/// against the whole; one that never had a value is a device without that probe and does not.
public enum Headline: Hashable, Sendable {
    /// The values are fresh, and this is the worst of them.
    case judged(Status)
    /// The newest value is fresh and all that could be judged is normal, but another value is old.
    case partlyStale
    /// The newest value is older than it should be.
    case stale
    /// The newest value is too old to count.
    case offline
    /// The values are replayed ones of unknown age.
    case lastKnown
    /// The device never sent a value.
    case noReading
    /// The hub has no device, or none is selected.
    case noDevice
    /// The hub's configuration has not arrived yet.
    case waiting
    /// The hub has not answered yet, and there is nothing older to show.
    case connecting
    /// The link was lost, and there is nothing older to show.
    case linkLost
    /// The hub refused this watch, and there is nothing older to show.
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
            if let worst = glance.alarmingGauges.first { return .judged(worst.status) }
            if glance.gauges.contains(where: \.mark.isOld) {
                return glance.gauges.contains { $0.mark == .judged(.normal) } ? .partlyStale : .stale
            }
            return .judged(.normal)
        }
    }

    /// The word in full, in capitals.
    public var word: String {
        switch self {
        case .judged(let status): status.word
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

    /// The word where there is little room, of seven characters at most.
    public var shortWord: String {
        switch self {
        case .judged(.warning): "WARN"
        case .judged(.critical): "CRIT"
        case .judged(let status): status == .offline ? "OFF" : status.word
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

    /// The exit status of a command that looks once, in the order of monitoring plug-ins.
    ///
    /// 0 for normal, 1 for warning, 2 for critical, 3 for everything that cannot be called fresh.
    public var exitStatus: Int32 {
        switch self {
        case .judged(.normal): 0
        case .judged(.warning): 1
        case .judged(.critical): 2
        default: 3
        }
    }

    /// Whether the word is about values of now.
    var isFresh: Bool {
        if case .judged(let status) = self { status != .offline } else { false }
    }

    /// Whether the age of the newest value belongs beside the word.
    var hasAge: Bool {
        switch self {
        case .judged, .partlyStale, .stale, .offline: true
        default: false
        }
    }
}

extension Glance {
    fileprivate var hasValues: Bool { gauges.contains { $0.shownValue != nil } }
}
