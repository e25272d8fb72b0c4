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
    private var context: AlertContext
    private var runs = AlertRuns()
    private var newest = NewestSamples()
    private var clock: EngineClock
    private var outputs: [AlertOutput] = []
    private var nextIndex = 0
    private var asked: Set<AlertChannel> = []

    /// Creates an engine that continues from stored records; of several with the same key, the last one counts.
    ///
    /// - Parameters:
    ///   - records: The records from ``AlertOutput/persist(_:ticket:)``.
    ///   - settings: The settings, which must be valid.
    ///   - authorizations: The known permissions; the default of a channel is `AlertChannel.initialAuthorization`.
    ///   - moment: The time.
    public init(
        records: [AlertRecord] = [], settings: AlertSettings = AlertSettings(),
        authorizations: [AlertChannel: AlertAuthorization] = [:], at moment: AlertTime
    ) {
        clock = EngineClock(resuming: records.map(\.anchor), at: moment)
        context = AlertContext(
            settings: settings, authorizations: authorizations, moment: moment, now: clock.anchor.steady)
        for record in records.prefix(AlertRecord.countMax) { runs.restore(AlertRun(record, at: context.now)) }
        settleTouched()
    }

    // MARK: State

    /// The present settings.
    public var settings: AlertSettings { context.settings }

    /// The known permissions of the channels.
    public var authorizations: [AlertChannel: AlertAuthorization] { context.authorizations }

    /// The number of conditions that were refused because ``AlertRecord/countMax`` others are remembered.
    public var refusedCount: UInt64 { runs.refusedCount }

    /// When to call with ``AlertInput/timePassed``, on the monotonic clock in milliseconds; nil if only another input
    /// can change anything.
    public var nextDeadline: Int64? {
        runs.nextWake.map { clock.anchor.uptime + max(0, $0 - context.now) }
    }

    /// When a value of an open alert stops being fresh, on the monotonic clock in milliseconds; nil if none does.
    ///
    /// Only ``open`` changes then, not what is decided.
    public var nextOutdating: Int64? {
        let wall = context.moment.wall
        let ends = runs.open.compactMap { run -> Int64? in
            guard let sample = newest.sample(of: run.state.key),
                sample.isFresh(at: wall)
            else { return nil }
            return sample.freshUntil.milliseconds(since: wall) + 1
        }
        return ends.min().map { context.moment.uptimeMilliseconds + $0 }
    }

    /// The open alerts at the time of the last input, including those that nobody was notified of.
    public var state: AlertState { AlertState(open) }

    /// A number that increases whenever ``open`` may have changed other than by ``nextOutdating`` and by time that runs
    /// along a snooze.
    public var openChangeCount: UInt64 { runs.openChangeCount }

    /// All open alerts at the time of the last input, without a limit, in the order of their keys.
    ///
    /// - Complexity: O(*n* log *n*) in the number of open alerts, so ask only when ``openChangeCount`` has increased or
    ///   ``nextOutdating`` has come.
    public var open: [AlertState.Alert] {
        let alerts = runs.open.compactMap { run -> AlertState.Alert? in
            let key = run.state.key
            guard let episode = run.state.episode else { return nil }
            let sample = newest.sample(of: key)
            let measured = episode.measured(key, sample, context)
            let snooze = episode.snooze.map {
                context.moment.wall.advanced(byMilliseconds: max(0, $0.until - context.now))
            }
            return AlertState.Alert(
                episodeID: episode.id, key: key, name: run.state.name, severity: episode.severity,
                since: episode.since, value: measured.value, limit: measured.limit, normal: measured.normal,
                release: measured.release,
                measuredAt: sample.flatMap { $0.isFresh(at: context.moment.wall) ? nil : $0.sampledAt },
                isAcknowledged: episode.isAcknowledged, snoozedUntil: snooze)
        }
        return alerts.map { (alert: $0, text: $0.key.text) }.sorted { $0.text < $1.text }.map(\.alert)
    }

    // MARK: Inputs and outputs

    /// Handles an input; then drain ``nextOutput()``.
    public mutating func handle(_ input: AlertInput, at moment: AlertTime) {
        let before = context.moment
        // Quiet hours end by the wall clock, so a jump of that clock requires another check.
        let jump = moment.wall.milliseconds(since: before.wall).subtractingReportingOverflow(
            Timestamp(milliseconds: moment.uptimeMilliseconds)
                .milliseconds(since: Timestamp(milliseconds: before.uptimeMilliseconds)))
        let hasJumped = jump.overflow || jump.partialValue.magnitude > 1000
        // What is fresh depends on the wall clock, too.
        if hasJumped { runs.noteChange(of: nil) }
        if settings.quietHours != nil, hasJumped || moment.utcOffsetSeconds != before.utcOffsetSeconds { runs.touch() }
        context.moment = moment
        context.now = clock.advance(to: moment)
        take(input)
        runs.wake(at: context.now)
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

    private mutating func take(_ input: AlertInput) {
        switch input {
        case .value(let sample): take(sample)
        case .unreadable(let device, let quantity, let name): raiseFaultScore(.fault(device, quantity), name: name)
        case .missing(let device, let quantity, let name, let server, let reason):
            begin(.missing(device, quantity), name: name, server: server, reason: reason)
        case .back(let device, let quantity): end(.missing(device, quantity))
        case .connectionLost(let server, let name): begin(.connection(server), name: name)
        case .connectionRestored(let server):
            end(.connection(server))
            restartDelays { $0.serverID == server && $0.key.condition == .missing }
        case .hubFailed(let part, let reason): begin(.hub(part), name: "Hub", detail: reason)
        case .hubRestored(let part):
            end(.hub(part))
            restartDelays { $0.key.condition == .missing || $0.key.condition == .connection }
        case .limitsChanged(let device, let quantity, let limits): change(limits, device, quantity)
        case .settingsChanged(let settings): change(settings)
        case .deviceRemoved(let device):
            newest.remove(device)
            drop { $0.deviceID == device }
        case .serverRemoved(let server): drop { $0 == .connection(server) }
        case .deviceRenamed(let device, let name):
            newest.rename(device, name)
            rename(name) { $0.deviceID == device }
        case .serverRenamed(let server, let name): rename(name) { $0 == .connection(server) }
        case .acknowledge(let id):
            change(id) { episode in
                episode.isAcknowledged = true
                episode.snooze = nil
            }
        case .snooze(let id, let seconds):
            let until = context.now + Int64(min(max(1, seconds), 604_800)) * 1000
            change(id) { episode in
                episode.snooze = AlertEpisode.Snooze(until: until, severity: episode.severity)
                episode.isAcknowledged = false
            }
        case .authorization(let channel, let state): authorize(channel, state)
        case .delivered(let id, let channel): endDelivery(id, channel, .delivered)
        case .failed(let id, let channel, let seconds):
            endDelivery(id, channel, .failed(retryAfterSeconds: seconds))
        case .refused(let id, let channel): endDelivery(id, channel, .refused)
        case .denied(let id, let channel):
            authorize(channel, .denied)
            endDelivery(id, channel, .denied)
        case .test: test()
        case .persisted(let key, let ticket): change(key) { $0.finishWrite(ticket) }
        case .persistFailed(let key, let ticket): change(key) { [now = context.now] in $0.failWrite(ticket, at: now) }
        case .timePassed: break
        }
    }

    /// Changes the state of a key, if there is one and the body returns true.
    private mutating func change(_ key: AlertKey, _ body: (inout AlertRun) -> Bool) {
        guard var run = runs[key], body(&run) else { return }
        runs.put(run)
    }

    // MARK: Values

    private mutating func take(_ sample: AlertSample) {
        let fault = AlertKey.fault(sample.deviceID, sample.quantity)
        guard sample.value.isFinite else { return raiseFaultScore(fault, name: sample.deviceName) }
        switch sample.standing {
        case .outOfOrder, .retained: return
        case .quarantined:
            end(.missing(sample.deviceID, nil))
            raiseFaultScore(fault, name: sample.deviceName, detail: sample.detail)
            return
        case .live:
            end(.missing(sample.deviceID, nil))
            end(.missing(sample.deviceID, sample.quantity))
        case .known where !sample.isFresh(at: context.moment.wall):
            // It was judged when it was fresh; limits that changed since do not judge it.
            _ = replace(with: sample)
            return
        case .late, .backlog, .known: break
        }
        if sample.standing != .known {
            for key in [fault, .fault(sample.deviceID, nil)] {
                change(key) { [context] in $0.state.lowerFaultScore(sample, context) }
            }
        }
        evaluate(sample)
    }

    /// Compares a sample with the limits on both sides.
    private mutating func evaluate(_ sample: AlertSample) {
        guard sample.limits.isOrdered else { return }
        let previous = replace(with: sample)
        for side in [Limits.Deviation.low, .high] {
            let key = AlertKey.value(sample.deviceID, sample.quantity, side)
            guard settings.wants(key), var run = runs.run(key, name: sample.deviceName) else { continue }
            let judge = ValueJudge(sample: sample, side: side, context: context)
            if run.judge(judge, after: previous) { runs.put(run) }
        }
    }

    /// Keeps a sample as the newest one, and returns the one before it.
    private mutating func replace(with sample: AlertSample) -> AlertSample? {
        runs.noteChange(
            of: [Limits.Deviation.low, .high].map { .value(sample.deviceID, sample.quantity, $0) })
        return newest.replace(with: sample)
    }

    /// Judges a sample again because the limits or the settings changed; it needs no confirmation.
    ///
    /// A sample that is not fresh is left alone: it would be judged as if the water were still like that.
    private mutating func reevaluate(_ sample: AlertSample, hysteresis: Double?, mayOpen: Bool) {
        guard runs[.missing(sample.deviceID, nil)]?.state.isOn != true, sample.isFresh(at: context.moment.wall) else {
            return
        }
        for side in [Limits.Deviation.low, .high] {
            let key = AlertKey.value(sample.deviceID, sample.quantity, side)
            guard settings.wants(key), var run = runs.run(key, name: sample.deviceName), !run.state.isDoubtful else {
                continue
            }
            ValueJudge(sample: sample, side: side, context: context)
                .judgeAgain(&run, hysteresis: hysteresis, mayOpen: mayOpen)
            runs.put(run)
        }
    }

    // MARK: Conditions

    private mutating func begin(
        _ key: AlertKey, name: String, server: ServerID? = nil, reason: MissingReason? = nil, detail: String? = nil
    ) {
        guard var run = runs.run(key, name: name) else { return }
        run.state.begin(name: name, server: server, reason: reason, detail: detail, context)
        runs.put(run)
    }

    private mutating func end(_ key: AlertKey) {
        guard var run = runs[key], run.state.isOn else { return }
        run.state.end(context)
        runs.put(run)
        if let device = key.deviceID { runs.touch { $0.deviceID == device } }
    }

    private mutating func raiseFaultScore(_ key: AlertKey, name: String, detail: String? = nil) {
        guard settings.wants(key), var run = runs.run(key, name: name) else { return }
        run.state.raiseFaultScore(name: name, detail: detail, context)
        runs.put(run)
    }

    /// Lets the full delay of conditions start now, because nothing could be received before.
    private mutating func restartDelays(where isAffected: (AlertKeyState) -> Bool) {
        for var run in Array(runs.all) where isAffected(run.state) {
            if run.state.episode == nil { run.state.candidate?.start = context.now }
            runs.put(run)
        }
    }

    // MARK: Changes by people

    private mutating func change(_ id: AlertEpisodeID, _ body: (inout AlertEpisode) -> Void) {
        // An answer to an earlier episode must not silence the next one.
        guard var run = runs.all.first(where: { $0.state.episode?.id == id }), var episode = run.state.episode else {
            return
        }
        body(&episode)
        run.state.episode = episode
        runs.put(run)
    }

    private mutating func authorize(_ channel: AlertChannel, _ state: AlertAuthorization) {
        context.authorizations[channel] = state
        runs.touch()
    }

    private mutating func change(_ settings: AlertSettings) {
        let old = self.settings
        context.settings = settings
        runs.noteChange(of: nil)
        runs.touch()
        for sample in newest.all {
            let key = AlertKey.value(sample.deviceID, sample.quantity, .low)
            guard settings.wants(key) else { continue }
            let isNew = !old.wants(key)
            let hasMoved = old.hysteresis[sample.quantity] != settings.hysteresis[sample.quantity]
            if isNew || hasMoved { reevaluate(sample, hysteresis: nil, mayOpen: isNew) }
        }
    }

    private mutating func change(_ limits: Limits, _ device: DeviceID, _ quantity: Quantity) {
        guard limits.isOrdered, let sample = newest.change(limits, device, quantity) else { return }
        runs.noteChange(of: nil)
        // A person changed the limits; the dead band only applies to noise.
        reevaluate(sample, hysteresis: 0, mayOpen: true)
    }

    /// Gives alerts the present name of what they are about.
    private mutating func rename(_ name: String, where isAffected: (AlertKey) -> Bool) {
        for var run in Array(runs.all) where isAffected(run.state.key) && run.state.name != name.bounded {
            run.state.name = name.bounded
            runs.put(run)
        }
    }

    private mutating func drop(_ isGone: (AlertKey) -> Bool) {
        for run in runs.removeAll(where: isGone) where run.hasRecord { outputs.append(.forget(run.state.key)) }
    }

    private mutating func test() {
        guard var run = runs.run(.test, name: "Test") else { return }
        emit(context.unknownChannels.map { .askAuthorization($0) })
        let channels = context.openChannels.filter { $0 != .watchComplication }
        guard !channels.isEmpty else { return }
        run.state.episodeCount += 1
        let id = context.episodeID(.test, run.state.episodeCount)
        let wall = context.moment.wall
        let notice = AlertNotice(
            id: "\(id)/1", episodeID: id, key: .test, kind: .test, severity: .warning, name: "Test", since: wall,
            at: wall, repeats: 0)
        run.state.outbox = [AlertDelivery(notice, over: channels)]
        runs.put(run)
    }

    private mutating func endDelivery(_ id: AlertNotice.ID, _ channel: AlertChannel, _ result: DeliveryAttempts.Result)
    {
        guard var run = runs.all.first(where: { $0.state.outbox.contains { $0.notice.id == id } }),
            run.end(id, over: channel, result, at: context.now)
        else { return }
        runs.put(run)
    }

    // MARK: Settling

    /// Completes the processing of every changed key, in the order of the keys, and stores the changes.
    private mutating func settleTouched() {
        for key in runs.takeTouched() {
            guard var run = runs[key] else { continue }
            emit(run.settle(context, runs.surroundings(of: run.state, sample: newest.sample(of: key))))
            if run.state.isBlank {
                runs.remove(key)
                if run.hasRecord { outputs.append(.forget(key)) }
                continue
            }
            if let ticket = run.beginWrite() {
                outputs.append(.persist(AlertRecord(line: run.state, anchor: clock.anchor), ticket: ticket))
            }
            runs.putSettled(run)
        }
    }

    /// Appends outputs, but asks for each permission only once.
    private mutating func emit(_ new: [AlertOutput]) {
        for output in new {
            if case .askAuthorization(let channel) = output, !asked.insert(channel).inserted { continue }
            outputs.append(output)
        }
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
