import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The result of a demo: what was sent, what arrived, and what was lost on the way.
struct DemoSummary: Equatable, Sendable {
    /// The last report of a watch.
    struct WatchResult: Sendable {
        var name: String
        /// What it received, by its own count.
        var counts: WatchCounts
    }

    /// One watch.
    struct Watch: Equatable, Sendable {
        var name: String
        /// The different readings that it received, by its own count.
        var delivered: Int
        /// The readings that newer ones replaced before they reached it.
        var superseded: Int
        /// The readings that the hub stored and that are neither of these.
        var lost: Int
    }

    /// The samples that the probe sent to the broker.
    var published: Int
    /// The samples that the broker confirmed.
    var acknowledged: Int
    /// The readings that the hub stored.
    var ingested: Int
    /// The readings of the day before, which no probe published.
    var past: Int
    /// The watches.
    var watches: [Watch]
    /// The names of the watches that do not have the newest reading of each device.
    var late: [String]
    /// The seconds from the first sample to the last.
    var seconds: Int

    /// Computes a summary.
    ///
    /// - Parameters:
    ///   - probe: The last report of the probe.
    ///   - report: The last report of the hub.
    ///   - watchResults: The watches, in the order in which they are shown.
    ///   - past: How many readings each device had before the probes began; they are not counted.
    init(probe: ProbeSummary, report: HubState, watchResults: [WatchResult], past: [DeviceID: Int] = [:]) {
        var report = report
        for index in report.devices.indices {
            report.devices[index].storedReadings -= past[report.devices[index].id] ?? 0
        }
        self.past = past.values.reduce(0, +)
        published = probe.published
        acknowledged = probe.acknowledged
        ingested = report.devices.reduce(0) { $0 + $1.storedReadings }
        watches = watchResults.map { Watch($0, report) }
        let newest = report.devices.compactMap { device in device.readings.map { (device.id, $0.order) } }
        late = watchResults.filter { watchResults in
            newest.contains { id, order in watchResults.counts.newest(of: id).map { $0 < order } ?? true }
        }.map(\.name)
        seconds = Int(probe.seconds.rounded())
    }

    /// All arrivals, at the hub and at the watches: it grows as long as readings are on their way.
    var arrivedCount: Int { ingested + watches.reduce(0) { $0 + $1.delivered } }

    /// Whether everything on its way has arrived.
    var isSettled: Bool { lostBeforeHub == 0 && late.isEmpty }

    /// The progress, for a person who waits for the end.
    var progress: String {
        let watches = late.isEmpty ? "" : ", \(late.joined(separator: ", ")) not up to date"
        return "\(ingested) of \(acknowledged) ingested\(watches)"
    }

    /// The samples that the broker confirmed and the hub does not have.
    var lostBeforeHub: Int { max(0, acknowledged - ingested) }

    /// All that was lost.
    var lost: Int { lostBeforeHub + watches.reduce(0) { $0 + $1.lost } }

    /// The summary for a person.
    var lines: [String] {
        let confirmed = acknowledged == published ? "" : ", \(acknowledged) of them confirmed by the broker"
        let width = (watches.map(\.name.count) + [0]).max() ?? 0
        func padded(_ text: String) -> String {
            text + String(repeating: " ", count: max(0, width + 15 - text.count))
        }
        return [
            "after \(seconds) s:", "  \(padded("published"))\(published) readings\(confirmed)",
            "  \(padded("ingested"))\(ingested)",
        ]
            + (past > 0 ? ["  \(padded("in the history"))\(past) simulated readings of the day before"] : [])
            + watches.map {
                "  \(padded("delivered to \($0.name)"))\($0.delivered), superseded \($0.superseded), lost \($0.lost)"
            } + ["  lost: \(lost)"]
    }
}

extension DemoSummary.Watch {
    /// Counts the hub's readings by their outcome at one watch.
    ///
    /// A reading that did not arrive was superseded if the watch has a newer one of the device. A device whose newest
    /// reading is missing at the watch has lost at least one.
    fileprivate init(_ watchResults: DemoSummary.WatchResult, _ report: HubState) {
        let counts = watchResults.counts
        let delivered = report.devices.reduce(0) { $0 + Int(counts.delivered(of: $1.id)) }
        let stored = report.devices.reduce(0) { $0 + $1.storedReadings }
        let lost = report.devices.reduce(0) { sum, device in
            guard let shown = device.readings?.order else { return sum }
            guard let newest = counts.newest(of: device.id) else { return sum + device.storedReadings }
            // Orders show which reading is newer, but not how many are between.
            return sum + (shown > newest ? 1 : 0)
        }
        // Replays are shown but not stored: with them more can arrive than was stored.
        let missing = max(0, stored - delivered)
        self.init(name: watchResults.name, delivered: delivered, superseded: max(0, missing - lost), lost: lost)
    }
}
