import PoolModel

extension PoolConfiguration {
    /// The names of all devices in an export.
    ///
    /// Lines of JSON contain the identity and the unchanged name. CSV contains only the name: equal names, which a merge
    /// can create, are followed by the start of the identity, and a name that a spreadsheet would evaluate as a formula is
    /// preceded by an apostrophe.
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

    /// The text in a form that no spreadsheet evaluates as a formula.
    private static func inert(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return text
        }
        return "'" + text
    }
}
