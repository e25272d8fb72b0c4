/// One place where the repository leaves its own rules.
struct Violation: Equatable, CustomStringConvertible {
    /// The file, relative to the repository.
    var path: String
    /// The line, counted from 1.
    var line: Int
    /// What is wrong and the way out.
    var message: String

    var description: String { "\(path):\(line): \(message)" }
}
