import Foundation

/// A folder for one test; gone with this object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        // Short, because sockets lie in it.
        url = FileManager.default.temporaryDirectory.appending(path: "ps-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What cannot be removed is left to the system's cleaning of temporary files.
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Makes a pipe with a name.
    func fifo(_ name: String) throws -> String {
        guard unsafe mkfifo(path(name), 0o600) == 0 else { throw POSIXError(.EIO) }
        return path(name)
    }
}
