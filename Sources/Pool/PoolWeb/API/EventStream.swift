import Platform
import PoolControl
import PoolModel
import WebServer

/// One stream of server-sent events.
///
/// It keeps what it has sent, and sends what differs from what is known now: a slow client misses steps in between, and
/// nothing is queued for it.
struct EventStream {
    private struct Certificate: Encodable {
        var end: Timestamp
        var renewal: String
    }

    private struct Link: Encodable {
        var now: Timestamp
        var isHubRunning: Bool
        var hubSilentSeconds: Double
        var watches: [WatchView]?
        var certificate: Certificate?
    }

    private struct Configuration: Encodable {
        var now: Timestamp
        var revision: UInt64
        var pools: [PoolView]
        var devices: [DeviceView]
        var conflictCount: Int
    }

    private struct Alerts: Encodable {
        var now: Timestamp
        var alerts: [AlertView]
        var moreCount: Int
    }

    private struct Readings: Encodable {
        var now: Timestamp
        var devices: [DeviceView]
        var pools: [PoolView]
    }

    /// What of the configuration a client was sent; other fields of these things are values.
    private struct ConfigurationMark: Equatable {
        var revision: UInt64
        var pools: [PoolID]
        var devices: [DeviceID]
        var conflicts: [ConflictID]
    }

    /// What a device's values depend on; its age alone is no news.
    private struct ReadingMark: Equatable {
        var readings: DeviceReadings?
        var isAvailable: Bool?
        var status: String
        var assessment: AssessmentView?
    }

    private var account: Account
    private let served: ServedCertificate?
    private var configuration: ConfigurationMark?
    private var readings: [DeviceID: ReadingMark] = [:]
    private var assessments: [PoolID: AssessmentView] = [:]
    private var alerts: AlertState?
    private var link: [String]?

    init(_ account: Account, served: ServedCertificate? = nil) {
        self.account = account
        self.served = served
    }

    /// The events that bring a client up to date; the first ones contain everything.
    mutating func events(
        _ view: HubWatcher.View, for account: Account
    ) throws -> String {
        if !account.seesTheSame(as: self.account) {
            // The account may see other things now, so everything is sent again.
            self = EventStream(account, served: served)
        }
        var text = ""
        if let snapshot = view.snapshot, view.isRunning || configuration == nil {
            try append(snapshot, to: &text)
        }
        let watches = account.role == .owner && account.levelOfAll != nil ? view.snapshot?.state.watches ?? [] : []
        let mark = ["\(view.isRunning)"] + watches.map { "\($0.key) \($0.name) \($0.isLinked == true) \($0.backlog)" }
        if mark != link {
            link = mark
            text += try ping(view, as: "link", for: account)
        }
        return text
    }

    /// The event that shows that the stream is open.
    func ping(
        _ view: HubWatcher.View, as name: String = "ping",
        for account: Account
    ) throws -> String {
        let isOwner = account.role == .owner && account.levelOfAll != nil
        let silence = view.silence.components
        let seconds = Double(silence.seconds) + Double(silence.attoseconds) / 1e18
        let link = Link(
            // Without a hub there is no other clock than that of this machine.
            now: view.snapshot?.now() ?? .now, isHubRunning: view.isRunning,
            hubSilentSeconds: view.isRunning ? 0 : (seconds * 10).rounded() / 10,
            watches: isOwner && view.isRunning ? view.snapshot?.state.watches.map { WatchView($0) } ?? [] : nil,
            certificate: served.flatMap {
                isOwner && $0.isEnding(at: .now) ? Certificate(end: $0.end, renewal: $0.renewal) : nil
            })
        return try EventSource.event(name, link, id: view.snapshot?.state.change ?? 0)
    }

    private mutating func append(_ snapshot: ReceivedState, to text: inout String) throws {
        let state = snapshot.state
        let shown = VisibleState(snapshot, for: account)
        let configured = ConfigurationMark(
            revision: state.revision, pools: shown.pools.map(\.id), devices: shown.devices.map(\.id),
            conflicts: state.conflicts.map(\.id))
        let isNew = configured != configuration
        var changed: [DeviceView] = []
        for device in shown.devices {
            let known = state.device(device.id)
            let mark = ReadingMark(
                readings: known?.readings, isAvailable: known?.isAvailable,
                status: "\(device.status) \(device.statusText)", assessment: device.assessment)
            if readings.updateValue(mark, forKey: device.id) != mark { changed.append(device) }
        }
        let judged = shown.pools.filter { assessments.updateValue($0.assessment, forKey: $0.id) != $0.assessment }
        if isNew {
            configuration = configured
            let seesConflicts = account.levelOfAll == .edit
            text += try EventSource.event(
                "configuration",
                Configuration(
                    now: shown.now, revision: state.revision, pools: shown.pools, devices: shown.devices,
                    conflictCount: seesConflicts ? state.conflicts.count : 0), id: state.change)
        } else if !changed.isEmpty || !judged.isEmpty {
            text += try EventSource.event(
                "reading", Readings(now: shown.now, devices: changed, pools: judged), id: state.change)
        }
        if shown.alerts != alerts {
            alerts = shown.alerts
            text += try EventSource.event(
                "alert",
                Alerts(
                    now: shown.now, alerts: shown.alerts.alerts.map { AlertView(alert: $0) },
                    moreCount: shown.alerts.moreCount), id: state.change)
        }
    }
}
