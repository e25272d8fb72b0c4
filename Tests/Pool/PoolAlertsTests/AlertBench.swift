import PoolSamples

@testable import PoolAlerts
@testable import PoolModel

/// An engine with a scripted store and scripted channels, and manually controlled clocks.
struct AlertBench {
    enum Answer {
        case delivered
        case failed
        case denied
        case none
    }

    var engine: AlertEngine
    var moment: AlertTime
    var stored: [AlertKey: AlertRecord] = [:]
    /// Each delivery of a notice, with its channels.
    var sent: [(notice: AlertNotice, channels: [AlertChannel])] = []
    var asked: [AlertChannel] = []
    /// When each notice first reached somebody, by the monotonic clock, in the order of time.
    var lastDelivered: [(notice: AlertNotice, uptime: Int64)] = []
    var writes: [(key: AlertKey, ticket: UInt64)] = []
    var answer = Answer.delivered
    var persists = true
    private var fed: [String: AlertSample] = [:]
    private var limits: [String: Limits] = [:]

    /// Creates a bench; by default all channels are permitted.
    init(
        _ settings: AlertSettings = AlertSettings(),
        authorizations: [AlertChannel: AlertAuthorization] = [
            .desktop: .granted, .watchUserInfo: .granted, .watchComplication: .granted,
        ]
    ) {
        moment = AlertTime(wall: noon, uptimeMilliseconds: 1_000_000, bootID: 7)
        engine = AlertEngine(settings: settings, authorizations: authorizations, at: moment)
    }

    /// The notices that were sent, each once.
    private(set) var notices: [AlertNotice] = []
    private var seen: Set<String> = []

    var kinds: [AlertNotice.Kind] { notices.map(\.kind) }

    mutating func put(_ input: AlertInput) {
        engine.handle(input, at: moment)
        drain()
    }

    /// Lets time pass, and calls the engine at each of its deadlines.
    mutating func wait(_ milliseconds: Int64) {
        let end = moment.uptimeMilliseconds + milliseconds
        while let due = engine.nextDeadline, due <= end {
            advance(to: max(due, moment.uptimeMilliseconds))
            put(.timePassed)
        }
        advance(to: end)
    }

    private mutating func advance(to uptime: Int64) {
        moment.wall = moment.wall.advanced(byMilliseconds: uptime - moment.uptimeMilliseconds)
        moment.uptimeMilliseconds = uptime
    }

    mutating func value(
        _ value: Double, _ quantity: Quantity = .ph, standing: AlertSample.Standing = .live, device: UInt64 = 1,
        sampledAt: Timestamp? = nil
    ) {
        let sample = AlertSample(
            deviceID: deviceID(device), deviceName: "Lagoon", quantity: quantity, value: value,
            limits: limits["\(device)\(quantity)"] ?? quantity.facts.limits, sampledAt: sampledAt ?? moment.wall,
            standing: standing)
        if [.live, .late, .backlog].contains(standing) { fed["\(device)\(quantity)"] = sample }
        put(.value(sample))
    }

    /// Changes the limits for a quantity of a device.
    mutating func change(_ limits: Limits, _ quantity: Quantity, device: UInt64) {
        self.limits["\(device)\(quantity)"] = limits
        fed["\(device)\(quantity)"]?.limits = limits
        put(.limitsChanged(deviceID(device), quantity, limits))
    }

    /// Passes in several values, a minute apart.
    mutating func values(_ values: [Double], _ quantity: Quantity = .ph) {
        for value in values {
            self.value(value, quantity)
            wait(60_000)
        }
    }

    /// Restarts the engine from its stored records, and passes in the newest values again.
    mutating func restart(bootID: UInt64? = nil) throws {
        if let bootID {
            moment.bootID = bootID
            moment.uptimeMilliseconds = 500
        }
        let records = try stored.values.sorted { $0.key < $1.key }.map { record in
            try CanonicalJSON.decode(AlertRecord.self, from: CanonicalJSON.encode(record))
        }
        engine = AlertEngine(
            records: records, settings: engine.settings, authorizations: engine.authorizations, at: moment)
        drain()
        for name in fed.keys.sorted() {
            guard var sample = fed[name] else { continue }
            sample.standing = .known
            put(.value(sample))
        }
    }

    /// Reports every unanswered write as failed.
    mutating func failWrites() {
        let open = writes
        writes = []
        for write in open { put(.persistFailed(write.key, ticket: write.ticket)) }
    }

    mutating func drain() {
        while let output = engine.nextOutput() {
            switch output {
            case .persist(let record, let ticket):
                writes.append((record.key, ticket))
                guard persists else { continue }
                stored[record.key] = record
                engine.handle(.persisted(record.key, ticket: ticket), at: moment)
            case .forget(let key): stored[key] = nil
            case .send(let notice, let channels):
                sent.append((notice, channels))
                if seen.insert(notice.id).inserted { notices.append(notice) }
                for channel in channels { reply(notice, channel) }
            case .askAuthorization(let channel): asked.append(channel)
            }
        }
    }

    private mutating func reply(_ notice: AlertNotice, _ channel: AlertChannel) {
        switch answer {
        case .delivered:
            if channel != .watchComplication, !lastDelivered.contains(where: { $0.notice.id == notice.id }) {
                lastDelivered.append((notice, moment.uptimeMilliseconds))
            }
            engine.handle(.delivered(notice.id, channel), at: moment)
        case .failed: engine.handle(.failed(notice.id, channel), at: moment)
        case .denied: engine.handle(.denied(notice.id, channel), at: moment)
        case .none: break
        }
    }
}
