import CommandSupport
import Foundation
import Synchronization
import UnixSignals

/// Asks the person at the terminal.
///
/// Questions go to standard error, so that standard output has only results.
enum Prompt {
    /// Whether a person can be asked.
    static var isAvailable: Bool { isatty(0) == 1 && Output.errors.isTerminal }

    /// Asks for consent, if necessary.
    ///
    /// - Returns: Whether the action may be done; false after a no.
    /// - Throws: ``CommandFailure`` if no person can be asked.
    static func confirm(_ question: String, isAnswered: Bool) throws -> Bool {
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
    static func password(from source: PasswordSource, question: String) async throws -> String? {
        switch source {
        case .unchanged: return nil
        case .removed: return ""
        case .prompt: return try await secret(question)
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

    /// Reads a line that the terminal does not show.
    ///
    /// Afterwards the terminal is restored, also when a signal ends the command meanwhile.
    static func secret(_ question: String) async throws -> String {
        // In this order, when a signal comes, either the terminal is unchanged or there is code that restores it.
        let signals = await stopSignals()
        let echo = try HiddenInput()
        Output.errors.write("\(PlainText.oneLine(question)): ")
        let (answers, source) = AsyncStream<String?>.makeStream()
        Thread.detachNewThread {
            source.yield(readLine(strippingNewline: true))
            source.finish()
        }
        let answer = await withTaskGroup(of: String??.self) { group in
            group.addTask {
                for await answer in answers { return answer }
                return .some(nil)
            }
            group.addTask {
                for await _ in signals { return .none }
                return .none
            }
            let first = await group.next() ?? .none
            group.cancelAll()
            return first
        }
        echo.restore()
        Output.errors.line("")
        guard case .some(let line) = answer else { throw CommandFailure("interrupted", exitStatus: .interrupted) }
        guard let line else { throw CommandFailure("nothing was typed") }
        return line
    }
}

/// Files with a password or a passphrase.
enum SecretFile {
    /// The first line of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - what: Its content, for the text of an error.
    /// - Returns: The line.
    /// - Throws: ``CommandFailure`` if it cannot be read.
    static func firstLine(of path: String, holding what: String) throws -> String {
        do {
            return PasswordSource.firstLine(of: try String(contentsOfFile: path, encoding: .utf8))
        } catch {
            throw CommandFailure.unreadable("the \(what) file", path, error)
        }
    }
}

/// The terminal without its echo.
private struct HiddenInput {
    private let before: termios

    init() throws {
        var settings = termios()
        // Both calls only use the structure that they are given.
        guard unsafe tcgetattr(0, &settings) == 0 else {
            throw CommandFailure("cannot hide what is typed: \(SystemErrorText.of(number: errno))")
        }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(0, TCSAFLUSH, &settings) == 0 else {
            throw CommandFailure("cannot hide what is typed: \(SystemErrorText.of(number: errno))")
        }
    }

    func restore() {
        var settings = before
        _ = unsafe tcsetattr(0, TCSAFLUSH, &settings)
    }
}
