import PoolModel
import PoolStore

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
