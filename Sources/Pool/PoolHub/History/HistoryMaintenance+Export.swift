import Logging
import Platform
import PoolModel
import PoolStore

extension HistoryMaintenance {
    /// Writes the file of the period that is due, if one is (V6).
    ///
    /// It goes by the wall clock: what a wrong clock exports too early is exported again when the clock is right.
    func exportIfDue(at moment: ClockTrust.Moment) {
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

extension PoolConfiguration {
    /// The names of all devices as they stand in an export.
    ///
    /// Lines of JSON have the identity too, and the name as it is. CSV has the name alone: equal names, which a merge can
    /// make, have the start of the identity behind them, and a name that a spreadsheet would take for a formula has an
    /// apostrophe before it.
    ///
    /// Source: OWASP, CSV Injection.
    func exportNames(in format: ExportSettings.Format) -> [DeviceID: String] {
        guard format == .csv else { return Dictionary(devices.map { ($0.id, $0.name) }) { $1 } }
        let counts = Dictionary(devices.map { ($0.name, 1) }, uniquingKeysWith: +)
        let named = devices.map { device in
            let isAlone = counts[device.name] == 1
            return (device.id, Self.inert(isAlone ? device.name : "\(device.name) \("\(device.id)".prefix(8))"))
        }
        return Dictionary(named) { $1 }
    }

    /// A text that no spreadsheet takes for a formula.
    private static func inert(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return text
        }
        return "'" + text
    }
}

extension ExportSchedule {
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
