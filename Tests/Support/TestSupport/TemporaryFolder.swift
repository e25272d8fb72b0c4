public import Foundation

/// An empty folder that only this user may list; gone with this object.
///
/// Others may open a file whose name they know, since some tests give up their privileges.
public final class TemporaryFolder: Sendable {
    /// The folder, whose path is short because sockets lie in it.
    public let url: URL

    /// Makes a folder whose name nobody else has.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ps-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
    }

    deinit {
        // Some tests take the permission to write away; what cannot be removed is left to the system.
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of the folder.
    public var path: String { url.path }

    /// The path of a file in it, whether there is one or not.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Makes a pipe with a name.
    public func fifo(_ name: String) throws -> String {
        guard unsafe mkfifo(path(name), 0o600) == 0 else { throw POSIXError(.EIO) }
        return path(name)
    }
}
