import Foundation

/// Reads a password: at a terminal without showing it, else the first line of the input.
package enum PasswordPrompt {
    /// Asks for it.
    ///
    /// - Throws: ``CommandFailure`` if none comes in.
    package static func read(_ question: String) async throws -> String {
        if SecretPrompt.isAvailable { return try await SecretPrompt.read(question) }
        guard let line = readLine() else { throw CommandFailure("no password came in: send it as a line") }
        return line
    }
}
