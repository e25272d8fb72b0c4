internal import PoolModel
internal import SyncCore
internal import SyncTransport

/// Waits for what the hub has or does, for callers that then leave.
struct HubAwaiter: Sendable {
    /// The interval of checks for the awaited data.
    private static let checkInterval = Duration.milliseconds(20)
    /// How long to wait for a hub that is away, in case it or something between is just starting.
    private static let absenceMax = Duration.seconds(1)

    /// Nil for a watch that was never paired.
    let transport: WatchTransport?
    let queries: QueryClient
    let observer: WatchObserver

    // MARK: - Values

    /// Asks the hub, and returns what a face then shows, with the source of the data.
    ///
    /// It waits for the link, for the hub's answer, for all data that this answer lists as newest, and then for a
    /// live value.
    /// - Parameters:
    ///   - device: The device, by its name or the start of its id; nil for the one that this watch shows.
    ///   - clock: The time of day to show.
    ///   - patience: The time limit for all of it.
    /// - Returns: A glance with its `Glance.source`, or the rejection of a device that does not exist.
    func glance(
        device: String?, clock: @Sendable () -> String, patience: Duration
    ) async -> WatchAnswer {
        let deadline = ContinuousClock.now + patience
        let obstacle = await obstacleToAsking(of: device, until: deadline)
        while obstacle == nil {
            guard case .glance(let shown) = observer.glance(device: device, clock: ""), shown.freshness != .live,
                await isWorthWaiting(until: deadline)
            else { break }
        }
        let answer = observer.glance(device: device, clock: clock())
        guard case .glance(var shown) = answer else { return answer }
        shown.source = obstacle.map { .kept(reason: $0) } ?? .hub
        return .glance(shown)
    }

    /// Asks the hub for the newest data of a device; returns nil when all of them are here, otherwise what it waits
    /// for.
    private func obstacleToAsking(of text: String?, until deadline: ContinuousClock.Instant) async -> String? {
        retryIfUnreachable()
        var obstacle: String?
        repeat {
            let state = observer.state
            if case .refused(let reason) = state.link { return reason }
            guard state.link.isLinked else {
                obstacle = state.link.obstacle
                continue
            }
            guard state.memory.revision != nil else {
                obstacle = "the hub's configuration"
                continue
            }
            guard let device = state.choice(of: text).device else {
                // A configuration that is still on its way may contain the device.
                obstacle = nil
                continue
            }
            do {
                let patience = max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
                guard case .newest(let reply) = try await queries.ask(.newest(device: device.id), patience: patience)
                else { continue }
                obstacle = "what the hub says is newest, of the values and of the alerts"
                while !observer.state.memory.has(reply, of: device.id) {
                    guard await isWorthWaiting(until: deadline) else { return obstacle }
                }
                if observer.state.choice(of: text).device?.id == device.id { return nil }
            } catch {
                obstacle = "an answer of the hub: \(error)"
            }
        } while await isWorthWaiting(until: deadline)
        return obstacle
    }

    /// Waits a moment; false if there is no more time, or the task was cancelled.
    private func isWorthWaiting(until deadline: ContinuousClock.Instant) async -> Bool {
        guard .now < deadline else { return false }
        // Only cancellation ends the sleep early.
        try? await Task.sleep(for: Self.checkInterval)
        return !Task.isCancelled
    }

    /// A watch that has been running for long may wait before it tries again.
    private func retryIfUnreachable() {
        if observer.state.memory.link.transport == .unreachable { transport?.retry() }
    }

    // MARK: - Edits

    /// Waits until the hub has received an edit, or returns what the edit waits for.
    ///
    /// - Parameters:
    ///   - edit: The identifier of the edit, as in `PendingEditSummary.id`.
    ///   - patience: The time limit; the wait is shorter if nothing answers at the hub's endpoint.
    /// - Returns: The state of the edit.
    func delivery(of edit: String, patience: Duration) async -> EditDelivery {
        let deadline = ContinuousClock.now + patience
        var absentUntil: ContinuousClock.Instant?
        retryIfUnreachable()
        repeat {
            let state = observer.state
            if let outcome = state.memory.outcomes.last(where: { $0.edit.id == edit }) { return .reached(outcome) }
            if let obstacle = state.memory.uploadObstacle { return .waits(for: obstacle) }
            if case .refused(let reason) = state.link { return .waits(for: reason) }
            absentUntil = state.memory.link.transport == .unreachable ? absentUntil ?? .now + Self.absenceMax : nil
            if let absentUntil, absentUntil < .now { break }
        } while await isWorthWaiting(until: deadline)
        return .waits(for: observer.state.link.obstacle ?? Self.notTakenIn)
    }

    // MARK: - Doses

    private static let notTakenIn = "the hub, which has not taken it in yet"

    /// Waits until the hub has received a dose.
    ///
    /// - Parameters:
    ///   - dose: The dose.
    ///   - patience: The time limit; the wait is shorter if nothing answers at the hub's endpoint.
    /// - Returns: What it waits for; nil if the hub has it.
    func obstacle(toDose dose: DoseID, patience: Duration) async -> String? {
        let deadline = ContinuousClock.now + patience
        var absentUntil: ContinuousClock.Instant?
        retryIfUnreachable()
        repeat {
            // A transport that has ended carries nothing any more.
            guard let transport, let view = try? await transport.view() else { return "a watch that runs" }
            guard view.outstandingItems.contains(where: { $0.item.id == RandomID(dose) }) else { return nil }
            let state = observer.state
            if case .refused(let reason) = state.link { return reason }
            absentUntil = state.memory.link.transport == .unreachable ? absentUntil ?? .now + Self.absenceMax : nil
            if let absentUntil, absentUntil < .now { break }
        } while await isWorthWaiting(until: deadline)
        return observer.state.link.obstacle ?? Self.notTakenIn
    }
}

extension WatchMemory {
    /// Whether all data that the hub listed are here.
    fileprivate func has(_ reply: NewestReply, of device: DeviceID) -> Bool {
        guard (revision ?? 0) >= reply.revision, alertsOrder >= reply.alertsOrder ?? 0 else { return false }
        if let order = reply.poolOrder, let pool = configuration.device(device)?.poolID {
            guard careOrders[pool] ?? 0 >= order else { return false }
        }
        return reply.readings.map { (readings[device]?.order ?? 0) >= $0.order } ?? true
    }
}

extension LinkState {
    /// What a link that is not established waits for, in words; nil for an established one.
    fileprivate var obstacle: String? {
        switch self {
        case .linked: nil
        case .unpaired: "a hub: this watch is not paired yet"
        case .connecting(let missing): missing
        case .lost(let seconds): "the hub, whose last message came \(seconds) s ago"
        case .refused(let reason): reason
        }
    }
}

extension RandomID {
    /// The identifier of the user info of a dose.
    init(_ dose: DoseID) { self.init(high: dose.high, low: dose.low) }
}
