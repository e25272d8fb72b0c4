import Foundation
import UnixSignals

/// Asks the person at the terminal for something that the terminal does not show.
package enum SecretPrompt {
    /// Whether a person can be asked.
    package static var isAvailable: Bool { isatty(0) == 1 && Output.errors.isTerminal }

    /// Reads a line that the terminal does not show.
    ///
    /// Afterwards the terminal is restored, also when a signal ends the command meanwhile.
    ///
    /// - Parameter question: The question, which goes to standard error.
    /// - Returns: The line; it may be empty.
    /// - Throws: ``CommandFailure`` if nothing was typed, or a signal came.
    package static func read(_ question: String) async throws -> String {
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
