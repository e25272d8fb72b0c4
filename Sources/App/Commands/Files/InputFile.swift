package import Foundation

/// A file that somebody names on the command line.
package enum InputFile {
    /// Its bytes.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - what: What it is for people, such as `the password file`.
    /// - Returns: The bytes.
    /// - Throws: `CommandFailure` that names it.
    package static func bytes(of path: String, _ what: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CommandFailure.unreadable(what, path, error)
        }
    }

    /// Its text without what stands around it.
    ///
    /// - Parameters:
    ///   - path: The file, in UTF-8.
    ///   - what: What it is for people.
    ///   - around: What is left out around it; blanks and ends of lines if nothing is said.
    /// - Returns: The text.
    /// - Throws: `CommandFailure` that names it.
    package static func text(
        of path: String, _ what: String, without around: CharacterSet = .whitespacesAndNewlines
    ) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: around)
        } catch {
            throw CommandFailure.unreadable(what, path, error)
        }
    }
}
