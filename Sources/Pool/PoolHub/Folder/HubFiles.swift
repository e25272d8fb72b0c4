import Platform
import SyncCore
import SyncStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files that a hub exchanges with its watches: a folder for each of them in the hub's own.
final class HubFiles: Sendable {
    private static let prefix = "files-"
    private let folder: StateFolder
    private let stores = Lock<[PeerKey: FileStore]>([:])

    /// Uses a folder, and removes what nobody waits for any more: before the hub runs.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - queues: What the engine knows of each watch.
    /// - Throws: `FileStoreError`.
    init(in folder: StateFolder, keeping queues: [PeerKey: TransferState]) throws {
        self.folder = folder
        let wanted = Dictionary(queues.map { (Self.name(of: $0.key), $0.key) }) { $1 }
        // A folder that cannot be listed is no obstacle: what is superfluous goes at another start.
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

    /// Removes the files of a watch that is not paired any more.
    func forget(_ watch: PeerKey) {
        stores.withLock { _ = $0.removeValue(forKey: watch) }
        Self.forget(watch, in: folder)
    }

    /// Removes the files of a watch that is not paired any more, in the folder of a hub at rest.
    static func forget(_ watch: PeerKey, in folder: StateFolder) {
        remove(name(of: watch), in: folder)
    }

    /// Gives a hub's folder that is put back the copies that its queues name and the present folder has.
    ///
    /// A backup has the queues, but not the copies: they may be as large as the disk.
    ///
    /// - Parameters:
    ///   - queues: What the engine of the hub that is put back knows of each watch.
    ///   - present: The folder of the hub as it is, which keeps its copies.
    ///   - target: The folder that takes its place.
    /// - Throws: `FileStoreError`, or why a copy finds no place.
    static func carryOver(
        _ queues: [PeerKey: TransferState], from present: StateFolder, to target: StateFolder
    ) throws {
        for (watch, queue) in queues where !queue.files.queue.isEmpty {
            let place = name(of: watch)
            // Makes the folders, for this user only.
            _ = try FileStore(in: target, peer: place)
            for queued in queue.files.queue {
                let name = "\(place)/outgoing/\(queued.file)"
                // A backup comes from anywhere, and its names are to stay in their folder.
                guard RandomID(hexadecimal: queued.file) != nil,
                    FileManager.default.fileExists(atPath: present.path(of: name))
                else { continue }
                try link(present.path(of: name), to: target.path(of: name))
                try StateFolder.settle(nameOf: target.path(of: name))
            }
        }
    }

    /// Gives a file a second name, or copies it where the file system has no such thing.
    private static func link(_ file: String, to name: String) throws {
        do {
            try FileManager.default.linkItem(atPath: file, toPath: name)
        } catch {
            try FileManager.default.copyItem(atPath: file, toPath: name)
            try StateFolder.settle(contentsOf: name)
        }
    }

    private static func remove(_ name: String, in folder: StateFolder) {
        // Nothing depends on it: the next start tries again.
        try? FileManager.default.removeItem(atPath: folder.path(of: name))
    }

    private static func name(of watch: PeerKey) -> String { prefix + watch.hexadecimal.prefix(32) }
}
