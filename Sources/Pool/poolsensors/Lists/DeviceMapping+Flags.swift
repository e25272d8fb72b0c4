import PoolModel

extension DeviceMapping {
    /// The mapping in its notation, as flags and their values.
    var flagLines: [(flag: String, text: String)] {
        var lines: [(flag: String, text: String)] = []
        if let profile { lines.append(("profile", profile)) }
        for value in values { lines.append(("value", value.shown)) }
        if let time { lines.append(("time", time.notation)) }
        for source in availability { lines.append(("availability", source.notation)) }
        if let measurementID { lines.append(("measurement-id", "\(measurementID)")) }
        for topic in heartbeats { lines.append(("heartbeat", topic)) }
        if publishesChangesOnly { lines.append(("changes-only", "yes")) }
        return lines
    }
}

extension ValueSource {
    /// The notation; a placeholder if there is none.
    fileprivate var shown: String {
        notation + (time.map { "  (time at \($0.notation))" } ?? "")
    }
}
