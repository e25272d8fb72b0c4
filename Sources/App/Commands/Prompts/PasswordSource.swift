/// The source of a password; never an argument, since every user of the machine can read arguments.
package enum PasswordSource: Equatable {
    /// The first line of a file.
    case file(String)
    /// The first line of standard input.
    case standardInput
    /// The person, at the terminal.
    case prompt
    /// The password is removed.
    case removed
    /// The password stays the same.
    case unchanged

    /// Determines the source from the flags and the situation.
    ///
    /// - Parameters:
    ///   - file: The file of `--password-file`.
    ///   - usesStandardInput: Whether `--password-stdin` was given.
    ///   - isRemoved: Whether `--no-password` was given.
    ///   - wantsPrompt: Whether to ask for a password: there is a user name, and it is new.
    ///   - isTerminal: Whether there is a person to ask.
    package init(file: String?, usesStandardInput: Bool, isRemoved: Bool, wantsPrompt: Bool, isTerminal: Bool) {
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

    /// The password in a text: its first line, without the line end.
    package static func firstLine(of text: String) -> String {
        var line = String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        if line.last == "\r" { line.removeLast() }
        return line
    }
}
