import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import SyncTransport
import TerminalUI

/// Brings a console what its hub shows, and the hub what a person wants.
///
/// It looks when something changed, ten times a second at most, and every five seconds in any case, because some facts
/// change by themselves; between two looks it only lets the clock go on, once a second. The console's thread only takes the last snapshot and puts orders down; neither ever waits.
final class HubController: Sendable {
    /// The events that are shown.
    static let eventCountMax = 400
    /// The answers that are remembered.
    private static let answerCountMax = 64
    /// How long a notice stays in front of everybody, in milliseconds.
    fileprivate static let noticeMilliseconds: Int64 = 900_000
    /// The most notices that are shown at once.
    fileprivate static let noticeCountMax = 3
    /// The time between two looks at least.
    private static let lookInterval = Duration.milliseconds(100)
    /// How often the clock goes on.
    private static let refreshInterval = Duration.seconds(1)
    /// How often everything is looked at anew.
    private static let fullInterval = Duration.seconds(5)
    /// How often the size of the history is asked for.
    private static let sizeInterval = Duration.seconds(60)

    /// What is known.
    fileprivate struct State {
        var hub: HubState?
        /// When it was taken.
        var lookedAt = ContinuousClock.now
        /// When the snapshot was made last.
        var madeAt: ContinuousClock.Instant?
        /// Newest first.
        var events: [EventSummary] = []
        var days = DayMemory()
        var answers: [HubAnswerItem] = []
        var chart: ChartState?
        var wantedChart: ChartQuery?
        var readings: ReadingPage?
        var invitation: InvitationItem?
        /// The watches that were paired before the invitation.
        var watchesBefore: Set<String> = []
        var byteCount = 0
        /// Why the hub cannot be looked at, nil if it can.
        var trouble: String?
        var isStopped = false
        var snapshot: HubSnapshot?
        /// Whether the hub is the service of the package.
        var isService = false
    }

    private let connection: any HubConnection
    private let zone: TimeZone
    private let onChange: @Sendable () -> Void
    private let state: Lock<State>
    private let orders: AsyncStream<HubOrder>
    private let ordering: AsyncStream<HubOrder>.Continuation
    private let glancing: AsyncStream<Void>.Continuation
    private let glances: AsyncStream<Void>

    /// Creates a feed that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - connection: The way to the hub.
    ///   - zone: The time zone of the clocks on the screens.
    ///   - isService: Whether the hub is the service of the package.
    ///   - onChange: Called on any thread when there is another snapshot; must return at once.
    init(
        connection: any HubConnection, zone: TimeZone = .current, isService: Bool = false,
        onChange: @escaping @Sendable () -> Void
    ) {
        state = Lock(State(isService: isService))
        self.connection = connection
        self.zone = zone
        self.onChange = onChange
        (orders, ordering) = AsyncStream<HubOrder>.makeStream()
        (glances, glancing) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: - The console's thread

    /// What there is for a console.
    enum Offer {
        /// Nothing yet: the hub is just starting.
        case nothing
        /// What is known now.
        case snapshot(HubSnapshot)
        /// The end.
        case end
    }

    /// What there is now.
    var offer: Offer {
        state.withLock { state in
            if state.isStopped { return .end }
            return state.snapshot.map { .snapshot($0) } ?? .nothing
        }
    }

    /// Wants something; returns at once.
    func carryOut(_ order: HubOrder) { ordering.yield(order) }

    /// Ends the console that asks for snapshots.
    func stop() {
        state.withLock { $0.isStopped = true }
        onChange()
    }

    // MARK: - Its own tasks

    /// Looks and obeys until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await _ in connection.rings { glancing.yield() }
            }
            group.addTask { [glancing] in
                while !Task.isCancelled {
                    glancing.yield()
                    // Cancellation ends the sleep and the loop.
                    try? await Task.sleep(for: Self.refreshInterval)
                }
            }
            group.addTask { [self] in await measureHistory() }
            group.addTask { [self] in await performOrders() }
            group.addTask { [self] in await watch() }
            await group.waitForAll()
        }
    }

    /// Looks at each sign.
    private func watch() async {
        var lastFull = ContinuousClock.now - Self.fullInterval
        await withDiscardingTaskGroup { group in
            for await _ in glances {
                let now = ContinuousClock.now
                let isFull = lastFull.duration(to: now) >= Self.fullInterval * 0.9
                if isFull { lastFull = now }
                let requests = await look(all: isFull)
                if !requests.isEmpty { group.addTask { [self] in await learnDays(requests) } }
                // Cancellation ends the sleep and the loop.
                try? await Task.sleep(for: Self.lookInterval)
            }
            group.cancelAll()
        }
    }

    /// Looks once.
    ///
    /// - Returns: What to ask the history for.
    private func look(all: Bool) async -> [(DeviceID, HistoryRequest)] {
        let known = state.withLock { ($0.hub?.change, $0.events.first?.number ?? 0) }
        do {
            let answer = try await connection.perform(
                .look(LookRequest(after: all ? nil : known.0, eventsAfter: known.1)))
            guard case .look(let hub?, let events) = answer else {
                if state.withLock({
                    ($0.madeAt?.duration(to: .now) ?? Self.refreshInterval) >= Self.refreshInterval * 0.9
                }) {
                    show()
                }
                return []
            }
            let requests = state.withLock { $0.take(hub, events) }
            show()
            return requests
        } catch {
            // While the hub starts or ends it cannot be looked at.
            guard !connection.isOwn, !(error is CancellationError) else { return [] }
            state.withLock { $0.trouble = "the hub does not answer: \(error)" }
            show()
            return []
        }
    }

    private func learnDays(_ requests: [(DeviceID, HistoryRequest)]) async {
        for (device, request) in requests {
            // A device that was removed meanwhile has no day.
            guard case .history(.series(_, let series))? = try? await connection.perform(.history(request)) else {
                continue
            }
            state.withLock { $0.days.take(series, of: device) }
        }
        show()
    }

    private func measureHistory() async {
        while !Task.isCancelled {
            // A hub that is just starting or ending is asked again.
            if case .history(.size(let extent))? = try? await connection.perform(.history(.size)) {
                state.withLock { $0.byteCount = extent.fileByteCount + extent.journalByteCount }
            }
            // Cancellation ends the sleep and the loop.
            try? await Task.sleep(for: Self.sizeInterval)
        }
    }

    /// Makes the snapshot anew.
    private func show() {
        let zone = zone
        let isNew = state.withLock { state in
            let snapshot = state.made(in: zone)
            defer { (state.snapshot, state.madeAt) = (snapshot, .now) }
            return state.snapshot != snapshot
        }
        if isNew { onChange() }
    }

    // MARK: - Orders

    /// Carries orders out in the order in which they came; what may take long stands aside.
    private func performOrders() async {
        await withDiscardingTaskGroup { group in
            for await order in orders {
                if let query = order.command.chartQuery { state.withLock { $0.wantedChart = query } }
                if order.command.standsAside {
                    group.addTask { [self] in await perform(order) }
                } else {
                    await perform(order)
                }
            }
            group.cancelAll()
        }
    }

    private func perform(_ order: HubOrder) async {
        let outcome: HubAnswerItem.Outcome
        do {
            let answer = try await connection.perform(order.command)
            state.withLock { $0.take(answer, to: order.command) }
            outcome = HubAnswerItem.Outcome(answer)
        } catch {
            guard !(error is CancellationError) else { return }
            outcome = HubAnswerItem.Outcome(error)
        }
        state.withLock { state in
            state.answers.append(HubAnswerItem(number: order.number, outcome: outcome))
            if state.answers.count > Self.answerCountMax { state.answers.removeFirst() }
        }
        // What was done is seen together with the answer.
        _ = await look(all: true)
        show()
    }
}

extension HubController.State {
    /// Takes in a look.
    fileprivate mutating func take(_ new: HubState, _ newEvents: [EventSummary]) -> [(DeviceID, HistoryRequest)] {
        // After a restart the hub counts anew.
        if let hub, new.change < hub.change { events = [] }
        trouble = nil
        (hub, lookedAt) = (new, .now)
        events = Array((newEvents.reversed() + events).prefix(HubController.eventCountMax))
        if invitation != nil, invitation?.usedBy == nil {
            invitation?.usedBy = new.watches.map(\.name).first { !watchesBefore.contains($0) }
        }
        return days.take(new.devices, at: new.now)
    }

    /// Takes in what the snapshot itself shows of an answer.
    fileprivate mutating func take(_ answer: HubReply, to command: HubCommand) {
        if case (.invitation(let code, let seconds), .invite(let name, _)) = (answer, command) {
            watchesBefore = Set(hub?.watches.map(\.name) ?? [])
            // A code that cannot be read is shown as it came.
            let found = try? InvitationSummary.complete(code, valid: .seconds(seconds), isService: isService)
            invitation = InvitationItem(
                code: found?.code.text ?? code, name: name,
                validUntil: Timestamp.now.advanced(byMilliseconds: seconds * 1000))
            invitation?.notes = found?.summary.notes ?? []
        } else if case .history(.series(_, let series)) = answer, let query = command.chartQuery {
            // The last one that was asked for counts.
            guard query == wantedChart else { return }
            chart = ChartState(query: query, series: series)
        } else if case (.history(.page(let rows)), .history(.page(let device?, let place, let limit))) = (
            answer, command
        ) {
            readings = ReadingPage(
                deviceID: device, olderThan: place, rows: rows.map { ReadingPage.Row($0) },
                hasMore: rows.count == limit)
        }
    }

    /// The snapshot of what is known.
    fileprivate func made(in zone: TimeZone) -> HubSnapshot? {
        guard let hub else { return nil }
        let now = hub.now.advanced(byMilliseconds: Int64(lookedAt.duration(to: .now) / .milliseconds(1)))
        let shown = hub.asSeen(at: now)
        let date = Date(timeIntervalSince1970: Double(shown.now.milliseconds) / 1000)
        var snapshot = HubSnapshot(shown, utcOffsetSeconds: zone.secondsFromGMT(for: date))
        for device in shown.devices {
            snapshot.glances[device.id] = device.glance(
                day: days[device.id], alerts: shown.alerts.state, at: shown.now, revision: shown.revision)
        }
        snapshot.events = events
        snapshot.notices = events.lazy
            .filter { $0.kind == .notice && shown.now.milliseconds(since: $0.at) < HubController.noticeMilliseconds }
            .prefix(HubController.noticeCountMax).map(\.text)
        if let trouble { snapshot.notices.insert(trouble, at: 0) }
        snapshot.chart = chart
        snapshot.readings = readings
        snapshot.invitation = invitation
        snapshot.answers = answers
        snapshot.historyByteCount = byteCount
        return snapshot
    }
}

extension HubState {
    /// The state without what is not to be seen: what is the same to the eye shall be equal.
    fileprivate func asSeen(at now: Timestamp) -> HubState {
        var seen = self
        seen.now = Timestamp(milliseconds: now.milliseconds - now.milliseconds % 1000)
        seen.change = 0
        for index in seen.watches.indices where seen.watches[index].isLinked == true {
            seen.watches[index].silentSeconds = nil
        }
        // A server that was removed meanwhile has nothing to offer.
        if let id = detection?.serverID, !servers.contains(where: { $0.id == id }) { seen.detection = nil }
        return seen
    }
}

extension HubCommand {
    /// The chart that is asked for, nil for another command.
    fileprivate var chartQuery: ChartQuery? {
        guard case .history(.series(let device, let quantity, let first, let last, let points)) = self else {
            return nil
        }
        return ChartQuery(deviceID: device, quantity: quantity, from: first, through: last, points: points)
    }

    /// Whether other orders need not wait for it.
    fileprivate var standsAside: Bool {
        if case .testServer = self { return true }
        if case .history = self { return true }
        return false
    }
}

extension ReadingPage.Row {
    fileprivate init(_ row: HistoryRow) {
        self.init(
            place: row.place, raw: row.raw, corrected: row.corrected)
    }
}
