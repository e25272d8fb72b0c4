/// Why a terminal could not be used.
@nonexhaustive public enum TerminalError: Error, Equatable, Sendable {
    /// Input or output is not a terminal.
    case notATerminal
    /// The process has an open session already; it can have only one.
    case alreadyOpen
    /// A call of the system failed with an error number.
    case system(call: String, number: Int32)
}

extension TerminalError: CustomStringConvertible {
    /// What happened and what to do about it, for a person.
    public var description: String {
        switch self {
        case .notATerminal:
            "faces need a terminal for input and output; use --plain or --json here"
        case .alreadyOpen:
            "the terminal is in use by another session of this process; close that one first"
        case .system(let call, let number):
            "the terminal refused \(call) (error \(number)); use --plain or --json"
        }
    }
}
