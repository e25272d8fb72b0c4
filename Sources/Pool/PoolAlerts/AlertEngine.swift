public import PoolModel

/// Decides which alerts about the pool are notified, over which channels and when.
///
/// It is a value without clocks, files or connections. Each input comes with its time; after each input, drain the
/// outputs with ``nextOutput()``. A notice is sent only after its record is durable, see
/// ``AlertInput/persisted(_:ticket:)``. Only if the store fails, it is sent from memory; it may then be sent again
/// after a restart, with another id. After a restart, an engine created from the stored records continues where the
/// old one stopped, once the newest value of each quantity, every lost connection and every missing device have been
/// passed in again.
public struct AlertEngine: Sendable {
    /// The state of a key, with data that is not stored.
    struct Running: Sendable {
        var line: AlertKeyState
        /// The state that was last passed to the store.
        var written: AlertKeyState?
        var ticket: UInt64 = 0
        /// The write that first contained a notice, by notice; absent once it is durable.
        var unwritten: [AlertNotice.ID: UInt64] = [:]
        /// The attempts of deliveries that are in progress or waiting.
        var attempts: [Attempt.Key: Attempt] = [:]
        /// The notices that were sent to a channel.
        var left: Set<AlertNotice.ID> = []
        /// Until when more old samples may follow.
        var settlesAt: Int64?
        var rewriteAt: Int64?
        var wakeAt: Int64?
    }

    struct Attempt: Sendable {
        struct Key: Hashable, Sendable {
            var notice: AlertNotice.ID
            var channel: AlertChannel
        }

        var count = 0
        var isInProgress = false
        var retryAt: Int64?
    }

    struct Subject: Hashable, Sendable {
        var deviceID: DeviceID
        var quantity: Quantity
    }

    /// How long the engine waits for another old sample.
    static let settlingMilliseconds: Int64 = 5000
    /// The time within which a third recovery counts as flapping.
    static let flapWindowMilliseconds: Int64 = 1_800_000
    /// How long the hub must work again before its alert ends.
    static let hubRecoveryMilliseconds: Int64 = 60_000
    /// The pause before a failed write is repeated.
    static let rewriteMilliseconds: Int64 = 5000
    /// The pause before an alert that reached nobody is repeated.
    static let pauseMilliseconds: Int64 = 300_000
    /// The most delivery attempts of a notice over a channel.
    static let attemptMax = 8

    /// The present settings.
    public internal(set) var settings: AlertSettings
    /// The known permissions of the channels.
    public internal(set) var authorizations: [AlertChannel: AlertAuthorization]
    /// The number of conditions that were refused because ``AlertRecord/countMax`` others are remembered.
    public internal(set) var refusedCount: UInt64 = 0

    var runs: [AlertKey: Running] = [:]
    var newest: [Subject: AlertSample] = [:]
    var touched: Set<AlertKey> = []
    var moment: AlertMoment
    var now: Int64
    private var clock: EngineClock
    private var outputs: [AlertOutput] = []
    private var nextIndex = 0
    private var asked: Set<AlertChannel> = []
    /// No key wakes before this time, so most inputs need not check every key.
    private var earliestWake = Int64.max

    /// Creates an engine that continues from stored records; of several with the same key, the last one counts.
    ///
    /// - Parameters:
    ///   - records: The records from ``AlertOutput/persist(_:ticket:)``.
    ///   - settings: The settings, which must be valid.
    ///   - authorizations: The known permissions; the default of a channel is `AlertChannel.initialAuthorization`.
    ///   - moment: The time.
    public init(
        records: [AlertRecord] = [], settings: AlertSettings = AlertSettings(),
        authorizations: [AlertChannel: AlertAuthorization] = [:], at moment: AlertMoment
    ) {
        self.settings = settings
        self.authorizations = authorizations
        self.moment = moment
        clock = EngineClock(resuming: records.map(\.anchor), at: moment)
        now = clock.anchor.steady
        for record in records.prefix(AlertRecord.countMax) {
            var run = Running(line: Self.clamped(record.line, at: now), written: record.line)
            if record.line.episode?.isLate == true { run.settlesAt = now + Self.settlingMilliseconds }
            runs[record.key] = run
            touched.insert(record.key)
        }
        settleTouched()
    }

    /// A stored state in which no wait is longer than possible, whatever the record contains.
    private static func clamped(_ line: AlertKeyState, at now: Int64) -> AlertKeyState {
        var line = line
        line.lastTurn = min(line.lastTurn, now)
        if let start = line.candidate?.start { line.candidate?.start = min(start, now) }
        if let start = line.recovery?.start { line.recovery?.start = min(start, now) }
        if let start = line.deescalation?.start { line.deescalation?.start = min(start, now) }
        if let lastDeliveredAt = line.episode?.lastDeliveredAt {
            line.episode?.lastDeliveredAt = min(lastDeliveredAt, now)
        }
        if let until = line.episode?.pausedUntil { line.episode?.pausedUntil = min(until, now + pauseMilliseconds) }
        if let until = line.episode?.snooze?.until { line.episode?.snooze?.until = min(until, now + 604_800_000) }
        return line
    }

    /// Handles an input; then drain ``nextOutput()``.
    public mutating func handle(_ input: AlertInput, at moment: AlertMoment) {
        // Quiet hours end by the wall clock, so a jump of that clock requires another check.
        let jump = moment.wall.milliseconds(since: self.moment.wall).subtractingReportingOverflow(
            Timestamp(milliseconds: moment.uptimeMilliseconds)
                .milliseconds(since: Timestamp(milliseconds: self.moment.uptimeMilliseconds)))
        let hasJumped = jump.overflow || jump.partialValue.magnitude > 1000
        if settings.quietHours != nil, hasJumped || moment.utcOffsetSeconds != self.moment.utcOffsetSeconds {
            touched.formUnion(runs.keys)
        }
        self.moment = moment
        now = clock.advance(to: moment)
        take(input)
        if earliestWake <= now {
            touched.formUnion(runs.filter { ($0.value.wakeAt ?? .max) <= now }.keys)
            earliestWake = runs.values.lazy.compactMap(\.wakeAt).filter { [now] in $0 > now }.min() ?? .max
        }
        settleTouched()
    }

    /// The next output; nil until the next input.
    public mutating func nextOutput() -> AlertOutput? {
        guard nextIndex < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            nextIndex = 0
            return nil
        }
        defer { nextIndex += 1 }
        return outputs[nextIndex]
    }

    /// When to call with ``AlertInput/timePassed``, on the monotonic clock in milliseconds; nil if only another input
    /// can change anything.
    public var nextDeadline: Int64? {
        runs.values.compactMap(\.wakeAt).min().map { wake in
            clock.anchor.uptime + max(0, wake - now)
        }
    }

    /// The channels that are enabled and permitted.
    var openChannels: [AlertChannel] {
        settings.channels.enabled.filter { authorization(of: $0) == .granted }
    }

    func authorization(of channel: AlertChannel) -> AlertAuthorization {
        authorizations[channel] ?? channel.initialAuthorization
    }

    mutating func emit(_ output: AlertOutput) { outputs.append(output) }

    /// Asks for the permissions that are unknown.
    mutating func askForChannels() {
        for channel in settings.channels.enabled where authorization(of: channel) == .unknown {
            if asked.insert(channel).inserted { emit(.askAuthorization(channel)) }
        }
    }

    /// The state of a key, created if necessary; nil if there is no room.
    mutating func run(_ key: AlertKey, name: String) -> Running? {
        if let run = runs[key] { return run }
        guard runs.count < AlertRecord.countMax else {
            refusedCount += 1
            return nil
        }
        return Running(line: AlertKeyState(key: key, name: name.bounded))
    }

    /// Stores the state of a key, unless it is empty and always was.
    mutating func put(_ run: Running) {
        let key = run.line.key
        guard runs[key] != nil || !run.line.isBlank else { return }
        runs[key] = run
        touched.insert(key)
    }

    /// Completes the processing of every changed key, in the order of the keys, and stores the changes.
    private mutating func settleTouched() {
        for key in touched.sorted() {
            guard var run = runs[key] else { continue }
            settle(&run)
            earliestWake = min(earliestWake, run.wakeAt ?? .max)
            runs[key] = run
            store(key)
        }
        touched = []
    }

    private mutating func store(_ key: AlertKey) {
        guard var run = runs[key] else { return }
        if run.line.isBlank {
            runs[key] = nil
            if run.written != nil || run.ticket > 0 { emit(.forget(key)) }
            return
        }
        if run.line != run.written, run.rewriteAt == nil {
            run.ticket += 1
            run.written = run.line
            for delivery in run.line.outbox where !run.left.contains(delivery.notice.id) {
                run.unwritten[delivery.notice.id] = run.unwritten[delivery.notice.id] ?? run.ticket
            }
            emit(.persist(AlertRecord(line: run.line, anchor: clock.anchor), ticket: run.ticket))
        }
        runs[key] = run
    }
}

extension String {
    /// The text, shortened to at most 256 bytes of whole characters.
    var bounded: String {
        guard utf8.count > 256 else { return self }
        var result = ""
        for character in self {
            guard result.utf8.count + character.utf8.count <= 256 else { break }
            result.append(character)
        }
        return result
    }
}
