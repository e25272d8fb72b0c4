import Logging
import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore

/// Judges what ingest learned, and brings alerts to people, machines and watches.
///
/// It reads one queue of inputs. Each channel has a task of its own, so that its notices arrive in their order and a
/// slow one delays no other.
actor AlertService {
    private nonisolated let inputs: AlertQueue
    private nonisolated let ports: AlertPorts
    private let store: AlertStore
    private let memory: AlertMemory
    private let newest: [DeviceReadings]
    private let logger: Logger
    private let channels = AlertChannel.allCases.map { ChannelQueue($0) }
    private var authorizations: [AlertChannel: AlertAuthorization] = [:]
    /// Nil before the first configuration.
    private var engine: DurableAlertEngine?
    /// What came before the first configuration.
    private var early: [AlertQueue.Input] = []
    /// The open alerts as they were shown last, and the order of that.
    private var shown: [AlertState.Alert]?
    private var shownOrderNumber: UInt64 = 0
    private var asking: [CheckedContinuation<AlertReport, any Error>] = []
    /// The answers whose removal was asked for since the last configuration.
    private var removing: Set<AlertKey> = []
    private var troubles: [AlertChannel: String] = [:]
    private var alarm: Task<Void, Never>?

    /// Creates a service that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - folder: Where the engine's records are, and the newest readings from before the start.
    ///   - inputs: What it reads.
    ///   - ports: The way to the channels.
    ///   - logger: Gets what went wrong.
    /// - Throws: `HistoryError` if the records cannot be read.
    init(_ folder: HubFolder, inputs: AlertQueue, ports: AlertPorts, logger: Logger) throws {
        self.inputs = inputs
        self.ports = ports
        self.logger = logger
        store = folder.history.alerts
        newest = try folder.shownReadings()
        memory = try AlertMemory(store)
        for line in memory.unreadable { logger.info("a stored alert cannot be read", metadata: ["alert": "\(line)"]) }
    }

    // MARK: - For any thread

    /// Uses another configuration from now on; returns at once.
    nonisolated func use(_ configuration: PoolConfiguration) { inputs.post(.configuration(configuration)) }

    /// Takes in how many watches are paired; returns at once.
    nonisolated func note(watchCount: Int) { inputs.post(.watches(watchCount)) }

    /// Looks at the clock; returns at once.
    nonisolated func wake() { inputs.post(.time) }

    /// Sends a test notice over every channel that is switched on and may be used.
    nonisolated func test() async {
        for channel in AlertChannel.allCases {
            inputs.post(.authorization(channel, await ports.authorization(channel)))
        }
        inputs.post(.test)
    }

    /// The open alerts and the channels, without settings and notices, when all that was posted before has been judged
    /// and shown.
    ///
    /// - Throws: `CancellationError` if the hub ends meanwhile.
    nonisolated func report() async throws -> AlertReport {
        try await withCheckedThrowingContinuation { continuation in
            guard !inputs.post(.report(continuation)) else { return }
            continuation.resume(throwing: CancellationError())
        }
    }

    /// The order of the state that was shown last, when all that was posted before has been judged and shown.
    ///
    /// - Throws: `CancellationError` if the hub ends meanwhile.
    func shownOrder() async throws -> UInt64 {
        _ = try await report()
        return shownOrderNumber
    }

    // MARK: - Running

    /// Does what is due, until the task is cancelled.
    func run() async {
        for channel in AlertChannel.allCases { authorizations[channel] = await ports.authorization(channel) }
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

    /// Answers the questions that wait, and records what has just been delivered, so that the next start does not
    /// deliver it again.
    private func end() {
        for continuation in asking { continuation.resume(throwing: CancellationError()) }
        asking = []
        for input in inputs.close() {
            switch input {
            case .report(let continuation): continuation.resume(throwing: CancellationError())
            case .outcome(_, _, .delivered): engine?.take(input, at: ports.now())
            case .event, .server, .configuration, .watches, .outcome, .authorization, .test, .time: break
            }
        }
        engine?.settle(at: ports.now())
    }

    private func take(_ input: AlertQueue.Input) {
        switch input {
        case .report(let continuation):
            // The answer is about what is settled.
            asking.append(continuation)
        case .configuration(let configuration):
            removing = []
            guard engine == nil else {
                engine?.take(input, at: ports.now())
                return
            }
            let moment = ports.now()
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
                engine?.take(input, at: ports.now())
            }
        }
    }

    /// Makes durable what the inputs led to, hands out its notices, and shows what changed.
    private func settle(_ group: inout DiscardingTaskGroup) {
        engine?.settle(at: ports.now())
        guard let sends = engine?.takeSends(), let questions = engine?.takeQuestions() else { return }
        for send in sends {
            for channel in channels where send.channels.contains(channel.channel) { channel.waiting.yield(send) }
        }
        for channel in questions {
            group.addTask { [inputs, ports] in
                inputs.post(.authorization(channel, await ports.authorization(channel)))
            }
        }
        show()
        let stale = Set(engine?.staleAnswers ?? []).subtracting(removing)
        if !stale.isEmpty {
            removing.formUnion(stale)
            group.addTask { [self] in await removeAnswers(stale.sorted()) }
        }
        for continuation in asking { continuation.resume(returning: report(of: engine)) }
        asking = []
    }

    /// Shows the open alerts if they look different than before.
    private func show() {
        guard let open = engine?.open, shown?.isShown(as: open) != true,
            let order = engine?.nextOrder(at: ports.now())
        else { return }
        shown = open
        ports.show(open, order)
        shownOrderNumber = order
    }

    /// Comes back at the engine's next deadline.
    private func setAlarm() {
        guard let deadline = engine?.nextDeadline else { return }
        let milliseconds = max(1, deadline - ports.now().uptimeMilliseconds)
        alarm?.cancel()
        // Cancelled by the next deadline, and at the end of ``run()``.
        alarm = Task { [inputs] in
            do {
                try await Task.sleep(for: .milliseconds(milliseconds))
                inputs.post(.time)
            } catch {
                // Another deadline took its place.
            }
        }
    }

    private func removeAnswers(_ keys: [AlertKey]) async {
        do {
            try await ports.removeAnswers(keys)
        } catch {
            // The next configuration brings the next attempt.
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

    /// The notices that wait for one channel; the engine limits their number.
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
            let outcome = await ports.deliver(send.notice, queue.channel, send.settings)
            // A delivery that the end of the hub cut short has failed for no reason that anybody wants to read.
            if Task.isCancelled, outcome != .delivered { return }
            // First: when a person reads of the trouble, it is certain that the engine knows.
            inputs.post(.outcome(send.notice.id, queue.channel, outcome))
            if case .failed(let reason) = outcome {
                troubles[queue.channel] = reason
                logger.info(
                    "an alert was not delivered, it is tried again",
                    metadata: [
                        "channel": "\(queue.channel.rawValue)", "notice": "\(send.notice.id)", "reason": "\(reason)",
                    ])
            } else {
                troubles[queue.channel] = nil
            }
        }
    }
}

extension [AlertState.Alert] {
    /// Whether both look the same: the end of a snooze is computed anew each time, and may differ by moments.
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
