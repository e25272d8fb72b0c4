import Foundation
import Platform
import PoolControl
package import PoolModel
package import PoolWatch
import SyncCore
import SyncTransport
package import TerminalUI

/// Carries out what a person does at a watch's face, and provides what the face shows.
///
/// Edits are done one after the other, in the order of the keys; questions to the hub aside, so that none keeps an edit
/// waiting. Everything may be called on any thread.
package final class WatchController: Sendable {
    private struct State {
        var remark: WatchFacts.Remark?
        var chart: ChartState?
        var charts = ChartCache()
    }

    /// The outcomes of edits that are listed.
    private static let outcomesMax = 20

    private let watch: @Sendable () -> PoolWatch?
    private let glance: @Sendable () -> Glance
    private let wake: @Sendable () -> Void
    private let state = Lock(State())
    private let edits: AsyncStream<WatchEdit>
    private let editing: AsyncStream<WatchEdit>.Continuation

    /// Creates a controller.
    ///
    /// - Parameters:
    ///   - watch: The watch as it is now, nil while it is not paired.
    ///   - glance: What a face shows now.
    ///   - wake: Called on any thread when there is something new to show; must return at once.
    package init(
        watch: @escaping @Sendable () -> PoolWatch?, glance: @escaping @Sendable () -> Glance,
        wake: @escaping @Sendable () -> Void
    ) {
        self.watch = watch
        self.glance = glance
        self.wake = wake
        // A person's fingers bound it.
        (edits, editing) = AsyncStream.makeStream()
    }

    /// Does edits until the task is cancelled; called once.
    package func run() async {
        for await edit in edits { await perform(edit) }
    }

    // MARK: - Facts

    /// What the wall clock of this machine shows.
    private static var now: Timestamp { Timestamp(milliseconds: Moment.now.wallMilliseconds) }

    /// What there is to show.
    package func facts(for menus: WatchMenus) -> WatchFacts {
        let glance = self.glance()
        guard let watch = self.watch() else {
            var facts = WatchFacts(
                glance: glance, now: Self.now, configuration: WatchConfiguration(), shownDeviceID: nil)
            facts.remark = state.withLock(\.remark)
            return facts
        }
        var facts = WatchFacts(
            glance: glance, now: watch.hubTime, configuration: watch.configuration,
            shownDeviceID: watch.choice.device?.id)
        facts.utcOffsetSeconds = TimeZone.current.secondsFromGMT()
        (facts.remark, facts.chart) = state.withLock { ($0.remark, $0.chart) }
        facts.muted = watch.muted
        // What only pages show costs more than a face may every second.
        guard menus.isOpen else { return facts }
        let alerts = watch.alerts
        facts.answering = alerts.pending
        facts.notices = alerts.notices
        if menus.showsDevices { facts.headlines = watch.glances.mapValues { Headline($0) } }
        let report = watch.report
        facts.pending = report.pending.reversed()
        facts.outcomes = report.outcomes.suffix(Self.outcomesMax).reversed()
        return facts
    }

    // MARK: - Outcomes of the menus

    /// Carries out what a person chose; the facts show the result later.
    package func perform(_ outcome: MenuOutcome) {
        guard let watch = self.watch() else {
            say("this watch is not paired with a hub yet", .problem)
            return
        }
        switch outcome {
        case .edit(let edit): editing.yield(edit)
        case .look(let device):
            watch.look(at: device)
            let name = watch.configuration.device(device)?.name ?? ""
            if device == watch.configuration.selection.deviceID { return }
            say("\(name), on this watch only", .calm)
        case .refresh: refresh(watch)
        case .learnAlerting:
            guard let device = watch.choice.device?.id else { return }
            Task { await learnAlerting(watch, device) }
        case .setAlerting(let quantity, let isOn): setAlerting(quantity, isOn, watch)
        case .loadChart(let query): load(query, watch)
        }
    }

    private func say(_ text: String, _ tone: WatchFacts.Remark.Tone) {
        let now = watch()?.hubTime ?? Self.now
        state.withLock { $0.remark = WatchFacts.Remark(text, tone, at: now) }
        wake()
    }

    // MARK: - Edits

    private func perform(_ edit: WatchEdit) async {
        guard let watch = self.watch() else { return }
        if case .select = edit { watch.look(at: nil) }
        do {
            switch try await watch.perform(.edit(edit)) {
            case .waiting:
                let isLinked = glance().link.isLinked
                say(isLinked ? "done here, on its way to the hub" : "done here, waits for the hub", .calm)
            case .unchanged(let sentence): say(sentence, .problem)
            case .refused(let sentence): say(sentence, .problem)
            case .report, .alerts, .files, .removedFile, .glance, .delivery, .queuedDose, .doseDelivery: break
            }
        } catch {
            say("\(error)", .problem)
        }
    }

    // MARK: - Questions

    private func refresh(_ watch: PoolWatch) {
        guard glance().link.isLinked else {
            watch.retry()
            return say("trying the link again", .calm)
        }
        guard let device = watch.choice.device else { return say("no device is shown", .problem) }
        say("asking the hub …", .calm)
        let start = ContinuousClock.now
        Task { [self] in
            do {
                guard case .newest(let reply) = try await watch.ask(.newest(device: device.id)) else { return }
                let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
                let words = RefreshSummary(reply, device: device.name, milliseconds: milliseconds)
                say(words.sentence, words.isProblem ? .problem : .calm)
            } catch {
                say("\(error)", .problem)
            }
        }
    }

    /// Asks the hub for the alert settings while there is a link; until it answers, the page shows that they are unknown.
    private func learnAlerting(_ watch: PoolWatch, _ device: DeviceID) async {
        while glance().link.isLinked {
            do {
                _ = try await watch.ask(.newest(device: device))
                return wake()
            } catch QueryError.noAnswer {
                // Cancellation ends nothing here: the end of the link does.
                try? await Task.sleep(for: .seconds(1))
            } catch {
                return wake()
            }
        }
    }

    private func setAlerting(_ quantity: Quantity, _ isOn: Bool, _ watch: PoolWatch) {
        guard glance().link.isLinked else {
            return say("what alerts is the hub's to keep: this needs the link", .problem)
        }
        say("asking the hub …", .calm)
        Task { [self] in
            do {
                _ = try await watch.ask(.alerting(quantity: quantity, isOn: isOn))
                say(isOn ? "\(quantity.name) alerts" : "\(quantity.name) alerts no more", .calm)
            } catch {
                say("\(error)", .problem)
            }
        }
    }

    private func load(_ query: ChartQuery, _ watch: PoolWatch) {
        state.withLock { $0.chart = $0.charts.state(of: query, isAsking: true) }
        wake()
        Task { [self] in
            var found: TimeSeries?
            var trouble: String?
            do {
                let question = WatchQuery.series(
                    device: query.deviceID, quantity: query.quantity, from: query.from, through: query.through,
                    points: min(query.points, WatchQuery.pointsMax))
                if case .series(_, let series) = try await watch.ask(question) { found = series }
            } catch {
                trouble = "\(error)"
            }
            let now = watch.hubTime
            state.withLock { state in
                if let found { state.charts.keep(found, of: query, at: now) }
                // A later question has its own answer.
                guard state.chart?.query == query else { return }
                state.chart = state.charts.state(of: query, isAsking: false, trouble: trouble)
            }
            wake()
        }
    }
}
