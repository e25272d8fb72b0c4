import Foundation
import PoolControl
import PoolHub
import PoolModel
import TerminalUI

extension HubSnapshot {
    /// How long a notice stays in front of everybody, in milliseconds.
    private static let noticeMilliseconds: Int64 = 900_000
    /// The most notices that are shown at once.
    private static let noticeCountMax = 3

    /// What screens show of a hub.
    ///
    /// - Parameters:
    ///   - look: What was seen.
    ///   - events: The last events, newest first.
    ///   - days: The last day of the devices.
    ///   - zone: The time zone of the clocks on the screens.
    init(_ look: HubState, events: [EventSummary], days: DayMemory, zone: TimeZone) {
        // Whole seconds: what is the same to the eye shall be equal.
        let now = Timestamp(milliseconds: look.now.milliseconds - look.now.milliseconds % 1000)
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        self.init(now: now, utcOffsetSeconds: zone.secondsFromGMT(for: date), revision: look.revision)
        let report = look
        endpoint = report.endpoint
        servers = report.servers.map { ServerItem($0) }
        devices = report.devices.map {
            DeviceItem($0, day: days[$0.id], alerts: look.alerts.state, at: now, revision: report.revision)
        }
        selectedDeviceID = report.devices.first(where: \.isSelected)?.id
        pools = report.pools.map {
            PoolItem(pool: $0)
        }
        watches = report.watches.map { WatchItem($0) }
        alerts = look.alerts.state.alerts.map { AlertItem($0, look.alerts) }
        alertSettings = look.alerts.settings
        channels = look.alerts.channels.map {
            ChannelItem(
                channel: $0.channel, isEnabled: $0.isEnabled, authorization: $0.authorization, trouble: $0.trouble)
        }
        self.events = events.map { EventItem($0) }
        conflicts = report.conflicts
        detection = look.detection.flatMap { DetectionItem($0, among: report.servers) }
        notices = events.lazy
            .filter { $0.kind == .notice && now.milliseconds(since: $0.at) < Self.noticeMilliseconds }
            .prefix(Self.noticeCountMax).map(\.text)
        problems = report.problems
        history.settings = report.history
        history.export = report.export
        history.readings = report.devices.reduce(0) { $0 + $1.storedReadings }
    }
}

extension ServerItem {
    fileprivate init(_ report: ServerState) {
        self.init(
            server: report.server,
            hasPassword: report.hasPassword, isConnected: report.isConnected,
            state: report.state ?? "no device needs it")
    }
}

extension DeviceItem {
    fileprivate init(
        _ report: DeviceState, day: ValueHistory?, alerts: AlertState, at now: Timestamp, revision: UInt64
    ) {
        self.init(
            device: report.device, glance: report.glance(day: day, alerts: alerts, at: now, revision: revision),
            raw: report.rawReadings ?? [:], isAvailable: report.isAvailable, storedReadings: report.storedReadings,
            traffic: report.counts.map(Self.words) ?? "",
            lastMessage: report.lastMessage.map { "\($0.topic): \($0.excerpt)" })
    }

    /// What became of a device's messages.
    private static func words(_ counts: IngestCounts) -> String {
        let parts: [(UInt64, String)] = [
            (counts.stored, "stored"), (counts.late, "late"), (counts.duplicates, "twice"),
            (counts.retained, "replayed"), (counts.repeated, "repeated"), (counts.quarantined, "impossible"),
            (counts.rejectedCount, "unreadable"), (counts.notStored, "not stored"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

extension WatchItem {
    fileprivate init(_ report: WatchConnection) {
        self.init(
            name: report.name, key: report.key,
            link: report.isLinked == true ? .linked : report.silentSeconds.map { .lost(seconds: $0) } ?? .unheard,
            revision: report.revision, queue: report.backlog, lagMilliseconds: report.lagMilliseconds,
            trouble: report.disturbance.map { LinkTrouble($0) } ?? LinkTrouble(),
            troubleCounts: report.linkCounts.map { LinkTroubleCounts($0) } ?? LinkTroubleCounts())
    }
}

extension LinkTrouble {
    fileprivate init(_ disturbance: LinkDisturbance) {
        self.init()
        isCut = disturbance.cutUntil != nil
        delayMilliseconds = disturbance.delayMilliseconds
        dropPercent = Int((disturbance.drop * 100).rounded())
        duplicatePercent = Int((disturbance.duplicate * 100).rounded())
        reorderPercent = Int((disturbance.reorder * 100).rounded())
    }
}

extension LinkTroubleCounts {
    fileprivate init(_ counts: LinkCounts) {
        self.init()
        messages = counts.messages
        dropped = counts.dropped
        duplicated = counts.duplicated
        delayed = counts.delayed
        reordered = counts.reordered
        lostInCuts = counts.lostInCuts
    }
}

extension AlertItem {
    fileprivate init(_ alert: AlertState.Alert, _ report: AlertReport) {
        let last = report.notices.first { $0.episodeID == alert.episodeID }
        let isRepeated = report.settings.repeatsUntilAcknowledged && !alert.isAcknowledged
        let pause = Int64(report.settings.cooldownSeconds) * 1000
        self.init(
            alert: alert,
            cooldownUntil: isRepeated ? alert.snoozedUntil ?? last?.at.advanced(byMilliseconds: pause) : nil)
    }
}

extension EventItem {
    fileprivate init(_ note: EventSummary) {
        let kind: Kind =
            switch note.kind {
            case .reading: .reading
            case .alert: .alert
            case .paired, .linked, .unlinked, .declined, .shared: .watch
            case .configured, .conflict: .configuration
            case .listening, .server, .notice, .log: .hub
            }
        let status: Status? =
            switch note.severity {
            case .critical: .critical
            case .warning: .warning
            case nil: note.kind == .unlinked ? .offline : nil
            }
        self.init(id: note.number, at: note.at, kind: kind, status: status, text: note.text)
    }
}

extension DetectionItem {
    fileprivate init?(_ progress: DetectionProgress, among servers: [ServerState]) {
        // A server that was removed meanwhile has nothing to offer.
        guard servers.contains(where: { $0.id == progress.serverID }) else { return nil }
        self.init(
            serverID: progress.serverID, isOver: progress.isOver, secondsLeft: progress.secondsLeft,
            trouble: progress.trouble,
            messages: progress.messages,
            offers: progress.offers.map { offer in
                Offer(
                    name: offer.name, topic: offer.topic, mapping: offer.mapping,
                    expectedIntervalSeconds: offer.expectedIntervalSeconds, preview: offer.preview,
                    obstacle: offer.obstacle, knownAs: offer.knownAs,
                    suggestions: offer.suggestions.map {
                        Offer.Suggestion(words: $0.words, quantity: $0.quantity, values: $0.values)
                    }, openQuantities: offer.openQuantities)
            })
    }
}
