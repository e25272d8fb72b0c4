package import PoolModel

/// What a command asks about files that are shared with watches (P88).
package enum ShareRequest: Codable, Hashable, Sendable {
    /// Send a file of this machine to a watch; needs a hub that runs.
    case send(FileToShare)
    /// List the files that wait, are under way, or have come to an end lately.
    case list
    /// Give up a file that waits or is under way, by the start of its id; needs a hub that runs.
    case cancel(String)
}

/// A file that a person wants on a watch.
package struct FileToShare: Codable, Hashable, Sendable {
    /// The watch, by its name or the start of its key.
    package var watch: String
    /// The file, by its absolute path; it is copied at once.
    package var path: String
    /// The name that the watch is told; nil for the file's own.
    package var name: String?
    /// What the file is, if it is an export.
    package var export: ExportMetadata?

    /// Creates a request.
    package init(watch: String, path: String, name: String? = nil, export: ExportMetadata? = nil) {
        self.watch = watch
        self.path = path
        self.name = name
        self.export = export
    }
}
