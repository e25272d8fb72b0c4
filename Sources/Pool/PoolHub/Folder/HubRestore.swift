public import PoolModel
import PoolStore
import SyncCore
import SyncStore
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

/// A backup of a hub on its way into the hub's place, while no hub runs.
///
/// A complete copy is made and checked beside the hub's folder first; then the two folders change places. A crash
/// leaves the hub as it was, or as it was backed up. The copy begins a new epoch, so that watches that know more than
/// the backup are asked for what it lacks.
public final class HubRestore {
    /// What is in a backup.
    public struct Contents: Hashable, Sendable {
        /// The revision of the configuration.
        public var revision: UInt64
        /// The names of the devices.
        public var devices: [String]
        /// How many readings it has; nil if it has none of its own, and those of the hub stay.
        public var readings: Int?
        /// The time of its latest sample.
        public var newestSample: Timestamp?
        /// Whether it is of the same hub, whose watches know its key; nil if there is no hub yet.
        public var isSameHub: Bool?
        /// Whether the passwords in it can be opened with the key of this machine; nil if there are none.
        public var opensPasswords: Bool?
    }

    /// What is in the backup, which was checked from end to end.
    public let contents: Contents

    private let path: String
    private let incoming: String
    /// Keeps a hub from starting meanwhile, or nil.
    private let held: StateFolder?

    /// Copies a backup beside a hub's folder, and checks it.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup; it is not changed.
    ///   - path: The hub's folder, which may not be there yet.
    ///   - keyPath: The folder of the key of the passwords; see ``HubFolder/init(path:keyPath:)``.
    /// - Throws: `FolderError` if the hub runs; ``HubRestoreError``, `StoreError` and `HistoryError` if the backup is
    ///   not complete; `FileStoreError` if the copy has no place for files. The hub is as it was then.
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
            // The failure is what matters; the rest goes at the next attempt.
            try? Self.remove(incoming)
            throw error
        }
    }

    deinit {
        // What is left goes at the next attempt.
        try? Self.remove(incoming)
    }

    /// Puts the copy in the place of the hub's folder; when it returns, it stays there also after a power cut.
    ///
    /// - Parameter now: The time, for the name under which the present state is kept.
    /// - Returns: Where the state before is kept, nil if there was none.
    /// - Throws: ``HubRestoreError``; the hub is as it was then. `FolderError`: the backup is in its place, but a power cut
    ///   could bring the state before back.
    public func finish(now: Timestamp) throws -> String? {
        guard held != nil else {
            try Self.rename(incoming, to: path)
            try StateFolder.settle(nameOf: path)
            return nil
        }
        let name = now.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        var aside = "\(path).before-\(name)Z"
        while FileManager.default.fileExists(atPath: aside) { aside += "-2" }
        // Under this name it changes places, so that at no moment the state before has a name that may be removed.
        try Self.rename(incoming, to: aside)
        if !Self.exchange(aside, path) {
            // A file system that cannot do it in one step.
            try Self.rename(aside, to: incoming)
            try Self.rename(path, to: aside)
            try Self.rename(incoming, to: path)
        }
        // All of these names are in one folder. Before it is on the disk, a power cut could bring the state before back.
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
        for name in [HubFolder.keyName, Secrets.sealedName] {
            // As a state folder names its secrets; the backup itself is only read, and may lie where nobody can write.
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

    /// The hub's key, after it and the sealed passwords were found to be what the backup was made with.
    private static func checkedKey(_ backup: String, in target: StateFolder) throws -> [UInt8] {
        guard let key = try target.readSecret(HubFolder.keyName) else { throw HubRestoreError.noKey(path: backup) }
        let sums = BackupSums(reading: "\(backup)/\(BackupSums.name).secret")
        for name in [HubFolder.keyName, Secrets.sealedName] {
            guard let bytes = try target.readSecret(name), let sums, !sums.confirms(bytes, named: name) else {
                continue
            }
            throw HubRestoreError.damaged(path: "\(backup)/\(name).secret")
        }
        do {
            // A backup of an earlier version has no sums.
            _ = try CurveKeyPair(secretKey: CurveSecretKey(bytes: key))
        } catch {
            throw HubRestoreError.damaged(path: "\(backup)/\(HubFolder.keyName).secret")
        }
        return key
    }

    /// Reads all of the copied ledger, and begins a new epoch in it.
    private static func beginNewEpoch(
        in target: StateFolder
    ) throws -> (UInt64, PoolConfiguration, [PeerKey: TransferState]) {
        var seeds = SystemRandomNumberGenerator()
        var generator = SplitMix64(seed: seeds.next())
        let store = try HubStore(in: target, firstEpoch: Epoch(number: generator.next()))
        let state = try store.load()
        let ledger = Ledger(state: state)
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(cells: state.cells, problems: &problems)
        let revision = state.version.revision
        try store.commit(ledger.prepareFork(generator: &generator))
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
        // A backup without readings: those that there are stay.
        if let own = held?.path(of: HubFolder.historyName), FileManager.default.fileExists(atPath: own) {
            let history = try HistoryStore(path: own)
            try history.backUp(to: path)
            try history.close()
        }
        return nil
    }

    /// Whether the copied passwords can be opened; those that cannot are not copied, since they would be in the way of
    /// new ones.
    private static func opensPasswords(
        of configuration: PoolConfiguration, in target: StateFolder, keys: StateFolder
    ) throws -> Bool? {
        guard try target.readSecret(Secrets.sealedName) != nil, let server = configuration.servers.first else {
            return nil
        }
        do {
            _ = try Secrets(target, keys: keys).password(of: server.id)
            return true
        } catch is SecretsError {
            try target.removeSecret(Secrets.sealedName)
            return false
        }
    }

    // MARK: - Folders

    private static func remove(_ path: String) throws {
        // The note of the version that a store writes beside its folder is of no use for a copy.
        for path in [path, path + ".guard"] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Lets two folders change their names in one step; false if the file system cannot.
    private static func exchange(_ first: String, _ second: String) -> Bool {
        #if canImport(Darwin)
            // The texts are read during the call only.
            return unsafe renamex_np(first, second, UInt32(RENAME_SWAP)) == 0
        #else
            // It is in the C libraries of today's systems, but not in what is imported of them.
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

// Within a type that has a function of this name, the system's needs another one.
private let systemRename = unsafe rename

/// Why a backup could not be put back.
@nonexhaustive
public enum HubRestoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder holds no complete backup.
    case noBackup(path: String)
    /// The backup lacks the hub's key.
    case noKey(path: String)
    /// A file of the backup is not what it was when the backup was made.
    case damaged(path: String)
    /// A folder could not get its name.
    case notNamed(path: String, name: String, errorNumber: Int32)

    /// The system's words for the number of an error.
    private static func words(_ number: Int32) -> String {
        // The C library returns a constant, or the thread's own buffer, which is copied at once.
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "unknown error"
    }

    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .noBackup(let path):
            "\(path) holds no complete backup of a hub (hub.sqlite is missing): name a folder that `hub backup` filled"
        case .noKey(let path):
            "\(path) lacks hub.key, by which watches know their hub: name a folder that `hub backup` filled"
        case .damaged(let path):
            "\(path) is damaged: put an undamaged copy of this file back, or name another folder that `hub backup` filled"
        case .notNamed(let path, let name, let number):
            "\(path) could not be renamed to \(name) (\(Self.words(number))): look at the folder above both"
        }
    }
}
