/// Reads the text of scenarios.
public enum ScenarioParser {
    /// Reads a scenario.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: The name of its file, for messages.
    /// - Returns: The scenario.
    /// - Throws: ``ScenarioError``, about the first line that cannot be understood.
    public static func scenario(_ text: String, file: String) throws(ScenarioError) -> Scenario {
        var parser = ScenarioStepParser()
        var scenario = Scenario(file: file, purpose: purpose(of: text), steps: [])
        for (index, line) in lines(of: text).enumerated() {
            var words = try ScenarioTokens(line, file: file, line: index + 1)
            guard !words.isEmpty else { continue }
            let step = try parser.step(&words)
            try words.end()
            scenario.steps.append(ScenarioStep(line: index + 1, text: Self.bare(line), action: step))
        }
        guard !scenario.steps.isEmpty else {
            throw ScenarioError(file: file, line: 1, word: nil, expected: "a step, such as: watch Anna")
        }
        return scenario
    }

    /// The lines of a text, whichever system wrote it: a carriage return and a line feed are one character together.
    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The comment that a text begins with.
    private static func purpose(of text: String) -> String {
        lines(of: text).prefix { $0.hasPrefix("#") }
            .map { String($0.drop { $0 == "#" || $0 == " " }) }.joined(separator: " ")
    }

    private static func bare(_ line: Substring) -> String {
        var isQuoted = false
        let text = line.prefix { character in
            if character == "\"" { isQuoted.toggle() }
            return character != "#" || isQuoted
        }
        return String(text.reversed().drop { $0.isWhitespace }.reversed())
    }
}
