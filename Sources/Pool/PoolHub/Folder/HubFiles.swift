import Platform
import SyncCore
import SyncStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files that a hub exchanges with its watches: a subfolder of the hub's folder for each watch.
final class HubFiles: Sendable {
    private static let prefix = "files-"
    private let folder: StateFolder
    private let stores = Lock<[PeerKey: FileStore]>([:])

    /// Opens the files of a folder, and removes those that are no longer needed; called before the hub runs.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - queues: The engine's transfers with each watch.
    /// - Throws: `FileStoreError`.
    init(in folder: StateFolder, keeping queues: [PeerKey: TransferState]) throws {
        self.folder = folder
        let wanted = Dictionary(queues.map { (Self.name(of: $0.key), $0.key) }) { $1 }
        // If the folder cannot be listed, the files are removed at another start.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(Self.prefix) {
            guard let watch = wanted[name], let queue = queues[watch] else {
                Self.remove(name, in: folder)
                continue
            }
            try store(with: watch).removeAbandoned(keeping: queue.files)
        }
    }

    /// The files exchanged with a watch.
    ///
    /// - Throws: `FileStoreError`.
    func store(with watch: PeerKey) throws -> FileStore {
        try stores.withLock { stores in
            if let store = stores[watch] { return store }
            let store = try FileStore(in: folder, peer: Self.name(of: watch))
            stores[watch] = store
            return store
        }
    }

    /// Removes the files of a watch that is no longer paired.
    func forget(_ watch: PeerKey) {
        stores.withLock { _ = $0.removeValue(forKey: watch) }
        Self.forget(watch, in: folder)
    }

    /// Removes the files of a watch that is no longer paired from the folder of a hub that does not run.
    static func forget(_ watch: PeerKey, in folder: StateFolder) {
        remove(name(of: watch), in: folder)
    }

    /// Adds the queued files to a restored folder, from the current folder.
    ///
    /// A backup contains the queues, but not the files, because these may be very large.
    ///
    /// - Parameters:
    ///   - queues: The restored engine's transfers with each watch.
    ///   - present: The current folder of the hub, which keeps its files.
    ///   - target: The restored folder.
    /// - Throws: `FileStoreError`, or why a file cannot be added.
    static func carryOver(
        _ queues: [PeerKey: TransferState], from present: StateFolder, to target: StateFolder
    ) throws {
        for (watch, queue) in queues where !queue.files.queue.isEmpty {
            let place = name(of: watch)
            // This creates the folders, for this user only.
            _ = try FileStore(in: target, peer: place)
            for queued in queue.files.queue {
                let name = "\(place)/outgoing/\(queued.file)"
                // The backup may come from elsewhere, and its names must not lead out of the folder.
                guard RandomID(hexadecimal: queued.file) != nil,
                    FileManager.default.fileExists(atPath: present.path(of: name))
                else { continue }
                try link(present.path(of: name), to: target.path(of: name))
                try StateFolder.settle(nameOf: target.path(of: name))
            }
        }
    }

    /// Creates a hard link, or a copy if the file system has no hard links.
    private static func link(_ file: String, to name: String) throws {
        do {
            try FileManager.default.linkItem(atPath: file, toPath: name)
        } catch {
            try FileManager.default.copyItem(atPath: file, toPath: name)
            try StateFolder.settle(contentsOf: name)
        }
    }

    private static func remove(_ name: String, in folder: StateFolder) {
        // If it fails, the next start tries again.
        try? FileManager.default.removeItem(atPath: folder.path(of: name))
    }

    private static func name(of watch: PeerKey) -> String { prefix + watch.hexadecimal.prefix(32) }
}
