import Foundation

/// A new folder that only this user can read, for the temporary files of a command.
package enum ScratchFolder {
    /// Makes one in the environment's folder for temporary files.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of its name.
    ///   - environment: The variables; they may name the folder for temporary files.
    /// - Returns: Its path.
    /// - Throws: ``CommandFailure``.
    package static func make(prefix: String, environment: Environment) throws -> String {
        let preferred = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        // It contains sockets, whose paths must be short.
        let parent = preferred.utf8.count <= 40 ? preferred : "/tmp"
        // The call replaces the last six characters of a text that ends with a zero.
        let pattern = "\(prefix)-" + String(repeating: "X", count: 6)
        var template = Array("\(URL(filePath: parent).standardized.path)/\(pattern)".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw CommandFailure("cannot make a folder in \(parent): \(SystemErrorText.of(number: errno))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes one; prints on standard error what cannot be removed.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - program: The name of the program, for the error.
    package static func remove(_ path: String, program: String) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Output.errors.line("\(program): cannot remove \(path): \(SystemErrorText.of(error))")
        }
    }
}
