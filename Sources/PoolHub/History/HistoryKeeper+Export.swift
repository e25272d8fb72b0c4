import Logging
import PoolModel
import PoolStore
import Synchronization

extension HistoryKeeper {
    /// Writes the file of the period that is due, if one is (V6).
    ///
    /// It goes by the wall clock: what a wrong clock exports too early is exported again when the clock is right.
    func exportIfDue(at moment: ClockTrust.Moment) {
        let (configuration, isDue) = state.withLock { ($0.configuration, $0.nextExport <= moment.uptime) }
        guard isDue else { return }
        guard let settings = configuration.export else { return forgetExport() }
        do {
            let report = try history.exportPeriod(
                Self.exportName, ExportRhythm(settings.period), request(settings, configuration),
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
            format: ExportRequest.Format(settings.format), values: .both, names: configuration.names,
            corrections: configuration.corrections)
    }
}

extension PoolConfiguration {
    /// The names of all devices.
    var names: [DeviceID: String] { Dictionary(devices.map { ($0.id, $0.name) }) { $1 } }
}

extension ExportRhythm {
    init(_ period: ExportSettings.Period) {
        switch period {
        case .hourly: self = .hourly
        case .daily: self = .daily
        case .weekly: self = .weekly
        case .monthly: self = .monthly
        }
    }
}

extension ExportRequest.Format {
    init(_ format: ExportSettings.Format) {
        switch format {
        case .csv: self = .csv
        case .jsonl: self = .jsonLines
        }
    }
}
