import Foundation

/// Asks the person at the terminal.
///
/// Questions go to standard error, so that standard output has only results.
package enum Prompt {
    /// Whether a person can be asked.
    package static var isAvailable: Bool { SecretPrompt.isAvailable }

    /// Asks for consent, if necessary.
    ///
    /// - Returns: Whether the action may be done; false after a no.
    /// - Throws: ``CommandFailure`` if no person can be asked.
    package static func confirm(_ question: String, isAnswered: Bool) throws -> Bool {
        switch ConsentPrompt.step(isAnswered: isAnswered, isTerminal: isAvailable) {
        case .proceed: return true
        case .refuse:
            throw CommandFailure("\(question) There is no terminal to answer at: give --yes to confirm")
        case .ask:
            Output.errors.write("\(PlainText.oneLine(question)) [y/N] ")
            return ConsentPrompt.isYes(readLine(strippingNewline: true))
        }
    }

    /// Reads a password from its source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - question: The question at the terminal.
    /// - Returns: The password, empty for none; nil if it stays the same.
    /// - Throws: ``CommandFailure`` if it cannot be read.
    package static func password(from source: PasswordSource, question: String) async throws -> String? {
        switch source {
        case .unchanged: return nil
        case .removed: return ""
        case .prompt: return try await SecretPrompt.read(question)
        case .standardInput:
            // An empty input from a failed command before the pipe must not remove the password.
            guard let line = readLine(strippingNewline: true), !line.isEmpty else {
                throw CommandFailure(
                    "there is no password on standard input; to take a password away use --no-password")
            }
            return line
        case .file(let path): return try SecretFile.firstLine(of: path, holding: "password")
        }
    }
}

/// Files with a password or a passphrase.
package enum SecretFile {
    /// The first line of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - what: Its content, for the text of an error.
    /// - Returns: The line.
    /// - Throws: ``CommandFailure`` if it cannot be read.
    package static func firstLine(of path: String, holding what: String) throws -> String {
        do {
            return PasswordSource.firstLine(of: try String(contentsOfFile: path, encoding: .utf8))
        } catch {
            throw CommandFailure.unreadable("the \(what) file", path, error)
        }
    }
}
