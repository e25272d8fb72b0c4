import Foundation
import SyncCore
import SyncSimulation
import Synchronization
import WatchConnectivity

/// The folders of a test where its apps' files really lie; they are removed with the test's pair.
final class PairFolders: Sendable {
    let root: URL

    /// Makes a folder of its own in the folder for temporary files.
    ///
    /// - Throws: What the file system says.
    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("TestPair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Removes all of it.
    func remove() {
        remove(root)
    }

    private func remove(_ url: URL) {
        // What cannot be removed lies in the folder for temporary files, which the system clears.
        try? FileManager.default.removeItem(at: url)
    }

    /// The bytes of an app's file; nil if none can be read.
    func content(of path: String) -> [UInt8]? {
        var isFolder: ObjCBool = false
        // The pointer is used during the call only.
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists, !isFolder.boolValue else { return nil }
        return FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// Lays a received file where the app finds it, alone in a folder of its own.
    func lay(_ bytes: [UInt8], of file: FileOffer, at address: Side) -> String {
        let folder = inbox(of: file, at: address)
        let url = folder.appendingPathComponent(file.name)
        // A file that cannot be laid is missing when the app looks for it, and the test says so.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(bytes).write(to: url)
        return url.path
    }

    /// Removes what the app has left of a received file.
    func remove(_ file: FileOffer, at address: Side) {
        remove(inbox(of: file, at: address))
    }

    private func inbox(of file: FileOffer, at address: Side) -> URL {
        root.appendingPathComponent("\(address.folder)/Inbox/\(file.id.hexadecimal)")
    }

    private func watchFolder(_ watch: Int) -> URL {
        root.appendingPathComponent("phone/for watch \(watch + 1)")
    }

    /// Makes the phone's folder for a watch, empty, or removes it.
    func setWatchDirectory(of watch: Int, exists: Bool) {
        remove(watchFolder(watch))
        guard exists else { return }
        // As above: anybody who looks for it sees that it is not there.
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
