import Logging
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore

/// The alert engine with its store: it handles inputs, makes the engine's records durable, and collects the notices to
/// send.
///
/// It has no clock and no task; each call gets the time. A notice is in ``sends`` only after its record is durable, or
/// could not be stored.
struct DurableAlertEngine {
    /// A notice for some channels.
    struct Send {
        var notice: AlertNotice
        var channels: [AlertChannel]
        var settings: AlertSettings
    }

    /// The notices to send, in this order.
    private(set) var sends: [Send] = []
    /// The channels whose permission must be requested.
    private(set) var questions: [AlertChannel] = []
    /// The current configuration; nil before the first.
    private(set) var configuration: PoolConfiguration?
    private let store: AlertStore
    private let logger: Logger
    private var engine: AlertEngine
    private var memory: AlertMemory
    private var silence = SilenceDetector()
    private var newest: [DeviceReadings]
    /// The servers whose connection is lost, or was never established.
    private var lost: Set<ServerID> = []
    /// The connected servers.
    private var connected: Set<ServerID> = []
    private var writes: [(change: AlertChange, key: AlertKey, ticket: UInt64?)] = []
    /// Whether a write failed since the last successful one.
    private var isStorageFailing = false
    /// The failed changes that the engine does not repeat.
    private var unfinished: [AlertChange] = []

    /// Creates an engine from the stored data.
    ///
    /// - Parameters:
    ///   - memory: The stored data.
    ///   - store: The store.
    ///   - configuration: The configuration at the start.
    ///   - newest: The newest readings from before the start, corrected.
    ///   - authorizations: The permissions of the channels.
    ///   - logger: Receives failures.
    ///   - moment: The time.
    init(
        _ memory: AlertMemory, store: AlertStore, configuration: PoolConfiguration, newest: [DeviceReadings],
        authorizations: [AlertChannel: AlertAuthorization], logger: Logger, at moment: AlertTime
    ) {
        self.memory = memory
        self.store = store
        self.newest = newest
        self.logger = logger
        engine = AlertEngine(
            records: memory.records, settings: configuration.alerts, authorizations: authorizations, at: moment)
        // A storage failure of an earlier run ends with the first successful write.
        isStorageFailing = memory.records.contains { $0.key.condition == .hub }
        begin(configuration, at: moment)
    }

    /// The open alerts.
    var state: AlertState { AlertState(open.alerts) }

    /// All open alerts as of the last settlement.
    private(set) var open = Open()

    /// All open alerts, computed once for each change of them.
    struct Open {
        /// The alerts, without a limit, in the order of their keys.
        fileprivate(set) var alerts: [AlertState.Alert] = []
        /// Increases with each new list.
        fileprivate(set) var number: UInt64 = 0
        /// When a value of one of them stops being fresh.
        fileprivate var outdatesAt: Int64?
        /// The engine's number of that list; nil before the first.
        fileprivate var changeCount: UInt64?
    }

    /// The known permissions.
    var authorizations: [AlertChannel: AlertAuthorization] { engine.authorizations }

    /// The number of conditions that were refused because there are too many.
    var refusedCount: UInt64 { engine.refusedCount }

    /// When time alone changes something next, by the monotonic clock in milliseconds.
    var nextDeadline: Int64? {
        [engine.nextDeadline, open.outdatesAt, silence.nextDeadline].compactMap(\.self).min()
    }

    /// The answers to episodes that have ended, as of the last settlement.
    private(set) var staleAnswers: Set<AlertKey> = []

    /// Takes the notices to send.
    mutating func takeSends() -> [Send] {
        defer { sends = [] }
        return sends
    }

    /// Takes the channels whose permission must be requested.
    mutating func takeQuestions() -> [AlertChannel] {
        defer { questions = [] }
        return questions
    }

    /// The order of the next shown state; it follows the clock, and never decreases.
    mutating func nextOrder(at moment: AlertTime) -> UInt64 {
        memory.order = max(memory.order + 1, UInt64(max(0, moment.wall.milliseconds)))
        return memory.order
    }

    // MARK: - Inputs

    /// Handles an input; a request for a report changes nothing.
    ///
    /// Call ``settle(at:)`` after the last of several inputs.
    mutating func take(_ input: AlertQueue.Input, at moment: AlertTime) {
        switch input {
        case .event(let event): take(event, at: moment)
        case .server(let server, let state): take(server, state, at: moment)
        case .configuration(let configuration): use(configuration, at: moment)
        case .watches(let count):
            let state: AlertAuthorization = count > 0 ? .granted : .denied
            for channel in [AlertChannel.watchUserInfo, .watchComplication]
            where engine.authorizations[channel] != state {
                handle([.authorization(channel, state)], at: moment)
            }
        case .outcome(let id, let channel, let outcome):
            switch outcome {
            case .delivered: handle([.delivered(id, channel)], at: moment)
            case .failed(_, let seconds): handle([.failed(id, channel, retryAfterSeconds: seconds)], at: moment)
            case .refused: handle([.refused(id, channel)], at: moment)
            case .denied: handle([.denied(id, channel)], at: moment)
            }
        case .authorization(let channel, let state): handle([.authorization(channel, state)], at: moment)
        case .test: handle([.test], at: moment)
        case .time: handle(silence.due(now: moment.uptimeMilliseconds) + [.timePassed], at: moment)
        case .report: break
        }
    }

    private mutating func take(_ event: IngestEvent, at moment: AlertTime) {
        let now = moment.uptimeMilliseconds
        switch event {
        case .measured(let id, let values, let sampledAt, let receivedAt, let isCurrent):
            guard let device = configuration?.device(id) else { return }
            let latest = LatestValue(
                value: 0, sampledAt: sampledAt, timeQuality: .device, receivedAt: receivedAt)
            let freshness = latest.freshness(
                at: moment.wall, expectedIntervalSeconds: device.expectedIntervalSeconds
            ).freshness
            let standing: AlertSample.Standing = !isCurrent ? .outOfOrder : freshness == .live ? .live : .late
            var inputs: [AlertInput] = []
            if standing == .live { inputs += silence.heard(id, values.pairs.map(\.0), now: now) }
            handle(inputs + samples(of: device, values, sampledAt, standing), at: moment)
        case .overtaken(let id, let values, let sampledAt, _):
            guard let device = configuration?.device(id) else { return }
            handle(samples(of: device, values, sampledAt, .backlog), at: moment)
        case .quarantined(let id, let values, let receivedAt):
            guard let device = configuration?.device(id) else { return }
            let inputs = values.map { value in
                var sample = sample(of: device, value.quantity, value.value, receivedAt, .quarantined)
                sample.detail = value.fault.record(of: value.value)
                return AlertInput.value(sample)
            }
            handle(silence.heard(id, now: now) + inputs, at: moment)
        case .unreadable(let id, _, _):
            guard let device = configuration?.device(id) else { return }
            handle(silence.heard(id, now: now) + [.unreadable(id, nil, name: device.name)], at: moment)
        case .availability(let id, isAvailable: true, let isReplay, _):
            handle(isReplay ? silence.returned(id, now: now) : silence.heard(id, now: now), at: moment)
        case .availability(let id, isAvailable: false, _, _):
            handle(silence.left(id), at: moment)
        case .heard(let id, _):
            handle(silence.heard(id, now: now), at: moment)
        case .notStored(let reason):
            isStorageFailing = true
            handle([.hubFailed(.storage, reason: reason)], at: moment)
        }
    }

    private mutating func take(_ server: Server, _ state: BrokerState, at moment: AlertTime) {
        defer { if state.isConnected { take(refusals: state.refusals, of: server.id, at: moment) } }
        switch state.phase {
        case .connected:
            guard connected.insert(server.id).inserted else { return }
            lost.remove(server.id)
            silence.restored(server.id, now: moment.uptimeMilliseconds)
            handle([.connectionRestored(server.id)], at: moment)
        case .waiting:
            connected.remove(server.id)
            guard configuration?.server(server.id) != nil, lost.insert(server.id).inserted else { return }
            handle([.connectionLost(server.id, name: server.name)], at: moment)
        case .connecting: break
        }
    }

    /// The devices whose topics the broker of a server refuses are missing until a message comes.
    private mutating func take(refusals: [BrokerState.Refusal], of server: ServerID, at moment: AlertTime) {
        guard !refusals.isEmpty, let devices = configuration?.devices(of: server) else { return }
        let refused = devices.filter { device in refusals.contains { $0.concerns(device) } }
        let inputs = refused.flatMap { silence.left($0.id, reason: .refused) }
        if !inputs.isEmpty { handle(inputs, at: moment) }
    }

    private func samples(
        of device: Device, _ values: QuantityMap<Double>, _ sampledAt: Timestamp, _ standing: AlertSample.Standing
    ) -> [AlertInput] {
        values.pairs.map { .value(sample(of: device, $0, $1, sampledAt, standing)) }
    }

    private func sample(
        of device: Device, _ quantity: Quantity, _ value: Double, _ sampledAt: Timestamp,
        _ standing: AlertSample.Standing
    ) -> AlertSample {
        AlertSample(
            deviceID: device.id, deviceName: device.name, quantity: quantity, value: value,
            limits: configuration?.limits(of: device, for: quantity) ?? quantity.facts.limits,
            sampledAt: sampledAt, expectedIntervalSeconds: device.expectedIntervalSeconds, standing: standing)
    }

    /// The present names of what alerts are about.
    private static func names(of keys: [AlertKey], in configuration: PoolConfiguration) -> [AlertInput] {
        keys.compactMap { key in
            if case .connection(let id) = key { return configuration.server(id).map { .serverRenamed(id, $0.name) } }
            return key.deviceID.flatMap(configuration.device).map { .deviceRenamed($0.id, $0.name) }
        }
    }

    // MARK: - The configuration

    private mutating func begin(_ new: PoolConfiguration, at moment: AlertTime) {
        configuration = new
        silence.use(new, now: moment.uptimeMilliseconds)
        var inputs: [AlertInput] = []
        for key in memory.records.map(\.key) {
            if let device = key.deviceID, new.device(device) == nil { inputs.append(.deviceRemoved(device)) }
            if case .connection(let server) = key, new.server(server) == nil { inputs.append(.serverRemoved(server)) }
        }
        // They may have been renamed while the hub did not run.
        inputs += Self.names(of: memory.records.map(\.key), in: new)
        for readings in newest {
            guard let device = new.device(readings.deviceID) else { continue }
            for (quantity, latest) in readings.values.pairs {
                guard let sampledAt = latest.moment else { continue }
                let freshness = readings.freshness(
                    of: quantity, at: moment.wall, expectedIntervalSeconds: device.expectedIntervalSeconds
                ).freshness
                inputs.append(
                    .value(sample(of: device, quantity, latest.value, sampledAt, freshness == .live ? .known : .late)))
            }
        }
        newest = []
        handle(inputs, at: moment)
        takeAnswers(at: moment)
    }

    private mutating func use(_ new: PoolConfiguration, at moment: AlertTime) {
        guard let old = configuration else { return begin(new, at: moment) }
        configuration = new
        silence.use(new, now: moment.uptimeMilliseconds)
        var inputs: [AlertInput] = []
        for device in old.devices where new.device(device.id) == nil { inputs.append(.deviceRemoved(device.id)) }
        for server in old.servers where new.server(server.id) == nil {
            lost.remove(server.id)
            connected.remove(server.id)
            inputs.append(.serverRemoved(server.id))
        }
        inputs += new.devices.filter { device in old.device(device.id).map { $0.name != device.name } ?? false }
            .map { .deviceRenamed($0.id, $0.name) }
        inputs += new.servers.filter { server in old.server(server.id).map { $0.name != server.name } ?? false }
            .map { .serverRenamed($0.id, $0.name) }
        if old.alerts != new.alerts { inputs.append(.settingsChanged(new.alerts)) }
        for device in new.devices {
            guard let before = old.device(device.id) else { continue }
            for quantity in Quantity.allCases {
                let limits = new.limits(of: device, for: quantity)
                if old.limits(of: before, for: quantity) != limits {
                    inputs.append(.limitsChanged(device.id, quantity, limits))
                }
            }
        }
        handle(inputs, at: moment)
        takeAnswers(at: moment)
    }

    /// Passes new answers to the engine; each answer once, also over a restart.
    private mutating func takeAnswers(at moment: AlertTime) {
        guard let configuration else { return }
        // There may be answers to alerts that are over.
        open.changeCount = nil
        let answers = Dictionary(configuration.answers.map { ($0.key, $0) }) { $1 }
        // Only what is new is sorted: watches may send hundreds of answers.
        let new = answers.filter { memory.answers[$0.key] != $0.value }
        for (key, answer) in new.sorted(by: { $0.key < $1.key }) {
            var inputs: [AlertInput] = []
            if answer.isAcknowledged { inputs.append(.acknowledge(answer.episodeID)) }
            if let until = answer.snoozedUntil {
                let seconds = until.milliseconds(since: moment.wall) / 1000
                if seconds > 0 { inputs.append(.snooze(answer.episodeID, seconds: Int(seconds))) }
            }
            remember(answer, of: key)
            handle(inputs, at: moment)
        }
        for key in memory.answers.keys.filter({ answers[$0] == nil }).sorted() { remember(nil, of: key) }
        drain(at: moment)
    }

    private mutating func remember(_ answer: PoolModel.AlertAnswer?, of key: AlertKey) {
        memory.answers[key] = answer
        // It contains only numbers and texts, which can always be encoded.
        guard let change = try? AlertMemory.change(answer, of: key) else { return }
        writes.append((change, key, nil))
    }

    // MARK: - The engine

    private mutating func handle(_ inputs: [AlertInput], at moment: AlertTime) {
        for input in inputs {
            engine.handle(input, at: moment)
            drain(at: moment)
        }
    }

    /// Carries out the outputs of the engine in order; records wait for ``settle(at:)``.
    private mutating func drain(at moment: AlertTime) {
        while true {
            switch engine.nextOutput() {
            case .persist(let record, let ticket):
                do {
                    writes.append((try AlertMemory.change(record), record.key, ticket))
                } catch {
                    logger.info(
                        "an alert cannot be written", metadata: ["key": "\(record.key.text)", "error": "\(error)"])
                }
            case .forget(let key): writes.append((AlertMemory.removal(of: key), key, nil))
            case .send(let notice, let channels):
                flush(at: moment)
                log(notice)
                sends.append(
                    Send(notice: notice, channels: channels, settings: engine.settings))
            case .askAuthorization(let channel):
                flush(at: moment)
                questions.append(channel)
            case nil: return
            }
        }
    }

    /// Stores the results of the inputs since the last call in one transaction, and carries out the outputs that follow.
    mutating func settle(at moment: AlertTime) {
        while !writes.isEmpty {
            flush(at: moment)
            drain(at: moment)
        }
        list(at: moment)
    }

    /// Lists the open alerts and the answers to others, if anything may have changed about them.
    private mutating func list(at moment: AlertTime) {
        let isOutdated = open.outdatesAt.map { $0 <= moment.uptimeMilliseconds } ?? false
        guard open.changeCount != engine.openChangeCount || isOutdated else { return }
        open.alerts = engine.open
        open.number += 1
        open.outdatesAt = engine.nextOutdating
        open.changeCount = engine.openChangeCount
        let episodes = Set(open.alerts.map(\.episodeID))
        let answers = configuration?.answers ?? []
        staleAnswers = Set(answers.filter { !episodes.contains($0.episodeID) }.map(\.key))
    }

    /// Stores the pending records, and reports the result to the engine.
    private mutating func flush(at moment: AlertTime) {
        guard !writes.isEmpty else { return }
        let batch = writes
        writes = []
        do {
            var changes = unfinished + batch.map(\.change)
            changes.append(try AlertMemory.change(order: memory.order))
            try store.apply(changes)
            unfinished = []
            for write in batch {
                if let ticket = write.ticket { engine.handle(.persisted(write.key, ticket: ticket), at: moment) }
            }
            guard isStorageFailing else { return }
            isStorageFailing = false
            engine.handle(.hubRestored(.storage), at: moment)
        } catch {
            logger.info("an alert was not stored, it is tried again", metadata: ["error": "\(error)"])
            for write in batch {
                if let ticket = write.ticket { engine.handle(.persistFailed(write.key, ticket: ticket), at: moment) }
            }
            unfinished += batch.filter { $0.ticket == nil }.map(\.change)
            isStorageFailing = true
            engine.handle(.hubFailed(.storage, reason: HistoryError.trouble(error)), at: moment)
        }
    }

    private mutating func log(_ notice: AlertNotice) {
        guard memory.logged.insert(notice.id).inserted else { return }
        // It contains only texts and numbers, which can always be encoded.
        guard let event = try? AlertMemory.event(notice) else { return }
        do {
            try store.apply([event])
        } catch {
            logger.info("an alert was not logged, it is tried again", metadata: ["error": "\(error)"])
            unfinished.append(event)
        }
    }
}
