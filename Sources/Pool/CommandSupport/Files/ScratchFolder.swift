import Foundation

/// A new folder of this user alone, for what goes with a command.
package enum ScratchFolder {
    /// Makes one where the environment wants temporary folders.
    ///
    /// - Parameters:
    ///   - prefix: What its name begins with.
    ///   - environment: Tells where temporary folders are.
    /// - Returns: Its path.
    /// - Throws: ``CommandFailure``.
    package static func make(prefix: String, environment: Environment) throws -> String {
        let wished = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        // Sockets lie in it, and their paths are short.
        let parent = wished.utf8.count <= 40 ? wished : "/tmp"
        // The call puts a name in place of the last six characters of a text that ends with a zero.
        let pattern = "\(prefix)-" + String(repeating: "X", count: 6)
        var template = Array("\(URL(filePath: parent).standardized.path)/\(pattern)".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw CommandFailure("cannot make a folder in \(parent): \(SystemErrorText.of(number: errno))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes one; what cannot be removed is said on standard error.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - program: The name of the program that says so.
    package static func remove(_ path: String, program: String) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Output.errors.line("\(program): cannot remove \(path): \(SystemErrorText.of(error))")
        }
    }
}
