import Foundation

/// The folder of a demo: a new one that goes with it, or one that the user named and keeps.
struct DemoFolder: Sendable {
    /// The folder; an absolute path.
    let path: String
    /// Whether it stays when the demo has ended.
    let isKept: Bool

    /// Makes the folder.
    ///
    /// - Parameters:
    ///   - named: The folder that the user named; nil for a temporary one.
    ///   - environment: Tells where temporary folders are.
    ///   - isKept: Whether a temporary folder stays.
    /// - Throws: ``CommandFailure`` if it cannot be made, or holds something already.
    init(named: String?, environment: Environment, isKept: Bool) throws {
        if let named {
            path = StateFolders(path: named, environment: environment).root
            self.isKept = true
            try Self.makeEmpty(path)
        } else {
            path = try Self.temporary(environment)
            self.isKept = isKept
        }
    }

    /// Removes the folder unless it is kept.
    ///
    /// - Returns: The sentence that says where it is, if it is kept.
    @discardableResult
    func tidyUp() -> String? {
        if isKept { return "state and logs are in \(path)" }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Output.errors.line("poolsensors: cannot remove \(path): \(SystemErrorText.of(error))")
        }
        return nil
    }

    private static func makeEmpty(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
                throw CommandFailure("\(path) is not empty: name a new folder for the demo with --state")
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("cannot use \(path): \(SystemErrorText.of(error)); name another folder with --state")
        }
    }

    private static func temporary(_ environment: Environment) throws -> String {
        let wished = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        // Sockets lie in it, and their paths are short.
        let parent = wished.utf8.count <= 40 ? wished : "/tmp"
        // The call puts a name in place of the last six characters of a text that ends with a zero.
        let pattern = "poolsensors-demo-" + String(repeating: "X", count: 6)
        var template = Array("\(URL(filePath: parent).standardized.path)/\(pattern)".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw CommandFailure("cannot make a folder in \(parent): \(SystemErrorText.of(number: errno))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
