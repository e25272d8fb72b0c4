import PoolControl
import PoolHub
import PoolModel

/// Texts in a hub's output that a demo waits for.
enum HubOutputMarkers {
    static let listening = "listening on "
}

extension HubEvent {
    /// The event as text for a person; nil for readings, which are summarised.
    var line: String? {
        if case .reading = self { return nil }
        return words
    }

    /// Whether a person should see the event even if nothing else is shown.
    var needsAttention: Bool {
        switch self {
        case .server(_, let state): !state.isConnected && state.phase != .connecting || state.storeTrouble != nil
        case .declined, .conflict, .notice, .alert: true
        case .shared(let file): file.outcome != .arrived
        case .listening, .reading, .paired, .linked, .unlinked, .configured, .dosed: false
        }
    }

    /// Whether the hub may wait for another thing after the event.
    var mayChangeWhatIsWaitedFor: Bool {
        switch self {
        case .listening, .paired, .linked, .unlinked, .configured: true
        case .server, .reading, .declined, .conflict, .notice, .shared, .dosed, .alert: false
        }
    }
}

/// An event as JSON: `event` says what, `at` when, the rest depends on it.
struct HubEventRecord: Encodable {
    var event: String
    var at: Timestamp
    var endpoint: String?
    var server: String?
    var isConnected: Bool?
    var state: String?
    var device: String?
    var readings: DeviceReadings?
    var watch: String?
    var reason: String?
    var revision: UInt64?
    var conflict: ConflictSummary?
    var alert: AlertNotice?
    var file: SharedFile?
    var dose: Dose?
    var text: String?

    /// The end of the hub, which is the last record.
    static func stopped(at moment: Timestamp) -> HubEventRecord { HubEventRecord(event: "stopped", at: moment) }

    private init(event: String, at moment: Timestamp) {
        self.event = event
        at = moment
    }

    init(_ event: HubEvent, at moment: Timestamp) {
        at = moment
        switch event {
        case .listening(let endpoint):
            self.event = "listening"
            self.endpoint = endpoint
        case .server(let name, let state):
            self.event = "server"
            server = name
            isConnected = state.isConnected
            self.state = "\(state)"
        case .reading(let device, let readings):
            self.event = "reading"
            self.device = device
            self.readings = readings
        case .paired(let watch):
            self.event = "paired"
            self.watch = watch
        case .linked(let watch):
            self.event = "linked"
            self.watch = watch
        case .unlinked(let watch, let reason):
            self.event = "unlinked"
            self.watch = watch
            self.reason = reason
        case .declined(let reason):
            self.event = "declined"
            self.reason = reason
        case .configured(let revision):
            self.event = "configured"
            self.revision = revision
        case .conflict(let note):
            self.event = "conflict"
            conflict = note
        case .shared(let file):
            self.event = "shared"
            self.file = file
            watch = file.watch
            text = file.words
        case .dosed(let dose, _):
            self.event = "dose"
            self.dose = dose
            text = event.words
        case .alert(let notice):
            self.event = "alert"
            alert = notice
            text = notice.text
        case .notice(let sentence):
            self.event = "notice"
            text = sentence
        }
    }
}

/// Summarises readings, so that a person can follow any number of them.
struct ReadingDigest {
    private struct Sum {
        var count = 0
        var newest: DeviceReadings
    }

    private var order: [String] = []
    private var sums: [String: Sum] = [:]

    /// Counts a reading of a device.
    mutating func add(_ readings: DeviceReadings, of device: String) {
        if sums[device] == nil { order.append(device) }
        sums[device, default: Sum(newest: readings)].count += 1
        sums[device]?.newest = readings
    }

    /// One line for each device with readings since the last call, in the order of their first readings.
    mutating func takeLines() -> [String] {
        defer {
            order = []
            sums = [:]
        }
        return order.compactMap { device in
            guard let sum = sums[device] else { return nil }
            let values = sum.newest.values.pairs.map { quantity, latest in
                "\(quantity.name) \(quantity.textWithUnit(latest.value))\(latest.isLastKnown ? " (last known)" : "")"
            }
            let count = sum.count > 1 ? "  (\(sum.count) readings)" : ""
            return "\(device): \(values.joined(separator: ", "))\(count)"
        }
    }
}
