/// Where a command gets a password from; never from its arguments, which every user of the machine can read.
enum PasswordSource: Equatable {
    /// The first line of a file.
    case file(String)
    /// The first line of standard input.
    case standardInput
    /// The person, at the terminal.
    case prompt
    /// It is taken away.
    case removed
    /// Nothing is said about it.
    case unchanged

    /// Decides by the flags and the situation.
    ///
    /// - Parameters:
    ///   - file: The file of `--password-file`.
    ///   - usesStandardInput: Whether `--password-stdin` was given.
    ///   - isRemoved: Whether `--no-password` was given.
    ///   - wantsPrompt: Whether a password is to be expected: there is a user name, and it is new.
    ///   - isTerminal: Whether there is a person to ask.
    init(file: String?, usesStandardInput: Bool, isRemoved: Bool, wantsPrompt: Bool, isTerminal: Bool) {
        if let file {
            self = .file(file)
        } else if usesStandardInput {
            self = .standardInput
        } else if isRemoved {
            self = .removed
        } else {
            self = wantsPrompt && isTerminal ? .prompt : .unchanged
        }
    }

    /// The password in a text: its first line, so that the line end of a file is no part of it.
    static func firstLine(of text: String) -> String {
        var line = String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        if line.last == "\r" { line.removeLast() }
        return line
    }
}
