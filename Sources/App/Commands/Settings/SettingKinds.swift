import Text
package import ZeroMQ

/// Common kinds of settings.
extension Setting {
    /// One of a few words.
    package static func choice(
        _ key: String, flag: String?, _ summary: String, fallback: Value
    ) -> Setting where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
        let words = Value.allCases.map(\.rawValue)
        return Setting(
            key: key, flag: flag, valueName: words.joined(separator: "|"), summary: summary,
            expected: "one of \(words.joined(separator: ", "))", fallback: .text(fallback.rawValue)
        ) { Value(rawValue: $0) }
    }
}

extension Setting where Value == Bool {
    /// Yes or no.
    package static func boolean(_ key: String, flag: String?, _ summary: String, fallback: Bool) -> Setting {
        Setting(
            key: key, flag: flag, valueName: "bool", summary: summary, expected: "true or false",
            fallback: .text("\(fallback)")
        ) { Bool($0) }
    }
}

extension Setting where Value == Duration {
    /// A duration within a range.
    package static func duration(
        _ key: String, flag: String?, _ summary: String, in range: ClosedRange<Duration>, fallback: String
    ) -> Setting {
        let bounds = "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        return Setting(
            key: key, flag: flag, valueName: "duration", summary: summary,
            expected: "\(DurationText.expected), from \(bounds)", fallback: .text(fallback)
        ) { text in DurationText.duration(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension Setting where Value == Double {
    /// A number within a range.
    package static func number(
        _ key: String, flag: String?, valueName: String, _ summary: String, in range: ClosedRange<Double>,
        fallback: String
    ) -> Setting {
        Setting(
            key: key, flag: flag, valueName: valueName, summary: summary,
            expected:
                "a number from \(NumberFormat.shortest(range.lowerBound)) to \(NumberFormat.shortest(range.upperBound))",
            fallback: .text(fallback)
        ) { text in DecimalText.number(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension Setting where Value: FixedWidthInteger {
    /// A whole number within a range.
    package static func whole(
        _ key: String, flag: String?, _ summary: String, in range: ClosedRange<Value>, fallback: Value
    ) -> Setting {
        Setting(
            key: key, flag: flag, valueName: "n", summary: summary,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)", fallback: .text("\(fallback)")
        ) { text in Value(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension Setting where Value == String {
    /// A text that is not empty.
    package static func text(
        _ key: String, flag: String?, valueName: String, _ summary: String, expected: String = "a text",
        fallback: String
    ) -> Setting {
        Setting(
            key: key, flag: flag, valueName: valueName, summary: summary, expected: expected, fallback: .text(fallback)
        ) { $0.isEmpty ? nil : $0 }
    }
}

extension Setting where Value == String? {
    /// A text, or nothing.
    package static func optionalText(
        _ key: String, flag: String?, valueName: String, _ summary: String, expected: String = "a text", absence: String
    ) -> Setting {
        Setting(
            key: key, flag: flag, valueName: valueName, summary: summary, expected: expected,
            fallback: .absent(nil, words: absence)
        ) { $0.isEmpty ? nil : .some($0) }
    }
}

extension Setting where Value == Endpoint? {
    /// An endpoint, or nothing.
    package static func optionalEndpoint(_ key: String, flag: String?, _ summary: String, absence: String) -> Setting {
        Setting(
            key: key, flag: flag, valueName: "address", summary: summary, expected: EndpointText.expected,
            fallback: .absent(nil, words: absence)
        ) { text in EndpointText.read(text).map { .some($0) } }
    }
}

/// Endpoints as people write them.
package enum EndpointText {
    package static let expected = "\(HostAndPort.expected), such as 192.168.1.20:7654, or ipc://PATH"

    /// Parses a text; nil if it is no endpoint that another process can reach.
    package static func read(_ text: String) -> Endpoint? {
        guard !text.hasPrefix("inproc:") else { return nil }
        // The setting's error says what is expected; the exact reason would add little.
        if let address = HostAndPort(text) { return try? Endpoint("tcp://\(address)") }
        return try? Endpoint(text)
    }
}
