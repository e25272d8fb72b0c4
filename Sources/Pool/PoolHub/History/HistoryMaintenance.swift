import Logging
import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport

/// Maintains the history while the hub runs: aggregation, retention and periodic exports.
///
/// It also answers history commands. All work on the file runs on separate threads, in short steps with pauses, so
/// that readings are recorded in between.
final class HistoryMaintenance: Sendable {
    private struct State {
        var configuration = PoolConfiguration()
        var clock: ClockTrust
        /// When an export or maintenance may be tried again after a failure, by the uptime in milliseconds.
        var nextExport: Int64 = 0
        var nextMaintenance: Int64 = 0
        /// When the mirror may be looked at again, by the uptime in milliseconds, and whether it was in alarm.
        var nextMirrorLook: Int64 = 0
        var isMirrorAlarming = false
        /// The last reported problems, so that each is reported once.
        var exportTrouble: String?
        var maintenanceTrouble: String?
        /// Whether the progress of a disabled export was removed.
        var hasForgottenExport = false
    }

    /// The pause when there is nothing to do.
    static let idlePause = Duration.seconds(5)
    /// The pause after a failure, in milliseconds.
    private static let retryMilliseconds: Int64 = 60_000
    /// The name of the periodic export, with which the names of its files begin.
    private static let exportName = "poolsensors"

    private let history: HistoryStore
    private let logger: Logger
    private let deleting: HistoryResponder.Deleting
    private let onNotice: @Sendable (String) -> Void
    private let state: Lock<State>

    /// Creates the maintenance of a history.
    ///
    /// - Parameters:
    ///   - history: The history.
    ///   - logger: Receives events.
    ///   - deleting: Begins deletions; by default nothing else shows states.
    ///   - onNotice: Called with notices for the user, on any thread; must return at once.
    init(
        history: HistoryStore, logger: Logger, deleting: @escaping HistoryResponder.Deleting = { _ = try $3() },
        onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.history = history
        self.logger = logger
        self.deleting = deleting
        self.onNotice = onNotice
        // If it cannot be read, the clock is trusted as with a new history.
        let lastKnown = try? history.latest().compactMap(\.lastSeen).max()
        state = Lock(State(clock: ClockTrust(lastKnown: lastKnown)))
    }

    /// Uses another configuration.
    func use(_ configuration: PoolConfiguration) {
        state.withLock { state in
            // An export with other settings is tried at once.
            if configuration.export != state.configuration.export {
                state.nextExport = 0
                state.hasForgottenExport = false
            }
            state.configuration = configuration
        }
    }

    /// Carries out a command on a separate thread; it may take long.
    ///
    /// - Throws: `HistoryError`, `ConfigurationError`, and ``RequestProblem``, in words for the user.
    func perform(_ request: HistoryRequest) async throws -> HistoryAnswer {
        try await blocking { [self] in
            try HistoryResponder(
                history: history, configuration: { [self] in state.withLock(\.configuration) }, deleting: deleting
            ).answer(request)
        }
    }

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            // A step reports its failures and never throws.
            let pause = (try? await blocking { [self] in step(at: .now) }) ?? Self.idlePause
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: pause)
        }
    }

    /// Does one short step of the work that is due.
    ///
    /// - Returns: The pause until the next step.
    func step(at moment: ClockTrust.Moment) -> Duration {
        let start = ContinuousClock.now
        exportIfDue(at: moment)
        watchMirror(at: moment)
        guard maintain(at: moment) else { return Self.idlePause }
        // At most half of the time is spent here, so that readings can be recorded.
        return max(.milliseconds(2), start.duration(to: .now))
    }

    // MARK: - Maintenance

    /// Does a step of maintenance; returns whether there may be more to do.
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
            if trouble != nil { onNotice("the history can be compacted again") }
            logger.trace("history compacted", metadata: ["step": "\(done)"])
            return done != .nothing
        } catch {
            let sentence = "the history cannot be compacted, and grows until it can: \(error)"
            let isNew = state.withLock { state in
                state.nextMaintenance = moment.uptime + Self.retryMilliseconds
                defer { state.maintenanceTrouble = sentence }
                return state.maintenanceTrouble != sentence
            }
            if isNew { onNotice(sentence) }
            return false
        }
    }

    // MARK: - The mirror

    /// Says when readings have waited for an hour for the mirror, and when it has them again.
    private func watchMirror(at moment: ClockTrust.Moment) {
        let isDue = state.withLock { state in
            guard state.nextMirrorLook <= moment.uptime else { return false }
            state.nextMirrorLook = moment.uptime + Self.retryMilliseconds
            return true
        }
        // A history that cannot be read is reported by the code that must read it.
        guard isDue, let lag = try? history.mirrorLag() ?? MirrorLag(readings: 0, oldest: nil, copiedAt: nil) else {
            return
        }
        let isAlarming = lag.isAlarming(at: moment.wall)
        let isNew = state.withLock { state in
            defer { state.isMirrorAlarming = isAlarming }
            return state.isMirrorAlarming != isAlarming
        }
        guard isNew else { return }
        onNotice(
            isAlarming
                ? "the mirror of the history is behind: \(lag.words(at: moment.wall)); see whether "
                    + "`poolsensors history mirror` runs, and what it says"
                : "the mirror of the history has all readings again")
    }

    // MARK: - Exports

    /// Writes the file of the period that is due, if any.
    ///
    /// It uses the wall clock: a period that a wrong clock exported too early is exported again when the clock is right.
    private func exportIfDue(at moment: ClockTrust.Moment) {
        let (configuration, isDue) = state.withLock { ($0.configuration, $0.nextExport <= moment.uptime) }
        guard isDue else { return }
        guard let settings = configuration.export else { return forgetExport() }
        do {
            let report = try history.exportPeriod(
                Self.exportName, settings.period, request(settings, configuration),
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

    /// Removes the progress of a disabled export, so that a later one does not export years of readings.
    private func forgetExport() {
        let isForgotten = state.withLock { state in
            defer { state.hasForgottenExport = true }
            // Nothing is removed before the first configuration is known.
            return state.hasForgottenExport || state.configuration == PoolConfiguration()
        }
        guard !isForgotten else { return }
        do {
            try history.forgetExport(Self.exportName)
        } catch {
            // The consequence is only a longer export later.
            logger.info("the mark of the export stayed", metadata: ["error": "\(error)"])
        }
    }

    private func request(_ settings: ExportSettings, _ configuration: PoolConfiguration) -> ExportRequest {
        ExportRequest(
            format: settings.format, values: .both,
            names: configuration.exportNames(in: settings.format), corrections: configuration.corrections)
    }
}

extension ClockTrust.Moment {
    /// The current time.
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
