import HomeAssistantMQTT

/// The values of the keys of an announcement, as Home Assistant takes them.
extension HomeAssistantReader {
    /// A topic that can be published to; nil without one.
    func topic(_ key: String) -> String? {
        entity.topic(key).flatMap { GivenTopic.problem(of: $0) == nil ? $0 : nil }
    }

    /// A word that is published or told; nil if it is left out on purpose.
    ///
    /// Home Assistant writes `true` as `True`: that is what the device got in its tests.
    func text(_ usual: Usual) -> String? {
        switch entity.keys[usual.key] {
        case .bool(let truth): truth ? "True" : "False"
        case .null: nil
        case .some(let value): value.scalarText
        case nil: usual.word
        }
    }

    /// A finite number; nil for anything else.
    func number(_ key: String) -> Double? {
        entity.text(key).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A number above 0; nil for anything else.
    func positive(_ key: String) -> Double? { number(key).flatMap { $0 > 0 ? $0 : nil } }

    /// Whether something is switched on.
    func flag(_ key: String) -> Bool {
        entity.text(key).map { ["true", "yes", "on", "enable", "1"].contains($0.lowercased()) } ?? false
    }

    /// How a command is written: as it is, as a constant, or with constant text around the value; nil for any other template.
    ///
    /// - Parameters:
    ///   - topic: Its topic.
    ///   - key: The key of its template.
    ///   - percent: The name of the percentage in the template; nil if it has no such name.
    ///   - full: What is published for 100 %; nil for a value that is no percentage.
    ///   - isConstant: Whether only a constant will do.
    /// - Returns: The setter.
    mutating func setter(
        _ topic: String, template key: String, percent: String? = nil, full: Double? = nil, isConstant: Bool = false
    ) -> HomeAssistantBinding.Setter? {
        var setter = HomeAssistantBinding.Setter(topic: topic, full: full)
        guard let template = entity.text(key), !template.isEmpty else { return setter }
        guard template.contains("{{") || template.contains("{%") else {
            setter.constant = template
            return setter
        }
        let parts = template.split(separator: "{{", omittingEmptySubsequences: false)
        let inner = parts.last?.split(separator: "}}", omittingEmptySubsequences: false) ?? []
        var name = (inner.first ?? "").filter { !$0.isWhitespace }
        // What is a percentage is whole anyway.
        if full != nil, name.hasSuffix("|int") { name.removeLast("|int".count) }
        guard !isConstant, parts.count == 2, inner.count == 2, !template.contains("{%"),
            name == "value" || name == percent
        else {
            notes.append("`\(key)` is not followed: it is neither a constant nor constant text around the value")
            return nil
        }
        if name == percent { setter.full = 100 }
        (setter.before, setter.after) = (Self.trimmed(parts[0], .start), Self.trimmed(inner[1], .end))
        return setter
    }

    private enum Side { case start, end }

    /// A text without the blanks at one side, which a template loses.
    private static func trimmed(_ text: Substring, _ side: Side) -> String {
        switch side {
        case .start: String(text.drop(while: \.isWhitespace))
        case .end: String(text.reversed().drop(while: \.isWhitespace).reversed())
        }
    }
}
