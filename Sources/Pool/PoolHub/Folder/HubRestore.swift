public import PoolModel
import PoolStore
import SyncCore
import SyncStore
import Vault
import ZeroMQ

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Restores a backup of a hub, while the hub does not run.
///
/// First a complete copy is created and checked next to the hub's folder; then the two folders are exchanged. After a
/// crash the hub is either unchanged or restored. The copy begins a new epoch, so that watches with newer data send it.
public final class HubRestore {
    /// The contents of a backup.
    public struct Contents: Hashable, Sendable {
        /// The revision of the configuration.
        public var revision: UInt64
        /// The names of the devices.
        public var devices: [String]
        /// The number of readings; nil if it has no history, so that the hub's history is kept.
        public var readings: Int?
        /// The time of its latest sample.
        public var newestSample: Timestamp?
        /// Whether it is a backup of the same hub; nil if there is no hub yet.
        public var isSameHub: Bool?
        /// Whether its passwords can be decrypted with the key of this machine; nil if there are none.
        public var opensPasswords: Bool?
    }

    /// The contents of the backup, which was checked completely.
    public let contents: Contents

    private let path: String
    private let incoming: String
    /// The hub's folder, kept open so that no hub starts meanwhile; nil if it does not exist.
    private let held: StateFolder?

    /// Copies a backup next to a hub's folder, and checks the copy.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup; it is not changed.
    ///   - path: The hub's folder, which may not exist yet.
    ///   - keyPath: The folder of the key of the passwords; see ``HubFolder/init(path:keyPath:)``.
    /// - Throws: `FolderError` if the hub runs; ``HubRestoreError``, `StoreError` and `HistoryError` if the backup is
    ///   not complete; `FileStoreError` if files cannot be stored. Then the hub is unchanged.
    public init(_ backup: String, to path: String, keyPath: String? = nil) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: "\(backup)/hub.sqlite") else { throw HubRestoreError.noBackup(path: backup) }
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
        held = files.fileExists(atPath: path) ? try StateFolder(path: path) : nil
        incoming = self.path + ".incoming"
        do {
            try Self.remove(incoming)
            let keys = try StateFolder(path: keyPath ?? HubFolder.defaultKeyPath(path: path))
            contents = try Self.copy(backup, to: incoming, keys: keys, held: held)
        } catch {
            // The first error matters; the rest is removed at the next attempt.
            try? Self.remove(incoming)
            throw error
        }
    }

    deinit {
        // The rest is removed at the next attempt.
        try? Self.remove(incoming)
    }

    /// Replaces the hub's folder with the copy; when it returns, that is durable.
    ///
    /// - Parameter now: The time, for the name of the replaced folder.
    /// - Returns: The path of the replaced folder; nil if there was none.
    /// - Throws: ``HubRestoreError``; then the hub is unchanged. `FolderError`: the copy is in its place, but a power cut
    ///   could undo that.
    public func finish(now: Timestamp) throws -> String? {
        guard held != nil else {
            try Self.rename(incoming, to: path)
            try StateFolder.settle(nameOf: path)
            return nil
        }
        let name = now.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        var aside = "\(path).before-\(name)Z"
        while FileManager.default.fileExists(atPath: aside) { aside += "-2" }
        // The exchange uses this name, so that the replaced folder never has a name that may be removed.
        try Self.rename(incoming, to: aside)
        if !Self.exchange(aside, path) {
            // The file system cannot exchange them in one step.
            try Self.rename(aside, to: incoming)
            try Self.rename(path, to: aside)
            try Self.rename(incoming, to: path)
        }
        // All of these names are in one folder. Until it is on the disk, a power cut could undo the exchange.
        try StateFolder.settle(nameOf: path)
        return aside
    }

    // MARK: - The copy

    private static func copy(
        _ backup: String, to incoming: String, keys: StateFolder, held: StateFolder?
    ) throws -> Contents {
        let target = try StateFolder(path: incoming)
        let files = FileManager.default
        for name in ["hub.sqlite", "hub.sqlite-wal"] where files.fileExists(atPath: "\(backup)/\(name)") {
            try files.copyItem(atPath: "\(backup)/\(name)", toPath: target.path(of: name))
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path(of: name))
        }
        for name in [HubFolder.keyName, SealedSecrets.sealedName] {
            // This is the name of a secret in a state folder; the backup is only read, and may be on a read-only disk.
            let file = "\(backup)/\(name).secret"
            guard let bytes = files.contents(atPath: file) else { continue }
            try target.writeSecret(name, Array(bytes))
        }
        let key = try checkedKey(backup, in: target)
        let (revision, configuration, queues) = try beginNewEpoch(in: target)
        if let held { try HubFiles.carryOver(queues, from: held, to: target) }
        let history = try copyHistory(backup, to: target, held: held)
        return Contents(
            revision: revision, devices: configuration.devices.map(\.name).sorted(), readings: history?.readingCount,
            newestSample: history?.newestSample, isSameHub: try held?.readSecret(HubFolder.keyName).map { $0 == key },
            opensPasswords: try opensPasswords(of: configuration, in: target, keys: keys))
    }

    /// The hub's key, after its checksum and that of the encrypted passwords were checked.
    private static func checkedKey(_ backup: String, in target: StateFolder) throws -> [UInt8] {
        guard let key = try target.readSecret(HubFolder.keyName) else { throw HubRestoreError.noKey(path: backup) }
        guard let sums = BackupSums(reading: "\(backup)/\(BackupSums.name).secret") else {
            throw HubRestoreError.noChecksums(path: backup)
        }
        for name in [HubFolder.keyName, SealedSecrets.sealedName] {
            guard let bytes = try target.readSecret(name), !sums.confirms(bytes, named: name) else { continue }
            throw HubRestoreError.damaged(path: "\(backup)/\(name).secret")
        }
        do {
            // It may have been damaged before the backup.
            _ = try CurveKeyPair(secretKey: CurveSecretKey(bytes: key))
        } catch {
            throw HubRestoreError.damaged(path: "\(backup)/\(HubFolder.keyName).secret")
        }
        return key
    }

    /// Reads the whole copied ledger, and begins a new epoch in it.
    private static func beginNewEpoch(
        in target: StateFolder
    ) throws -> (UInt64, PoolConfiguration, [PeerKey: TransferState]) {
        let store = try HubStore(in: target)
        let state = try store.load()
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(cells: state.cells, problems: &problems)
        let revision = state.version.revision
        try store.beginEpoch()
        let queues = try store.transfers()
        store.close()
        return (revision, configuration, queues)
    }

    private static func copyHistory(
        _ backup: String, to target: StateFolder, held: StateFolder?
    ) throws -> BackupReport? {
        let source = "\(backup)/\(HubFolder.historyName)"
        let path = target.path(of: HubFolder.historyName)
        if FileManager.default.fileExists(atPath: source) { return try HistoryBackup.restore(source, to: path) }
        // The backup has no history, so the hub's history is kept.
        if let own = held?.path(of: HubFolder.historyName), FileManager.default.fileExists(atPath: own) {
            let history = try HistoryStore(path: own)
            try history.backUp(to: path)
            try history.close()
        }
        return nil
    }

    /// Whether the copied passwords can be decrypted; otherwise their file is removed, so that new ones can be stored.
    private static func opensPasswords(
        of configuration: PoolConfiguration, in target: StateFolder, keys: StateFolder
    ) throws -> Bool? {
        guard try target.readSecret(SealedSecrets.sealedName) != nil, let server = configuration.servers.first else {
            return nil
        }
        do {
            _ = try Secrets(target, keys: keys).password(of: server.id)
            return true
        } catch is SecretsError {
            try target.removeSecret(SealedSecrets.sealedName)
            return false
        }
    }

    // MARK: - Folders

    private static func remove(_ path: String) throws {
        // The file with the store's version next to its folder is also removed.
        for path in [path, path + ".guard"] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Exchanges two folders in one step; false if the file system cannot.
    private static func exchange(_ first: String, _ second: String) -> Bool {
        #if canImport(Darwin)
            // The texts are read during the call only.
            return unsafe renamex_np(first, second, UInt32(RENAME_SWAP)) == 0
        #else
            // It is in the C libraries of current systems, but not in the imported headers.
            guard let found = unsafe dlsym(nil, "renameat2") else { return false }
            typealias Path = UnsafePointer<CChar>
            typealias RenameAt2 = @convention(c) (Int32, Path, Int32, Path, UInt32) -> Int32
            // Linux, renameat2(2); its flag RENAME_EXCHANGE is 2. The texts are read during the call only.
            let rename = unsafe unsafeBitCast(found, to: RenameAt2.self)
            return unsafe rename(AT_FDCWD, first, AT_FDCWD, second, 2) == 0
        #endif
    }

    private static func rename(_ old: String, to new: String) throws {
        // The texts are read during the call only.
        guard unsafe systemRename(old, new) == 0 else {
            throw HubRestoreError.notNamed(path: old, name: new, errorNumber: errno)
        }
    }
}

// A type with a function of this name cannot call the system's function by its own name.
private let systemRename = unsafe rename

/// Why a backup could not be restored.
@nonexhaustive
public enum HubRestoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder contains no complete backup.
    case noBackup(path: String)
    /// The backup lacks the hub's key.
    case noKey(path: String)
    /// The backup lacks the checksums of its secrets.
    case noChecksums(path: String)
    /// A file of the backup is damaged.
    case damaged(path: String)
    /// A folder could not be renamed.
    case notNamed(path: String, name: String, errorNumber: Int32)

    /// The system's text for an error number.
    private static func words(_ number: Int32) -> String {
        // The C library returns a constant, or the thread's own buffer, which is copied at once.
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "unknown error"
    }

    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .noBackup(let path):
            "\(path) holds no complete backup of a hub (hub.sqlite is missing): name a folder that `hub backup` filled"
        case .noKey(let path):
            "\(path) lacks hub.key, by which watches know their hub: name a folder that `hub backup` filled"
        case .noChecksums(let path):
            "\(path) lacks checksums.secret, by which damage is found: name a folder that `hub backup` filled"
        case .damaged(let path):
            "\(path) is damaged: restore an undamaged copy of this file, or name another folder that `hub backup` filled"
        case .notNamed(let path, let name, let number):
            "\(path) could not be renamed to \(name) (\(Self.words(number))): look at the folder above both"
        }
    }
}
