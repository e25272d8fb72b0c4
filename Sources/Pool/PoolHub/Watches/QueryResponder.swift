import PoolControl
import PoolModel

/// Creates the replies to queries, only with data that watches may have: never a topic, a host or a path.
struct QueryResponder: Sendable {
    let environment: any QueryEnvironment

    /// The longest span of a time series: ten years.
    static let spanMax: Int64 = 10 * 366 * 86_400_000

    /// Creates the reply to a query.
    ///
    /// - Throws: The error in the query or of the history, in words.
    func reply(to query: WatchQuery) async throws -> QueryReply {
        switch query {
        case .newest(let device): try await newest(of: device)
        case .series(let device, let quantity, let first, let last, let points):
            try await series(of: device, quantity, first, last, points)
        case .alerting(let quantity, let isOn): try await setAlerting(quantity, isOn)
        }
    }

    private func newest(of id: DeviceID) async throws -> QueryReply {
        let (configuration, revision) = try await environment.configuration()
        guard let device = configuration.device(id) else { return Self.missing }
        let state = await environment.connection(to: device.serverID)
        // The readings first, so that the alerts are not older.
        let readings = environment.readings(of: id)
        let alertsOrder = try await environment.alertsOrder()
        var poolOrder: UInt64?
        if let pool = device.poolID { poolOrder = await environment.order(of: pool) }
        return .newest(
            NewestReply(
                readings: readings, server: configuration.server(device.serverID)?.name,
                connection: state.map { ServerReport(isConnected: $0.isConnected, since: $0.since) },
                revision: revision, muted: configuration.alerts.muted, alertsOrder: alertsOrder, poolOrder: poolOrder,
                now: environment.now))
    }

    /// The time series, with fewer points if the reply would be too long.
    private func series(
        of id: DeviceID, _ quantity: Quantity, _ first: Timestamp, _ last: Timestamp, _ points: Int
    ) async throws -> QueryReply {
        guard (2...WatchQuery.pointsMax).contains(points) else {
            return .refused("a series of \(points) points: ask for 2 to \(WatchQuery.pointsMax)")
        }
        guard first <= last, last.milliseconds(since: first) <= Self.spanMax else {
            return .refused("the span of a series ends after it begins, and is ten years at most")
        }
        // The history also contains removed devices, which a watch must not see.
        guard try await environment.configuration().configuration.device(id) != nil else { return Self.missing }
        var points = points
        while true {
            let found = try await environment.ask(
                .series(of: id, quantity, from: first, through: last, points: points))
            let reply = QueryReply.series(id, found.series)
            let byteCount = try CanonicalJSON.encode(reply).count
            if byteCount <= QueryReply.byteCountMax || points == 2 { return reply }
            points = max(2, points * QueryReply.byteCountMax / byteCount - 1)
        }
    }

    private func setAlerting(_ quantity: Quantity, _ isOn: Bool) async throws -> QueryReply {
        let isMuted = try await environment.configuration().configuration.alerts.mutedQuantities.contains(quantity)
        var patch = AlertSettingsPatch()
        patch.mute(quantity, !isOn)
        if isMuted == isOn { _ = try await environment.ask(.alerts(.change(patch))) }
        return .alerting(muted: try await environment.configuration().configuration.alerts.muted)
    }

    private static let missing = QueryReply.refused("the hub has no such device any more")
}

extension AlertSettings {
    /// The quantities that do not alert, in their order.
    fileprivate var muted: [Quantity] { Quantity.allCases.filter(mutedQuantities.contains) }
}
