import Logging
import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport

/// Keeps the history in shape while the hub runs: summaries, retention, exports by itself; and answers what is asked of
/// it.
///
/// Whatever touches the file runs on threads of its own, in short steps with pauses, so that readings are recorded
/// meanwhile.
final class HistoryMaintenance: Sendable {
    /// What is remembered from step to step.
    private struct State {
        var configuration = PoolConfiguration()
        var clock: ClockTrust
        /// When the next export or maintenance may be tried after a failure, by the uptime in milliseconds.
        var nextExport: Int64 = 0
        var nextMaintenance: Int64 = 0
        /// What a person was told last, so that they are told once.
        var exportTrouble: String?
        var maintenanceTrouble: String?
        /// Whether the mark of an export that was switched off was looked for.
        var hasForgottenExport = false
    }

    /// The pause when there is nothing to do.
    static let idlePause = Duration.seconds(5)
    /// The time until what failed is tried again, in milliseconds.
    private static let retryMilliseconds: Int64 = 60_000
    /// The name of the export that happens by itself: the beginning of its files' names.
    private static let exportName = "poolsensors"

    private let history: HistoryStore
    private let logger: Logger
    private let deleting: HistoryResponder.Deleting
    private let onNotice: @Sendable (String) -> Void
    private let state: Lock<State>

    /// Creates a keeper.
    ///
    /// - Parameters:
    ///   - history: What it keeps.
    ///   - logger: Gets what happens.
    ///   - deleting: Begins deletions; by default nobody else shows states.
    ///   - onNotice: Gets what a person should know; called on any thread, must return at once.
    init(
        history: HistoryStore, logger: Logger, deleting: @escaping HistoryResponder.Deleting = { _ = try $3() },
        onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.history = history
        self.logger = logger
        self.deleting = deleting
        self.onNotice = onNotice
        // Without it the clock is believed as in a new history.
        let lastKnown = try? history.latest().compactMap(\.lastSeen).max()
        state = Lock(State(clock: ClockTrust(lastKnown: lastKnown)))
    }

    /// Uses another configuration from now on.
    func use(_ configuration: PoolConfiguration) {
        state.withLock { state in
            // Another folder or rhythm may work where the last one failed.
            if configuration.export != state.configuration.export {
                state.nextExport = 0
                state.hasForgottenExport = false
            }
            state.configuration = configuration
        }
    }

    /// Answers a request, of a running hub or of one at rest; on a thread of its own, which may take long.
    ///
    /// - Throws: `HistoryError`, `ConfigurationError`, and ``RequestProblem``, in words for a person.
    func perform(_ request: HistoryRequest) async throws -> HubReply {
        .history(
            try await blocking { [self] in
                try HistoryResponder(
                    history: history, configuration: { [self] in state.withLock(\.configuration) }, deleting: deleting
                ).answer(request)
            })
    }

    /// Does what is due, until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            // A step tells of its failures itself and never throws.
            let pause = (try? await blocking { [self] in step(at: .now) }) ?? Self.idlePause
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: pause)
        }
    }

    /// Does one short piece of what is due.
    ///
    /// - Returns: The time until the next piece.
    func step(at moment: ClockTrust.Moment) -> Duration {
        let start = ContinuousClock.now
        exportIfDue(at: moment)
        guard maintain(at: moment) else { return Self.idlePause }
        // At most every other moment is spent here; the rest belongs to those who record.
        return max(.milliseconds(2), start.duration(to: .now))
    }

    // MARK: - Maintenance

    /// Does a step of maintenance; whether there may be more to do.
    private func maintain(at moment: ClockTrust.Moment) -> Bool {
        let (judgement, configuration, isDue) = state.withLock { state in
            (state.clock.judge(moment), state.configuration, state.nextMaintenance <= moment.uptime)
        }
        if let leap = judgement.leap {
            onNotice(
                "the clock has leapt \((leap + 43_200_000) / 86_400_000) days ahead: no reading is removed for its age "
                    + "until the clock has gone on evenly for a day")
        }
        guard isDue else { return false }
        do {
            let kept = configuration.history
            let done = try history.maintain(
                now: judgement.now, retention: Retention(rawDays: kept.rawDays, summaryDays: kept.summaryDays),
                corrections: configuration.corrections)
            let trouble = state.withLock { state in
                defer { state.maintenanceTrouble = nil }
                return state.maintenanceTrouble
            }
            if trouble != nil { onNotice("the history is looked after again") }
            logger.trace("history looked after", metadata: ["step": "\(done)"])
            return done != .nothing
        } catch {
            let sentence = "the history cannot be looked after, and grows until it can: \(error)"
            let isNew = state.withLock { state in
                state.nextMaintenance = moment.uptime + Self.retryMilliseconds
                defer { state.maintenanceTrouble = sentence }
                return state.maintenanceTrouble != sentence
            }
            if isNew { onNotice(sentence) }
            return false
        }
    }

    // MARK: - Exports

    /// Writes the file of the period that is due, if one is.
    ///
    /// It goes by the wall clock: what a wrong clock exports too early is exported again when the clock is right.
    private func exportIfDue(at moment: ClockTrust.Moment) {
        let (configuration, isDue) = state.withLock { ($0.configuration, $0.nextExport <= moment.uptime) }
        guard isDue else { return }
        guard let settings = configuration.export else { return forgetExport() }
        do {
            let report = try history.exportPeriod(
                Self.exportName, ExportSchedule(settings.period), request(settings, configuration),
                into: settings.folder, now: moment.wall)
            guard let report else { return }
            let hadTrouble = state.withLock { state in
                defer { state.exportTrouble = nil }
                return state.exportTrouble != nil
            }
            if hadTrouble { onNotice("the history is exported again: \(report.path)") }
            logger.info("history exported", metadata: ["path": "\(report.path)", "readings": "\(report.rowCount)"])
        } catch {
            let sentence = "the history cannot be exported to \(settings.folder), which is tried every minute: \(error)"
            let isNew = state.withLock { state in
                state.nextExport = moment.uptime + Self.retryMilliseconds
                defer { state.exportTrouble = sentence }
                return state.exportTrouble != sentence
            }
            if isNew { onNotice(sentence) }
        }
    }

    /// Forgets how far an export had come that was switched off, so that a later one does not catch up with years.
    private func forgetExport() {
        let isForgotten = state.withLock { state in
            defer { state.hasForgottenExport = true }
            // Before it is known whether there is an export, nothing is forgotten.
            return state.hasForgottenExport || state.configuration == PoolConfiguration()
        }
        guard !isForgotten else { return }
        do {
            try history.forgetExport(Self.exportName)
        } catch {
            // A catch-up that is longer than need be is all that follows.
            logger.info("the mark of the export stayed", metadata: ["error": "\(error)"])
        }
    }

    private func request(_ settings: ExportSettings, _ configuration: PoolConfiguration) -> ExportRequest {
        ExportRequest(
            format: ExportRequest.Format(settings.format), values: .both,
            names: configuration.exportNames(in: settings.format), corrections: configuration.corrections)
    }
}

extension ClockTrust.Moment {
    /// What the clocks of this machine show.
    static var now: ClockTrust.Moment {
        let moment = SyncCore.Moment.now
        return ClockTrust.Moment(
            wall: Timestamp(milliseconds: moment.wallMilliseconds), uptime: moment.monotonic.nanoseconds / 1_000_000)
    }
}

extension PoolConfiguration {
    /// The calibrations of all devices.
    var corrections: Corrections {
        Corrections(Dictionary(devices.map { ($0.id, $0.calibrations) }) { $1 })
    }
}
