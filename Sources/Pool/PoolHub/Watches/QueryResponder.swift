import PoolControl
import PoolModel

/// Finds the reply to a question, from what a watch may see: devices by their ids, never a topic, a host or a path.
struct QueryResponder: Sendable {
    let ports: QueryEnvironment

    /// The longest span that a course may have: ten years.
    static let spanMax: Int64 = 10 * 366 * 86_400_000

    /// The reply.
    ///
    /// - Throws: What is wrong with the question, or with the history, in words.
    func reply(to question: WatchQuery) async throws -> QueryReply {
        switch question {
        case .newest(let device): try await newest(of: device)
        case .course(let device, let quantity, let first, let last, let points):
            try await course(of: device, quantity, first, last, points)
        case .alerting(let quantity, let isOn): try await setAlerting(quantity, isOn)
        }
    }

    private func newest(of id: DeviceID) async throws -> QueryReply {
        let (configuration, revision) = try await ports.configuration()
        guard let device = configuration.device(id) else { return Self.missing }
        let state = await ports.connection(device.serverID)
        // The readings first: the alerts are then those of these values, or later ones.
        let readings = ports.readings(id)
        let alertsOrder = try await ports.alertsOrder()
        return .newest(
            NewestReply(
                readings: readings, server: configuration.server(device.serverID)?.name,
                connection: state.map { ServerReport(isConnected: $0.isConnected, since: $0.since) },
                revision: revision, muted: configuration.alerts.muted, alertsOrder: alertsOrder, now: ports.now()))
    }

    /// The course in fewer points, if with all of them the reply would be too long.
    private func course(
        of id: DeviceID, _ quantity: Quantity, _ first: Timestamp, _ last: Timestamp, _ points: Int
    ) async throws -> QueryReply {
        guard (2...WatchQuery.pointsMax).contains(points) else {
            return .refused("a course of \(points) points: ask for 2 to \(WatchQuery.pointsMax)")
        }
        guard first <= last, last.milliseconds(since: first) <= Self.spanMax else {
            return .refused("the span of a course ends after it begins, and is ten years at most")
        }
        // The history also knows devices that were removed; a watch does not.
        guard try await ports.configuration().configuration.device(id) != nil else { return Self.missing }
        var points = points
        while true {
            let answer = try await ports.history(
                .series(device: id, quantity: quantity, from: first, through: last, points: points))
            guard case .history(.series(_, let found)) = answer else {
                return .refused("the history gave no course")
            }
            let reply = QueryReply.course(id, found)
            let byteCount = try CanonicalJSON.encode(reply).count
            if byteCount <= QueryReply.byteCountMax || points == 2 { return reply }
            points = max(2, points * QueryReply.byteCountMax / byteCount - 1)
        }
    }

    private func setAlerting(_ quantity: Quantity, _ isOn: Bool) async throws -> QueryReply {
        let old = try await ports.configuration().configuration.alerts
        var patch = AlertSettingsPatch()
        patch.mutedQuantities =
            isOn ? old.mutedQuantities.subtracting([quantity]) : old.mutedQuantities.union([quantity])
        if patch.mutedQuantities != old.mutedQuantities, case .refused(let reason) = try await ports.changeAlerts(patch)
        {
            return .refused(reason)
        }
        return .alerting(muted: try await ports.configuration().configuration.alerts.muted)
    }

    private static let missing = QueryReply.refused("the hub has no such device any more")
}

extension AlertSettings {
    /// The quantities that do not alert, in their order.
    fileprivate var muted: [Quantity] { Quantity.allCases.filter(mutedQuantities.contains) }
}
