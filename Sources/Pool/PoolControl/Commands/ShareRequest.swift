package import PoolModel

/// A command about files that are shared with watches.
package enum ShareRequest: Codable, Hashable, Sendable {
    /// Send a file of this machine to a watch. The hub must be running.
    case send(FileToShare)
    /// List the files that are queued, being sent or recently finished.
    case list
    /// Cancel a file that is queued or being sent. The hub must be running.
    case cancel(SharedFileID)
}

/// A file to share with a watch.
package struct FileToShare: Codable, Hashable, Sendable {
    /// The watch that gets the file.
    package var watch: WatchID
    /// The absolute path of the file.
    ///
    /// The file is copied at once.
    package var path: String
    /// The name to show on the watch; nil for the file's own.
    package var name: String?
    /// The metadata of the export; nil if the file is not an export.
    package var export: ExportMetadata?

    /// Creates a request.
    package init(watch: WatchID, path: String, name: String? = nil, export: ExportMetadata? = nil) {
        self.watch = watch
        self.path = path
        self.name = name
        self.export = export
    }
}
