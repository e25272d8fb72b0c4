import Platform
import PoolControl
import PoolModel
import SyncTransport
import TerminalUI
import WebServer
import ZeroMQ

/// What was done, as an answer.
struct Done: Encodable {
    let done: String
}

/// Alerts, conflicts, the log of changes, and watches.
struct HubRoutes: Sendable {
    let hub: HubWatcher

    private struct Alerts: Encodable {
        var alerts: [AlertView]
        var moreCount: Int
        var notices: [NoticeView]
    }

    private struct Invitation: Encodable {
        var code: String
        var endpoint: String
        var validUntil: Timestamp
        var isLocal: Bool
        var qr: [String]
    }

    // MARK: - Alerts

    /// The most notices that are looked at for those of one pool.
    private static let noticeCountMax = 1000

    func alerts(_ context: RequestContext) async throws -> WebResponse {
        let snapshot = try hub.snapshot()
        let shown = VisibleState(snapshot, for: context.account)
        let known = Set(shown.devices.map(\.id))
        let seesAll = context.account.levelOfAll != nil
        let count = try context.number("notices")
        let notices = try await notices(count, context, snapshot) { $0.deviceID.map(known.contains) ?? seesAll }
        return try answer(shown.alerts.alerts, moreCount: shown.alerts.moreCount, notices[...], context)
    }

    /// The alerts of the devices of a pool.
    func alerts(ofPool id: String, _ context: RequestContext) async throws -> WebResponse {
        let snapshot = try hub.snapshot()
        let pool = try context.pool(id, in: snapshot.state)
        let known = Set(snapshot.state.devices(of: pool.id).map(\.id))
        let isOfPool: (AlertKey) -> Bool = { $0.deviceID.map(known.contains) ?? false }
        let count = try context.number("notices")
        // The hub counts the notices of all pools.
        let notices = try await notices(count == 0 ? 0 : Self.noticeCountMax, context, snapshot, isOfPool)
        return try answer(
            snapshot.state.alerts.state.alerts.filter { isOfPool($0.key) }, moreCount: 0, notices.prefix(count), context
        )
    }

    /// The latest notices of which the account may see those that are wanted; at most `count` are looked at.
    private func notices(
        _ count: Int, _ context: RequestContext, _ snapshot: ReceivedState, _ isWanted: (AlertKey) -> Bool
    ) async throws -> [AlertNotice] {
        guard count > 0 else { return [] }
        let found = try await hub.ask(.alertReport(notices: count)).notices.filter { isWanted($0.key) }
        return context.account.levelOfAll != nil ? found : found.map { Self.renamed($0, in: snapshot.state) }
    }

    private func answer(
        _ alerts: [AlertState.Alert], moreCount: Int, _ notices: ArraySlice<AlertNotice>, _ context: RequestContext
    ) throws -> WebResponse {
        let language = context.request.language
        return try .json(
            Alerts(
                alerts: alerts.map { AlertView(alert: $0, language: language) }, moreCount: moreCount,
                notices: notices.map { NoticeView($0, in: language) }))
    }

    /// A notice under the present name of its device: what it was called before is for those who see everything.
    private static func renamed(_ notice: AlertNotice, in state: HubState) -> AlertNotice {
        guard let name = notice.key.deviceID.flatMap({ state.device($0) })?.name, name != notice.name else {
            return notice
        }
        var shown = notice
        shown.text = notice.text.split(separator: notice.name, omittingEmptySubsequences: false).joined(separator: name)
        shown.name = name
        return shown
    }

    func acknowledge(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        try await answer(id, context) { .acknowledge($0) }
    }

    func snooze(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let seconds = try context.members(["seconds"]).integer("seconds", 1...604_800)
        return try await answer(id, context) { .snooze($0, seconds: seconds) }
    }

    private func answer(
        _ id: String, _ context: RequestContext, _ request: (AlertEpisodeID) -> AlertRequest
    ) async throws -> WebResponse {
        let state = try hub.snapshot().state
        let missing = Problem(.missing, "there is no open alert \(Excerpt(id)): see /api/v1/alerts", value: id)
        guard let episode = AlertEpisodeID(id),
            let alert = state.alerts.state.alerts.first(where: { $0.episodeID == episode })
        else { throw missing }
        let device = alert.key.deviceID.flatMap { state.device($0) }
        try context.check(of: device?.device.poolID, missing: missing)
        return try await hub.perform(.alerts(request(episode)), context)
    }

    // MARK: - Conflicts and changes

    func conflicts(_ context: RequestContext) throws -> WebResponse {
        try .json(
            try hub.snapshot().state.conflicts.map { conflict in
                var shown = conflict
                shown.reason = ConflictSummary.reason(of: conflict.rule, in: context.request.language)
                return shown
            })
    }

    func settle(_ id: String, restoring: Bool, _ context: RequestContext) async throws -> WebResponse {
        guard let conflict = try hub.snapshot().state.conflicts.first(where: { $0.id.digits == id }) else {
            throw Problem(.missing, "there is no open conflict \(Excerpt(id)): see /api/v1/conflicts", value: id)
        }
        return try await hub.perform(.edit(.settle(conflict: conflict.id, restoring: restoring)), context)
    }

    func changes(_ context: RequestContext) async throws -> WebResponse {
        try .json(try await hub.ask(.log(last: try context.number("last"))))
    }

    // MARK: - Watches

    func watches() throws -> WebResponse {
        try .json(try hub.snapshot().state.watches.map { WatchView($0) })
    }

    func invite(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "validForSeconds"])
        let name = try members.optionalText("name")
        if let name, !(1...64).contains(name.utf8.count) || HiddenCharacter.find(in: name) != nil {
            throw members.wrong("name", "1 to 64 bytes, all of which can be seen")
        }
        let seconds = try members.optionalInteger("validForSeconds", 60...86_400) ?? 600
        let (text, valid) = try await hub.ask(
            .invite(name: name, validForSeconds: Int64(seconds)).authored(by: context.account.author))
        var code = try InvitationCode(text)
        var isLocal = false
        switch code.endpoint.transport {
        case .tcp(let host, let port) where ["0.0.0.0", "*", "[::]"].contains(host):
            // An address of this machine makes an endpoint.
            if let reached = LocalAddresses.all.first.flatMap({ try? Endpoint("tcp://\($0):\(port)") }) {
                code.endpoint = reached
            }
        case .tcp(let host, _): isLocal = LocalAddresses.isLoopback(host)
        case .ipc, .inproc: isLocal = true
        }
        let picture = QRCode(Array(code.text.utf8))
        return try .json(
            Invitation(
                code: code.text, endpoint: code.endpoint.text,
                validUntil: hub.snapshot().now().advanced(byMilliseconds: valid * 1000), isLocal: isLocal,
                qr: picture?.rows ?? []), status: 201)
    }

    func unpair(_ key: String, _ context: RequestContext) async throws -> WebResponse {
        guard let watch = try hub.snapshot().state.watches.first(where: { $0.key == key }) else {
            throw Problem(.missing, "there is no watch \(Excerpt(key)): see /api/v1/watches", value: key)
        }
        return try await hub.perform(.unpair(watch.id), context)
    }
}

extension QRCode {
    /// The rows of the picture: 1 for a dark module.
    package var rows: [String] {
        (0..<side).map { row in String((0..<side).map { isDark($0, row) ? Character("1") : "0" }) }
    }
}

/// A watch as the page shows it: nothing of deliberate faults.
struct WatchView: Encodable, Equatable {
    var name: String
    var key: String
    var backlog: Int
    var confirmed: UInt64
    var superseded: UInt64
    var isLinked: Bool?
    var ageSeconds: Int?
    var revision: UInt64?
    var lagMilliseconds: Int?

    init(_ watch: WatchConnection) {
        name = watch.name
        key = watch.key
        backlog = watch.backlog
        confirmed = watch.confirmed
        superseded = watch.superseded
        isLinked = watch.isLinked
        ageSeconds = watch.silentSeconds
        revision = watch.revision
        lagMilliseconds = watch.lagMilliseconds
    }
}
