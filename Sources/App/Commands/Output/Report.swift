package import ArgumentParser

/// The last output of a command for a person, and the status of the process.
package struct Report: Equatable {
    /// The text for standard output: requested help or versions.
    package var output: String?
    /// The text for standard error: one line.
    package var error: String?
    /// The status.
    package var exitStatus: Int32
    private let name: String

    /// Creates the report of an error.
    ///
    /// - Parameters:
    ///   - error: The error that a command has thrown.
    ///   - root: The root of the program's commands.
    ///   - arguments: The command line, without the name of the program.
    ///   - naming: The options that take the name of a thing, without dashes: one of them may have been left out.
    package init(
        _ error: any Error, of root: any ParsableCommand.Type, arguments: [String] = [], naming: [String] = ["name"]
    ) {
        switch error {
        case let failure as CommandFailure:
            self.init(error: failure.description, of: root, exitStatus: failure.exitStatus.rawValue)
        case let code as ExitCode:
            self.init(of: root, exitStatus: code.rawValue)
        default:
            let status = root.exitCode(for: error).rawValue
            let message = root.message(for: error)
            if status == 0 {
                self.init(output: HelpText.arranged(root.fullMessage(for: error)), of: root, exitStatus: 0)
            } else {
                let text = message.isEmpty ? "\(error)" : message
                let help = root.fullMessage(for: error).firstMatch(of: /See '([^']+)' for more information/)?.1
                let advice = help.flatMap { OptionAdvice(help: String($0), of: root, naming: naming) }
                self.init(
                    error: Self.completed(text, help: help.map(String.init), arguments, advice), of: root,
                    exitStatus: status)
            }
        }
    }

    /// A message of the parser with the way out; other messages have theirs.
    private static func completed(
        _ message: String, help: String?, _ arguments: [String], _ advice: OptionAdvice?
    ) -> String {
        if let flag = message.firstMatch(of: /^Missing value for '(--?[\w-]+)/)?.1,
            let place = arguments.firstIndex(of: String(flag)), arguments.indices.contains(place + 1)
        {
            let next = arguments[place + 1]
            return "\(flag) has no value: \(next) looks like an option; write \(flag)=\(next) if it is the value"
        }
        // The word behind an unknown option may be taken for an argument, about which the command complains first.
        let unknown = message.hasPrefix("Unknown option") ? nil : advice?.firstUnknown(in: arguments)
        let said = unknown.flatMap { advice?.unknown($0) } ?? advised(message, advice)
        let isParsers =
            ["Missing expected argument", "Missing one of", "Missing value for", "Unknown option"]
            .contains { said.hasPrefix($0) } || said.contains("nexpected argument")
            // What was expected may follow.
            || said.hasSuffix("'") && said.contains(" is invalid for '")
        guard isParsers, let help else { return said }
        // The commands that run a hub or a watch are named without `run`.
        let command = help.replacing(" run --help", with: " --help")
        return said + (said.hasSuffix("?") ? " See `\(command)`" : "; see `\(command)`")
    }

    /// A message of the parser with what a person may have meant.
    private static func advised(_ message: String, _ advice: OptionAdvice?) -> String {
        guard let advice else { return message }
        if let option = message.firstMatch(of: /^Unknown option '(--?[^']+)'/)?.1 {
            return advice.unknown(option) ?? message
        }
        if let name = message.firstMatch(of: /^Unexpected argument '([^']+)'$/)?.1 {
            return message + advice.named(name)
        }
        if let name = message.firstMatch(of: /^The value '(\p{L}[^']*)' is invalid for '<number>'/)?.1 {
            return message + advice.named(name)
        }
        return message
    }

    private init(
        output: String? = nil, error: String? = nil, of root: any ParsableCommand.Type, exitStatus: Int32
    ) {
        self.output = output
        name = root._commandName
        self.error = error.map { "\(root._commandName): \(PlainText.oneLine($0))" }
        self.exitStatus = exitStatus
    }

    /// The report with its error as a JSON object, for programs.
    package var inJSON: Report {
        var report = self
        let start = "\(name): "
        report.error = error.map { text in
            let message = text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
            // Two texts and a number can always be encoded.
            return (try? JSONText.line(["error": ErrorRecord(code: exitStatus, message: message)])) ?? text
        }
        return report
    }

    private struct ErrorRecord: Encodable {
        var code: Int32
        var message: String
    }

    /// Prints the texts, and returns the status.
    package func deliver() -> Int32 {
        if let output { Output.standard.line(output) }
        if let error { Output.errors.line(error) }
        return exitStatus
    }
}
