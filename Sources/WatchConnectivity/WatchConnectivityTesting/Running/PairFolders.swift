import Foundation
import SyncCore
import SyncSimulation
import WatchConnectivity

/// The folders with the real files of a test's apps; they are removed with the test's pair.
final class PairFolders: Sendable {
    let root: URL

    /// Creates a separate folder in the folder for temporary files.
    ///
    /// - Throws: The error of the file system.
    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("TestPair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        DocumentsFolder.create()
    }

    /// Removes all folders.
    func remove() {
        remove(root)
    }

    private func remove(_ url: URL) {
        // Anything that cannot be removed stays in the folder for temporary files, which the system clears.
        try? FileManager.default.removeItem(at: url)
    }

    /// The bytes of an app's file; nil if it cannot be read.
    func content(of path: String) -> [UInt8]? {
        var isFolder: ObjCBool = false
        // The pointer is used during the call only.
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists, !isFolder.boolValue else { return nil }
        return FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// Writes a received file into a separate folder, where the app finds it.
    func lay(_ bytes: [UInt8], of file: FileOffer, at address: Side) -> String {
        let folder = inbox(of: file, at: address)
        let url = folder.appendingPathComponent(file.name)
        // A file that cannot be written is missing when the app looks for it, and the test reports that.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(bytes).write(to: url)
        return url.path
    }

    /// Removes a received file, if the app has left it there.
    func remove(_ file: FileOffer, at address: Side) {
        remove(inbox(of: file, at: address))
    }

    private func inbox(of file: FileOffer, at address: Side) -> URL {
        root.appendingPathComponent("\(address.folder)/Inbox/\(file.id.hexadecimal)")
    }

    private func watchFolder(_ watch: Int) -> URL {
        root.appendingPathComponent("phone/for watch \(watch + 1)")
    }

    /// Creates the phone's folder for a watch, empty, or removes it.
    func setWatchDirectory(of watch: Int, exists: Bool) {
        remove(watchFolder(watch))
        guard exists else { return }
        // As above: code that looks for it finds that it does not exist.
        try? FileManager.default.createDirectory(at: watchFolder(watch), withIntermediateDirectories: true)
    }

    func watchDirectory(of watch: Int) -> String? {
        let path = watchFolder(watch).path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}

extension Side {
    fileprivate var folder: String { role == .phone ? "phone/of watch \(watch + 1)" : "watch \(watch + 1)" }
}
