package import Foundation
import Platform
import PoolControl
import PoolModel
package import TerminalUI

/// Makes the snapshots that the hub's screens show, and sends the orders of a person to the hub.
///
/// It asks the hub for its state when something changed, at most ten times a second, and every five seconds in any case,
/// because some values change with time alone. In between it only advances the clock, once a second. The thread of the
/// screens takes the last snapshot and leaves orders; neither ever waits.
package final class HubController: Sendable {
    /// The most events that are shown.
    static let eventCountMax = 400
    /// The most answers that are kept.
    private static let answerCountMax = 64
    /// How long a notice is shown at the top, in milliseconds.
    fileprivate static let noticeMilliseconds: Int64 = 900_000
    /// The most notices that are shown at once.
    fileprivate static let noticeCountMax = 3
    /// The minimum time between two requests of the state.
    private static let lookInterval = Duration.milliseconds(100)
    /// How often the clock advances.
    private static let refreshInterval = Duration.seconds(1)
    /// How often the whole state is requested.
    private static let fullInterval = Duration.seconds(5)

    fileprivate struct State {
        var hub: HubState?
        /// When ``hub`` was received.
        var lookedAt = ContinuousClock.now
        /// When ``snapshot`` was made.
        var madeAt: ContinuousClock.Instant?
        /// Newest first.
        var events: [EventSummary] = []
        var days = DayMemory()
        var answers: [HubAnswer] = []
        var chart: ChartState?
        var wantedChart: ChartQuery?
        var readings: ReadingPage?
        var invitation: WatchInvitation?
        /// The watches that were paired before the invitation.
        var watchesBefore: Set<WatchID> = []
        /// Why the hub does not answer; nil if it does.
        var trouble: String?
        var isStopped = false
        var snapshot: HubSnapshot?
    }

    private let connection: any HubConnection
    private let zone: TimeZone
    private let onChange: @Sendable () -> Void
    private let state = Lock(State())
    private let orders: AsyncStream<HubOrder>
    private let ordering: AsyncStream<HubOrder>.Continuation
    private let refreshing: AsyncStream<Void>.Continuation
    private let refreshes: AsyncStream<Void>

    /// Creates a controller that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - connection: The connection to the hub.
    ///   - zone: The time zone of the clocks on the screens.
    ///   - onChange: Called on any thread when there is another snapshot; must return at once.
    package init(
        connection: any HubConnection, zone: TimeZone = .current, onChange: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.zone = zone
        self.onChange = onChange
        (orders, ordering) = AsyncStream<HubOrder>.makeStream()
        (refreshes, refreshing) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: - For the thread of the screens

    /// What the screens show now.
    package enum Offer {
        /// Nothing yet, because the hub is just starting.
        case nothing
        /// The last snapshot.
        case snapshot(HubSnapshot)
        /// Nothing any more.
        case end
    }

    /// What the screens show now.
    package var offer: Offer {
        state.withLock { state in
            if state.isStopped { return .end }
            return state.snapshot.map { .snapshot($0) } ?? .nothing
        }
    }

    /// Queues an order; returns at once.
    package func carryOut(_ order: HubOrder) { ordering.yield(order) }

    /// Ends the screens.
    package func stop() {
        state.withLock { $0.isStopped = true }
        onChange()
    }

    // MARK: - Tasks

    /// Follows the hub and carries orders out until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await _ in connection.changes { refreshing.yield() }
            }
            group.addTask { [refreshing] in
                while !Task.isCancelled {
                    refreshing.yield()
                    // Cancellation ends the sleep and the loop.
                    try? await Task.sleep(for: Self.refreshInterval)
                }
            }
            group.addTask { [self] in await performOrders() }
            group.addTask { [self] in await follow() }
            await group.waitForAll()
        }
    }

    /// Requests the state after each signal.
    private func follow() async {
        var lastFull = ContinuousClock.now - Self.fullInterval
        await withDiscardingTaskGroup { group in
            for await _ in refreshes {
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

    /// Requests the state once.
    ///
    /// - Returns: The requests to the history that follow.
    private func look(all: Bool) async -> [(DeviceID, SeriesRequest)] {
        let known = state.withLock { ($0.hub?.change, $0.events.first?.number ?? 0) }
        do {
            let (found, events) = try await connection.ask(
                .look(LookRequest(after: all ? nil : known.0, eventsAfter: known.1)))
            guard let hub = found else {
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
            // While it starts or ends, the hub does not answer.
            guard !connection.isOwn, !(error is CancellationError) else { return [] }
            state.withLock { $0.trouble = "the hub does not answer: \(error)" }
            show()
            return []
        }
    }

    private func learnDays(_ requests: [(DeviceID, SeriesRequest)]) async {
        for (device, request) in requests {
            // A device that was removed meanwhile has no history.
            guard let found = try? await connection.ask(request) else { continue }
            state.withLock { $0.days.take(found.series, of: device) }
        }
        show()
    }

    /// Makes another snapshot.
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

    /// Carries orders out one after the other; those that may take long run beside the others.
    private func performOrders() async {
        await withDiscardingTaskGroup { group in
            for await order in orders {
                if let query = order.command.chartQuery { state.withLock { $0.wantedChart = query } }
                if order.command.runsBeside {
                    group.addTask { [self] in await perform(order) }
                } else {
                    await perform(order)
                }
            }
            group.cancelAll()
        }
    }

    private func perform(_ order: HubOrder) async {
        let reply: HubReply
        do {
            reply = try await connection.perform(order.command)
        } catch {
            guard !(error is CancellationError) else { return }
            reply = .refused("\(error)".split(whereSeparator: \.isNewline).joined(separator: " "))
        }
        if case (.invitation(let code, let seconds), .invite(let name, _)) = (reply, order.command) {
            let (code, notes) = connection.complete(invitation: code, validForSeconds: seconds)
            var invitation = WatchInvitation(
                code: code, name: name, validUntil: Timestamp.now.advanced(byMilliseconds: seconds * 1000))
            invitation.notes = notes
            state.withLock { state in
                state.watchesBefore = Set(state.hub?.watches.map(\.id) ?? [])
                state.invitation = invitation
            }
        }
        state.withLock { state in
            state.take(reply, to: order.command)
            state.answers.append(HubAnswer(number: order.number, reply: reply))
            if state.answers.count > Self.answerCountMax { state.answers.removeFirst() }
        }
        // The change is shown together with the answer.
        _ = await look(all: true)
        show()
    }
}

extension HubController.State {
    /// Takes a state and the events since the last one.
    fileprivate mutating func take(_ new: HubState, _ newEvents: [EventSummary]) -> [(DeviceID, SeriesRequest)] {
        // After a restart the hub counts from the beginning.
        if let hub, new.change < hub.change { events = [] }
        trouble = nil
        (hub, lookedAt) = (new, .now)
        events = Array((newEvents.reversed() + events).prefix(HubController.eventCountMax))
        if invitation != nil, invitation?.usedBy == nil {
            invitation?.usedBy = new.watches.first { !watchesBefore.contains($0.id) }?.name
        }
        return days.take(new.devices, at: new.now)
    }

    /// Takes the part of a reply that snapshots show.
    fileprivate mutating func take(_ reply: HubReply, to command: HubCommand) {
        if case .history(.series(_, let series)) = reply, let query = command.chartQuery {
            // Only the chart that was requested last is shown.
            guard query == wantedChart else { return }
            chart = ChartState(query: query, series: series)
        } else if case (.history(.page(let rows)), .history(.page(let device?, let place, let limit))) = (
            reply, command
        ) {
            readings = ReadingPage(deviceID: device, olderThan: place, rows: rows, hasMore: rows.count == limit)
        }
    }

    /// The snapshot; nil before the first state.
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
        return snapshot
    }
}

extension HubState {
    /// The state without differences that screens do not show, so that two states that look the same are equal.
    fileprivate func asSeen(at now: Timestamp) -> HubState {
        var seen = self
        seen.now = Timestamp(milliseconds: now.milliseconds - now.milliseconds % 1000)
        seen.change = 0
        for index in seen.watches.indices where seen.watches[index].isLinked == true {
            seen.watches[index].silentSeconds = nil
        }
        seen.detection = nil
        return seen
    }
}

extension HubCommand {
    /// The requested chart; nil for another command.
    fileprivate var chartQuery: ChartQuery? {
        guard case .history(.series(let device, let quantity, let first, let last, let points)) = self else {
            return nil
        }
        return ChartQuery(deviceID: device, quantity: quantity, from: first, through: last, points: points)
    }

    /// Whether other orders do not wait for it.
    fileprivate var runsBeside: Bool {
        if case .history = self { return true }
        return false
    }
}
