import Logging
import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore

/// Judges what ingest learned, and brings alerts to people, machines and watches.
///
/// One task owns the engine; everybody else posts letters, which returns at once. Each channel has a task of its own,
/// so that its notices arrive in their order and a slow one delays no other.
final class AlertService: Sendable {
    private let inbox = AlertInbox()
    private let store: AlertStore
    private let memory: AlertMemory
    private let newest: [DeviceReadings]
    private let ports: AlertPorts
    private let logger: Logger
    private let troubles = Lock<[AlertChannel: String]>([:])
    private let lastOrder = Lock<UInt64>(0)

    /// Creates a service that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - folder: Where the engine's records are, and the newest readings from before the start.
    ///   - ports: The way to the channels.
    ///   - logger: Gets what went wrong.
    /// - Throws: `HistoryError` if the records cannot be read.
    init(_ folder: HubFolder, ports: AlertPorts, logger: Logger) throws {
        store = folder.history.alerts
        newest = try folder.shownReadings()
        self.ports = ports
        self.logger = logger
        memory = try AlertMemory(store)
        for line in memory.unreadable { logger.info("a stored alert cannot be read", metadata: ["alert": "\(line)"]) }
    }

    /// Uses another configuration from now on.
    func use(_ configuration: PoolConfiguration) { inbox.post(.configuration(configuration)) }

    /// Takes in what ingest learned; called on network threads, returns at once.
    ///
    /// If more than ``AlertInbox/limit`` events wait, the oldest one is dropped and counted.
    func note(_ event: IngestEvent) { inbox.post(.event(event)) }

    /// Takes in that the connection to a server changed; called on any thread, returns at once.
    func note(_ server: Server, _ state: BrokerState) { inbox.post(.server(server, state)) }

    /// Takes in how many watches are paired; called on any thread, returns at once.
    func note(watchCount: Int) { inbox.post(.watches(watchCount)) }

    /// Looks at the clock; called on any thread, returns at once.
    func wake() { inbox.post(.time) }

    /// Sends a test notice over every channel that is switched on and may be used.
    func test() async {
        for channel in AlertChannel.allCases {
            inbox.post(.authorization(channel, await ports.authorization(channel)))
        }
        inbox.post(.test)
    }

    /// The order of the state that was shown last, when all that was noted before has been judged and shown.
    ///
    /// - Throws: `CancellationError` if the hub ends meanwhile.
    func shownOrder() async throws -> UInt64 {
        _ = try await report()
        return lastOrder.withLock(\.self)
    }

    /// The open alerts and the channels, when all that was noted before has been judged and shown; without settings and
    /// notices.
    ///
    /// - Throws: `CancellationError` if the hub ends meanwhile.
    func report() async throws -> AlertReport {
        try await withCheckedThrowingContinuation { continuation in
            guard !inbox.post(.report(continuation)) else { return }
            continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: - The owner

    /// Does what is due, until the task is cancelled.
    func run() async {
        var authorizations: [AlertChannel: AlertAuthorization] = [:]
        for channel in AlertChannel.allCases { authorizations[channel] = await ports.authorization(channel) }
        let lanes = AlertChannel.allCases.map { Lane($0) }
        var owner = Owner(lanes: lanes, authorizations: authorizations)
        await withDiscardingTaskGroup { group in
            for lane in lanes { group.addTask { [self] in await deliver(lane) } }
            let alarm = Alarm()
            for await _ in inbox.signals {
                take(inbox.takeAll(), &owner, &group)
                if let deadline = owner.course?.nextDeadline {
                    alarm.set(after: deadline - ports.now().uptimeMilliseconds) { [inbox] in inbox.post(.time) }
                }
            }
            alarm.stop()
            for lane in lanes { lane.waiting.finish() }
            group.cancelAll()
        }
        end(&owner)
    }

    /// Answers those who still ask, and records what has just been delivered, so that the next start does not bring it
    /// again.
    private func end(_ owner: inout Owner) {
        for continuation in owner.asking { continuation.resume(throwing: CancellationError()) }
        for letter in inbox.close() {
            switch letter {
            case .report(let continuation): continuation.resume(throwing: CancellationError())
            case .outcome(_, _, .delivered): owner.course?.take(letter, at: ports.now())
            case .event, .server, .configuration, .watches, .outcome, .authorization, .test, .time: break
            }
        }
        owner.course?.settle(at: ports.now())
    }

    private struct Owner {
        let lanes: [Lane]
        let authorizations: [AlertChannel: AlertAuthorization]
        var course: AlertCourse?
        var shown: [AlertState.Alert]?
        var early: [AlertInbox.Letter] = []
        var asking: [CheckedContinuation<AlertReport, any Error>] = []
        var removing: Set<AlertKey> = []
    }

    private func take(_ letters: [AlertInbox.Letter], _ owner: inout Owner, _ group: inout DiscardingTaskGroup) {
        for letter in letters {
            let moment = ports.now()
            if case .report(let continuation) = letter {
                // Who asks may rely on what is told: it is settled first.
                owner.asking.append(continuation)
                continue
            }
            guard owner.course == nil else {
                take(letter, &owner, at: moment)
                continue
            }
            guard case .configuration(let configuration) = letter else {
                owner.early.append(letter)
                continue
            }
            owner.course = AlertCourse(
                memory, store: store, configuration: configuration, newest: newest,
                authorizations: owner.authorizations, logger: logger, at: moment)
            for early in owner.early { take(early, &owner, at: moment) }
            owner.early = []
        }
        settle(&owner, &group)
    }

    private func take(_ letter: AlertInbox.Letter, _ owner: inout Owner, at moment: AlertMoment) {
        if case .configuration = letter { owner.removing = [] }
        owner.course?.take(letter, at: moment)
    }

    /// Hands out what is durable, and shows what changed.
    private func settle(_ owner: inout Owner, _ group: inout DiscardingTaskGroup) {
        guard var course = owner.course else { return }
        course.settle(at: ports.now())
        for send in course.takeSends() {
            for lane in owner.lanes where send.channels.contains(lane.channel) { lane.waiting.yield(send) }
        }
        for channel in course.takeQuestions() {
            group.addTask { [self] in inbox.post(.authorization(channel, await ports.authorization(channel))) }
        }
        let open = course.open
        if owner.shown?.isShown(as: open) != true {
            owner.shown = open
            let order = course.nextOrder(at: ports.now())
            ports.show(open, order)
            lastOrder.withLock { $0 = order }
        }
        let stale = Set(course.staleAnswers).subtracting(owner.removing)
        if !stale.isEmpty {
            owner.removing.formUnion(stale)
            group.addTask { [self] in await removeAnswers(stale.sorted()) }
        }
        owner.course = course
        for continuation in owner.asking { continuation.resume(returning: report(of: course)) }
        owner.asking = []
    }

    private func removeAnswers(_ keys: [AlertKey]) async {
        do {
            try await ports.removeAnswers(keys)
        } catch {
            // The next configuration brings the next attempt.
            logger.info("answers to alerts that are over were not removed", metadata: ["error": "\(error)"])
        }
    }

    private func report(of course: AlertCourse?) -> AlertReport {
        let troubles = troubles.withLock(\.self)
        let channels = AlertChannel.allCases.map { channel in
            AlertReport.Channel(
                channel: channel,
                isEnabled: course?.configuration?.alerts.channels.enabled.contains(channel) ?? false,
                authorization: course?.authorizations[channel] ?? channel.initialAuthorization,
                trouble: troubles[channel])
        }
        return AlertReport(
            isRunning: true, state: course?.state ?? AlertState(), notices: [], settings: AlertSettings(),
            channels: channels, droppedCount: inbox.droppedCount, refusedCount: course?.refusedCount ?? 0)
    }

    // MARK: - The channels

    /// The notices that wait for one channel, which bounds itself: the engine keeps few of each alert on their way.
    private struct Lane: Sendable {
        let channel: AlertChannel
        let sends: AsyncStream<AlertCourse.Send>
        let waiting: AsyncStream<AlertCourse.Send>.Continuation

        init(_ channel: AlertChannel) {
            self.channel = channel
            (sends, waiting) = AsyncStream<AlertCourse.Send>.makeStream()
        }
    }

    private func deliver(_ lane: Lane) async {
        for await send in lane.sends {
            let outcome = await ports.deliver(send.notice, lane.channel, send.settings)
            // A delivery that the end of the hub cut short has failed for no reason that anybody wants to read.
            if Task.isCancelled, outcome != .delivered { return }
            // First: when a person reads of the trouble, it is certain that the engine knows.
            inbox.post(.outcome(send.notice.id, lane.channel, outcome))
            if case .failed(let reason) = outcome {
                troubles.withLock { $0[lane.channel] = reason }
                logger.info(
                    "an alert was not delivered, it is tried again",
                    metadata: [
                        "channel": "\(lane.channel.rawValue)", "notice": "\(send.notice.id)", "reason": "\(reason)",
                    ])
            } else {
                troubles.withLock { $0[lane.channel] = nil }
            }
        }
    }
}

/// One deadline at a time.
private final class Alarm: Sendable {
    private let task = Lock<Task<Void, Never>?>(nil)

    /// Does something after so many milliseconds, instead of what was to be done before.
    func set(after milliseconds: Int64, _ deed: @escaping @Sendable () -> Void) {
        let next = Task {
            do {
                try await Task.sleep(for: .milliseconds(max(1, milliseconds)))
                deed()
            } catch {
                // Another deadline took its place.
            }
        }
        task.withLock { task in
            task?.cancel()
            task = next
        }
    }

    /// Forgets the deadline.
    func stop() { task.withLock { $0?.cancel() } }
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
