public import PoolModel

/// Decides who is told what about the pool, and when.
///
/// It is a value without clocks, files or connections: each input comes with its moment, and after each the outputs are
/// taken with ``nextOutput()`` until no more come. Nothing leaves before it is durable: a notice is sent after
/// ``AlertInput/persisted(_:ticket:)``. Only where the store fails is it told from memory: then it may be told once
/// more, by another id, after a restart. After a restart an engine made of the stored records goes on where the old one
/// stopped, once the newest value of each quantity, every lost connection and every missing device are put in again.
public struct AlertEngine: Sendable {
    /// A line with what need not outlive the process.
    struct Running: Sendable {
        var line: AlertKeyState
        /// What the store was last told to hold.
        var written: AlertKeyState?
        var ticket: UInt64 = 0
        /// The write that first held a notice, by notice; absent once it is durable.
        var unwritten: [AlertNotice.ID: UInt64] = [:]
        /// The deliveries under way, tried again, or waiting.
        var attempts: [Attempt.Key: Attempt] = [:]
        /// Notices that left.
        var left: Set<AlertNotice.ID> = []
        /// Until when old samples may follow.
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
        var isOut = false
        var retryAt: Int64?
    }

    struct Subject: Hashable, Sendable {
        var deviceID: DeviceID
        var quantity: Quantity
    }

    /// How long after an old sample the next one is waited for.
    static let settlingMilliseconds: Int64 = 5000
    /// The time within which a third recovery makes a condition flap.
    static let flapWindowMilliseconds: Int64 = 1_800_000
    /// How long the hub must not fail again before its trouble is over.
    static let hubCalmMilliseconds: Int64 = 60_000
    /// How long a write that failed waits.
    static let rewriteMilliseconds: Int64 = 5000
    /// How long an alert that reached nobody waits.
    static let pauseMilliseconds: Int64 = 300_000
    /// The most deliveries of a notice over a channel.
    static let attemptMax = 8

    /// The settings in force.
    public internal(set) var settings: AlertSettings
    /// What is known of the channels' permissions.
    public internal(set) var authorizations: [AlertChannel: AlertAuthorization]
    /// The conditions that found no room because ``AlertRecord/countMax`` others are remembered.
    public internal(set) var refusedCount: UInt64 = 0

    var runs: [AlertKey: Running] = [:]
    var newest: [Subject: AlertSample] = [:]
    var touched: Set<AlertKey> = []
    var moment: AlertMoment
    var now: Int64
    private var clock: SteadyClock
    private var outputs: [AlertOutput] = []
    private var nextIndex = 0
    private var asked: Set<AlertChannel> = []
    /// No line wakes before this; most inputs need not look at every line.
    private var earliestWake = Int64.max

    /// Creates an engine that goes on from stored records; of several of a key the last one counts.
    ///
    /// - Parameters:
    ///   - records: What ``AlertOutput/persist(_:ticket:)`` stored.
    ///   - settings: The settings; they are valid.
    ///   - authorizations: What is known of the channels; absent ones are `AlertChannel.initialAuthorization`.
    ///   - moment: The moment.
    public init(
        records: [AlertRecord] = [], settings: AlertSettings = AlertSettings(),
        authorizations: [AlertChannel: AlertAuthorization] = [:], at moment: AlertMoment
    ) {
        self.settings = settings
        self.authorizations = authorizations
        self.moment = moment
        clock = SteadyClock(resuming: records.map(\.anchor), at: moment)
        now = clock.anchor.steady
        for record in records.prefix(AlertRecord.countMax) {
            var run = Running(line: Self.sane(record.line, at: now), written: record.line)
            if record.line.episode?.isLate == true { run.settlesAt = now + Self.settlingMilliseconds }
            runs[record.key] = run
            touched.insert(record.key)
        }
        settleTouched()
    }

    /// A stored line whose waits are no longer than they can be, whatever the record says.
    private static func sane(_ line: AlertKeyState, at now: Int64) -> AlertKeyState {
        var line = line
        line.lastTurn = min(line.lastTurn, now)
        if let start = line.trial?.start { line.trial?.start = min(start, now) }
        if let start = line.calm?.start { line.calm?.start = min(start, now) }
        if let start = line.eased?.start { line.eased?.start = min(start, now) }
        if let heardAt = line.episode?.heardAt { line.episode?.heardAt = min(heardAt, now) }
        if let until = line.episode?.pausedUntil { line.episode?.pausedUntil = min(until, now + pauseMilliseconds) }
        if let until = line.episode?.snooze?.until { line.episode?.snooze?.until = min(until, now + 604_800_000) }
        return line
    }

    /// Takes an input; its outputs wait for ``nextOutput()``.
    public mutating func handle(_ input: AlertInput, at moment: AlertMoment) {
        // Quiet hours end by the wall clock: anybody who waits for them must look again when it jumps.
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

    /// The next thing to do, or nil until the next input.
    public mutating func nextOutput() -> AlertOutput? {
        guard nextIndex < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            nextIndex = 0
            return nil
        }
        defer { nextIndex += 1 }
        return outputs[nextIndex]
    }

    /// When to say ``AlertInput/timePassed``, by the monotonic clock in milliseconds; nil if only another input can
    /// change anything.
    public var nextDeadline: Int64? {
        runs.values.compactMap(\.wakeAt).min().map { wake in
            clock.anchor.uptime + max(0, wake - now)
        }
    }

    /// The channels that are switched on and permitted.
    var openChannels: [AlertChannel] {
        settings.channels.enabled.filter { authorization(of: $0) == .granted }
    }

    func authorization(of channel: AlertChannel) -> AlertAuthorization {
        authorizations[channel] ?? channel.initialAuthorization
    }

    mutating func emit(_ output: AlertOutput) { outputs.append(output) }

    /// Asks for the channels of which nobody knows whether they are permitted.
    mutating func askForChannels() {
        for channel in settings.channels.enabled where authorization(of: channel) == .unknown {
            if asked.insert(channel).inserted { emit(.askAuthorization(channel)) }
        }
    }

    /// The line of a key, made if need be; nil where there is no room.
    mutating func run(_ key: AlertKey, name: String) -> Running? {
        if let run = runs[key] { return run }
        guard runs.count < AlertRecord.countMax else {
            refusedCount += 1
            return nil
        }
        return Running(line: AlertKeyState(key: key, name: name.bounded))
    }

    /// Puts a line back, unless it holds nothing and never did.
    mutating func put(_ run: Running) {
        let key = run.line.key
        guard runs[key] != nil || !run.line.isBlank else { return }
        runs[key] = run
        touched.insert(key)
    }

    /// Brings every touched line to rest, in the order of the keys, and stores what changed.
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
    /// At most 256 bytes of it, whole characters.
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
