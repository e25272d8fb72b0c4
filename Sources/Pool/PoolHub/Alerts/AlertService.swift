import Logging
import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore

/// Feeds the alert engine with the events of ingest, and delivers its notices over the channels.
///
/// It reads one queue of inputs. Each channel has its own task, so that its notices arrive in order and a slow channel
/// does not delay the others.
actor AlertService {
    private nonisolated let inputs: AlertQueue
    private nonisolated let environment: any AlertEnvironment
    private let store: AlertStore
    private let memory: AlertMemory
    private let newest: [DeviceReadings]
    private let logger: Logger
    private let channels = AlertChannel.allCases.map { ChannelQueue($0) }
    private var authorizations: [AlertChannel: AlertAuthorization] = [:]
    /// Nil before the first configuration.
    private var engine: DurableAlertEngine?
    /// The inputs that arrived before the first configuration.
    private var early: [AlertQueue.Input] = []
    /// The open alerts as they were last shown, and the order of that state.
    private var shown: [AlertState.Alert]?
    /// The number of the list of open alerts that was compared last.
    private var lookedAt: UInt64?
    private var shownOrderNumber: UInt64 = 0
    private var asking: [CheckedContinuation<AlertReport, any Error>] = []
    /// The answers whose removal was requested since the last configuration.
    private var removing: Set<AlertKey> = []
    private var troubles: [AlertChannel: String] = [:]
    private var alarm: Task<Void, Never>?

    /// Creates a service that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - folder: Where the engine's records are, and the newest readings from before the start.
    ///   - inputs: The queue that it reads.
    ///   - environment: The channels and the other parts of the hub.
    ///   - logger: Receives failures.
    /// - Throws: `HistoryError` if the records cannot be read.
    init(_ folder: HubFolder, inputs: AlertQueue, environment: any AlertEnvironment, logger: Logger) throws {
        self.inputs = inputs
        self.environment = environment
        self.logger = logger
        store = folder.history.alerts
        newest = try folder.shownReadings()
        memory = try AlertMemory(store)
        for line in memory.unreadable { logger.info("a stored alert cannot be read", metadata: ["alert": "\(line)"]) }
    }

    // MARK: - For any thread

    /// Uses another configuration; returns at once.
    nonisolated func use(_ configuration: PoolConfiguration) { inputs.post(.configuration(configuration)) }

    /// Notes the number of paired watches; returns at once.
    nonisolated func note(watchCount: Int) { inputs.post(.watches(watchCount)) }

    /// Sends a test notice over every channel that is enabled and permitted.
    nonisolated func test() async {
        for channel in AlertChannel.allCases {
            inputs.post(.authorization(channel, await environment.authorization(of: channel)))
        }
        inputs.post(.test)
    }

    /// Sends a test notice over one channel at once, and returns what became of it.
    ///
    /// The result is shown as that of a delivery; it is not tried again.
    func test(over channel: AlertChannel, _ notice: AlertNotice, _ settings: AlertSettings) async -> AlertOutcome {
        guard await environment.authorization(of: channel) != .denied else { return .denied }
        let outcome = await environment.deliver(notice, over: channel, settings)
        troubles[channel] = outcome.trouble
        return outcome
    }

    /// The open alerts and the channels, without settings and notices, after everything that was posted before has been
    /// evaluated and shown.
    ///
    /// - Throws: `CancellationError` if the hub ends meanwhile.
    nonisolated func report() async throws -> AlertReport {
        try await withCheckedThrowingContinuation { continuation in
            guard !inputs.post(.report(continuation)) else { return }
            continuation.resume(throwing: CancellationError())
        }
    }

    /// The order of the last shown state, after everything that was posted before has been evaluated and shown.
    ///
    /// - Throws: `CancellationError` if the hub ends meanwhile.
    func shownOrder() async throws -> UInt64 {
        _ = try await report()
        return shownOrderNumber
    }

    // MARK: - Running

    /// Runs until the task is cancelled.
    func run() async {
        for channel in AlertChannel.allCases { authorizations[channel] = await environment.authorization(of: channel) }
        await withDiscardingTaskGroup { group in
            for channel in channels { group.addTask { [self] in await deliver(channel) } }
            for await _ in inputs.signals {
                for input in inputs.takeAll() { take(input) }
                settle(&group)
                setAlarm()
            }
            alarm?.cancel()
            for channel in channels { channel.waiting.finish() }
            group.cancelAll()
        }
        end()
    }

    /// Answers the waiting requests for reports, and records the last deliveries, so that the next start does not repeat
    /// them.
    private func end() {
        for continuation in asking { continuation.resume(throwing: CancellationError()) }
        asking = []
        for input in inputs.close() {
            switch input {
            case .report(let continuation): continuation.resume(throwing: CancellationError())
            case .outcome(_, _, .delivered): engine?.take(input, at: environment.now)
            case .event, .server, .configuration, .watches, .outcome, .authorization, .test, .time: break
            }
        }
        engine?.settle(at: environment.now)
    }

    private func take(_ input: AlertQueue.Input) {
        switch input {
        case .report(let continuation):
            // It is answered after the next settlement.
            asking.append(continuation)
        case .configuration(let configuration):
            removing = []
            guard engine == nil else {
                engine?.take(input, at: environment.now)
                return
            }
            let moment = environment.now
            var engine = DurableAlertEngine(
                memory, store: store, configuration: configuration, newest: newest, authorizations: authorizations,
                logger: logger, at: moment)
            for input in early { engine.take(input, at: moment) }
            early = []
            self.engine = engine
        case .event, .server, .watches, .outcome, .authorization, .test, .time:
            if engine == nil {
                early.append(input)
            } else {
                engine?.take(input, at: environment.now)
            }
        }
    }

    /// Stores the results of the inputs, passes notices to the channels, and shows changes.
    private func settle(_ group: inout DiscardingTaskGroup) {
        engine?.settle(at: environment.now)
        guard let sends = engine?.takeSends(), let questions = engine?.takeQuestions() else { return }
        for send in sends {
            for channel in channels where send.channels.contains(channel.channel) { channel.waiting.yield(send) }
        }
        for channel in questions {
            group.addTask { [inputs, environment] in
                inputs.post(.authorization(channel, await environment.authorization(of: channel)))
            }
        }
        show()
        let stale = (engine?.staleAnswers ?? []).subtracting(removing)
        if !stale.isEmpty {
            removing.formUnion(stale)
            // The texts are made once, as watches may send hundreds of answers.
            let keys = stale.map { (key: $0, text: $0.text) }.sorted { $0.text < $1.text }.map(\.key)
            group.addTask { [self] in await removeAnswers(keys) }
        }
        for continuation in asking { continuation.resume(returning: report(of: engine)) }
        asking = []
    }

    /// Shows the open alerts if they differ from the last shown ones.
    private func show() {
        guard let open = engine?.open, open.number != lookedAt else { return }
        lookedAt = open.number
        guard shown?.isShown(as: open.alerts) != true, let order = engine?.nextOrder(at: environment.now) else {
            return
        }
        shown = open.alerts
        environment.show(open.alerts, order: order)
        shownOrderNumber = order
    }

    /// Posts an input at the engine's next deadline.
    private func setAlarm() {
        guard let deadline = engine?.nextDeadline else { return }
        let milliseconds = max(1, deadline - environment.now.uptimeMilliseconds)
        alarm?.cancel()
        // Cancelled by the next deadline, and at the end of ``run()``.
        alarm = Task { [inputs] in
            do {
                try await Task.sleep(for: .milliseconds(milliseconds))
                inputs.post(.time)
            } catch {
                // It was replaced by another deadline.
            }
        }
    }

    private func removeAnswers(_ keys: [AlertKey]) async {
        do {
            try await environment.removeAnswers(to: keys)
        } catch {
            // It is tried again with the next configuration.
            logger.info("answers to alerts that are over were not removed", metadata: ["error": "\(error)"])
        }
    }

    private func report(of engine: DurableAlertEngine?) -> AlertReport {
        let channels = AlertChannel.allCases.map { channel in
            AlertReport.Channel(
                channel: channel,
                isEnabled: engine?.configuration?.alerts.channels.enabled.contains(channel) ?? false,
                authorization: engine?.authorizations[channel] ?? channel.initialAuthorization,
                trouble: troubles[channel])
        }
        return AlertReport(
            isRunning: true, state: engine?.state ?? AlertState(), notices: [], settings: AlertSettings(),
            channels: channels, droppedCount: inputs.droppedCount, refusedCount: engine?.refusedCount ?? 0)
    }

    // MARK: - The channels

    /// The notices that wait for a channel; the engine limits their number.
    private struct ChannelQueue: Sendable {
        let channel: AlertChannel
        let sends: AsyncStream<DurableAlertEngine.Send>
        let waiting: AsyncStream<DurableAlertEngine.Send>.Continuation

        init(_ channel: AlertChannel) {
            self.channel = channel
            (sends, waiting) = AsyncStream<DurableAlertEngine.Send>.makeStream()
        }
    }

    private func deliver(_ queue: ChannelQueue) async {
        for await send in queue.sends {
            let outcome = await environment.deliver(send.notice, over: queue.channel, send.settings)
            // The end of the hub interrupted the delivery; that is no failure of the channel.
            if Task.isCancelled, outcome != .delivered { return }
            // Before the trouble is shown, so that the engine has the outcome by then.
            inputs.post(.outcome(send.notice.id, queue.channel, outcome))
            troubles[queue.channel] = outcome.trouble
            if let reason = outcome.trouble {
                let isLost = if case .refused = outcome { true } else { false }
                logger.info(
                    isLost
                        ? "an alert was not delivered, and will not be before something changes"
                        : "an alert was not delivered, it is tried again",
                    metadata: [
                        "channel": "\(queue.channel.rawValue)", "notice": "\(send.notice.id)", "reason": "\(reason)",
                    ])
            }
        }
    }
}

extension [AlertState.Alert] {
    /// Whether both look the same; the end of a snooze is computed each time, and may differ slightly.
    fileprivate func isShown(as other: [AlertState.Alert]) -> Bool {
        func rounded(_ alerts: [AlertState.Alert]) -> [AlertState.Alert] {
            var alerts = alerts
            for index in alerts.indices { alerts[index].snoozedUntil = nil }
            return alerts
        }
        guard rounded(self) == rounded(other) else { return false }
        return zip(self, other).allSatisfy { mine, others in
            guard let first = mine.snoozedUntil, let second = others.snoozedUntil else {
                return mine.snoozedUntil == others.snoozedUntil
            }
            return abs(first.milliseconds(since: second)) < 2000
        }
    }
}
