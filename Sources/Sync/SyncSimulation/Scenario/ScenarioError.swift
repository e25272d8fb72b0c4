/// What is wrong with the text of a scenario.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file.
    public var file: String
    /// The number of the line, from 1.
    public var line: Int
    /// The word that does not fit, nil at the end of the line.
    public var word: String?
    /// What would fit.
    public var expected: String

    /// Creates an error.
    public init(file: String, line: Int, word: String?, expected: String) {
        self.file = file
        self.line = line
        self.word = word
        self.expected = expected
    }

    /// The error as one line.
    public var description: String {
        "\(file):\(line): \(word.map { "\"\($0)\"" } ?? "the end of the line") does not fit: expected \(expected)"
    }
}
