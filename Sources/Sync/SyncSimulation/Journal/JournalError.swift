/// Why a journal of an engine cannot be read.
public enum JournalError: Error, Equatable, Sendable {
    /// The file does not begin as a journal does.
    case notAJournal
    /// A record is not what was written, and the end of the process does not explain that: its place among the records,
    /// from 1, and the byte of the file at which it begins.
    case damaged(record: Int, offset: Int)
    /// A whole record, by its place in the file, means nothing.
    case malformed(String)
}

extension JournalError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .notAJournal: "it does not begin as a journal does"
        case .damaged(let record, let offset): "its record \(record), at byte \(offset), is not what was written"
        case .malformed(let words): "it holds what means nothing: \(words)"
        }
    }
}
