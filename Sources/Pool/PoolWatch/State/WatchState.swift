internal import PoolModel
internal import SyncCore

/// What a watch has at one moment, and what of it is shown: a value that depends on nothing else.
struct WatchState: Sendable {
    /// The hub that the watch is paired with; nil if it never was.
    var hub: PairedHub?
    /// The hub's endpoint, in words for a person.
    var endpoint: String
    /// The device that the watch shall show; nil for the selected one.
    var wanted: String?
    /// The device that a person chose on this watch only; nil for none.
    var viewed: DeviceID?
    /// The device of the name in ``wanted``, which may have another name by now; nil until it was found.
    var found: DeviceID?
    /// What was received.
    var memory: WatchMemory
    /// The last notices, newest first.
    var notices: [AlertNotice]
    /// How many different notices arrived since the watch started.
    var noticeCount: Int
    /// How often received data could not be stored.
    var storageFailureCount: Int
    /// The moment, by the clocks of this machine.
    var now: Moment
    /// The moment, by the hub's clock.
    var hubTime: Timestamp

    /// The state of the link.
    var link: LinkState {
        hub == nil ? .unpaired : memory.link.state(endpoint: endpoint, at: now.monotonic)
    }

    /// The device that the watch shows, or why it shows none.
    var choice: DeviceChoice {
        guard memory.revision != nil else { return .noConfiguration }
        // A device that was removed is no longer shown.
        if let seen = (viewed ?? found).flatMap(memory.configuration.device) { return .shown(seen) }
        return memory.configuration.choice(asked: wanted)
    }

    /// The device to show to a caller who may want another one than the watch shows.
    ///
    /// - Parameter text: Its name, or the start of its identity; nil for the one that the watch shows.
    /// - Returns: The device, or why there is none.
    func choice(of text: String?) -> DeviceChoice {
        text == nil || memory.revision == nil ? choice : memory.configuration.choice(asked: text)
    }

    /// What a face shows of a device.
    ///
    /// - Parameters:
    ///   - shown: The device; nil for none.
    ///   - clock: The time of day to show.
    /// - Returns: The glance, without what comes only from files and earlier glances.
    func glance(of shown: WatchDevice?, clock: String) -> Glance {
        var glance = Glance(
            device: shown, readings: shown.flatMap { memory.readings[$0.id] },
            history: shown.flatMap { memory.histories[$0.id] }, now: hubTime, link: link, revision: memory.revision,
            clock: clock, pendingEdits: memory.pending.map(\.sentence), conflicts: memory.conflicts,
            alerts: alerts.state)
        glance.poolName = shown?.poolID.flatMap { memory.configuration.pool($0) }?.name
        glance.uploadObstacle = memory.uploadObstacle
        glance.moment = hubTime
        return glance
    }

    /// The assessments of all pools.
    var assessments: [PoolAssessment] {
        let configuration = memory.configuration
        return PoolAssessment.all(
            of: configuration.devices, in: configuration.pools, cares: memory.cares, link: link, at: hubTime
        ) { device in
            Glance(
                device: device, readings: memory.readings[device.id], history: nil, now: hubTime, link: link,
                revision: memory.revision, clock: "", alerts: memory.alerts)
        }
    }

    /// The open alerts including this watch's own answers, and the last notices, newest first.
    var alerts: WatchAlerts {
        WatchAlerts(
            memory.alerts, answers: memory.configuration.answers, pending: memory.edits.pending, notices: notices)
    }

    /// The configuration, and the edits and the conflicts in words.
    var report: WatchReport {
        WatchReport(
            name: hub?.name ?? "", isRunning: true, isLinked: link.isLinked, revision: memory.revision,
            configuration: memory.configuration, pending: memory.pending, uploadObstacle: memory.uploadObstacle,
            outcomes: memory.outcomes, conflicts: memory.conflicts)
    }

    /// Counts of what the watch received.
    var status: WatchStatus {
        let devices = memory.tallies.sorted { $0.key < $1.key }.compactMap { id, tally in
            let name = memory.configuration.device(id)?.name
            // The store keeps the last registers of devices that were removed long ago.
            return name == nil && tally.receivedCount == 0
                ? nil
                : WatchStatus.DeviceCount(
                    id: id, name: name, newestOrder: tally.newestOrder, receivedCount: tally.receivedCount)
        }
        let servers = memory.configuration.servers.map {
            WatchStatus.Server(id: $0.id, name: $0.name, report: memory.reports[$0.id])
        }
        return WatchStatus(
            name: hub?.name, isLinked: link.isLinked, revision: memory.revision, snapshotCount: memory.snapshotCount,
            devices: devices, servers: servers, undecodableRegisterCount: memory.undecodableRegisterCount,
            configurationProblemCount: memory.problems.count, storageFailureCount: storageFailureCount,
            pendingEditCount: memory.pending.count, conflictCount: memory.conflicts.count,
            alerts: memory.alerts.alerts.map(\.summary), noticeCount: noticeCount)
    }
}
