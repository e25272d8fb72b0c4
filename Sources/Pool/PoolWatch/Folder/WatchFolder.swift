import Platform
internal import PoolModel
import Service
package import SyncCore
import SyncStore
public import SyncTransport
public import ZeroMQ

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The folder of one watch: its keys, the hub that it is paired with, and its received data.
///
/// Nobody else can open the folder while this value, or the ``PoolWatch`` that took it over, exists. Its files are
/// for this user only: `watch.key.secret` is the watch's secret key, 32 bytes; `hub.secret` is the hub as JSON (not
/// secret, but anybody who could change it could connect the watch to another hub); `watch.sqlite` contains the
/// received data.
public struct WatchFolder: ~Copyable, Sendable {
    /// The keys of the watch, created when the folder was opened for the first time.
    public let keys: CurveKeyPair
    /// The hub that the watch is paired with; nil before the first pairing.
    public private(set) var hub: PairedHub?
    private let folder: StateFolder

    /// The application name of the watch, so that a hub of another application does not pair it.
    package static let app: AppName = "poolsensors"
    private static let keyName = "watch.key"
    private static let hubName = "hub"
    private static let nameByteCounts = 1...64

    /// Opens a folder, or creates it in an existing folder.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `FolderError`, also if another process uses the folder; ``WatchFolderError``.
    public init(path: String) throws {
        let folder = try StateFolder(path: path)
        let keys = try Self.keys(in: folder)
        let hub = try Self.hub(in: folder)
        self.folder = folder
        self.keys = keys
        self.hub = hub
    }

    /// Opens a folder as ``init(path:)`` does; waits a few seconds while another process uses it.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The folder.
    /// - Throws: The same as ``init(path:)``.
    package static func waiting(path: String) async throws -> WatchFolder {
        try await FolderWaitPolicy().open {
            try WatchFolder(path: path)
        } while: { error in
            if case FolderError.inUse = error { true } else { false }
        }
    }

    /// Whether the watch of a folder is paired with a hub; the folder is not opened.
    public static func isPaired(path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(hubName).secret")
    }

    /// The path of the folder.
    public var path: String { folder.path }

    /// The endpoint at which the running watch of a folder answers commands.
    ///
    /// - Throws: `EndpointError` if the path is too long for a socket; then use a folder with a shorter path.
    static func controlEndpoint(path: String) throws -> String {
        try service(path: path).controlEndpoint().text
    }

    /// The folder of a watch as that of a service.
    static func service(path: String) -> ServiceFolder {
        ServiceFolder(path: path, noun: "watch", startAdvice: "start it with: poolsensors watch")
    }

    /// Pairs the watch with the hub of an invitation, and stores that durably.
    ///
    /// If it is already paired with that hub, the watch keeps its received data. With any other hub it deletes them,
    /// because the other hub has another history.
    ///
    /// - Parameters:
    ///   - code: The invitation.
    ///   - name: The name that the watch asks for; 1…64 bytes in UTF-8.
    ///   - patience: The time limit.
    /// - Returns: The hub, with the name that it uses for the watch.
    /// - Throws: `LinkError` if the hub declined or did not answer, ``WatchFolderError/nameUnfit(_:)``, and the
    ///   errors of the disk. The same watch can try the same invitation again.
    public mutating func pair(
        _ code: InvitationCode, name: String, patience: Duration = .seconds(30)
    ) async throws -> PairedHub {
        try Self.check(name: name)
        let givenName = try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: Self.app, patience: patience)
        let paired = PairedHub(endpoint: code.endpoint, key: code.hubKey, name: givenName)
        // In this order a crash leaves the old hub without received data, which it sends again; in the other order
        // the new hub would appear with the old hub's readings.
        if paired.key != hub?.key { try forget() }
        try folder.writeSecret(Self.hubName, paired.json)
        hub = paired
        return paired
    }

    /// Rejects a name that the hub would not accept.
    static func check(name: String) throws(WatchFolderError) {
        guard nameByteCounts.contains(name.utf8.count) else { throw .nameUnfit(name) }
        if let scalar = HiddenCharacter.find(in: name) { throw .nameSteers(scalar) }
    }

    /// Opens the received data; the store then holds the folder.
    func openStore() throws -> WatchStore {
        try WatchStore(in: folder)
    }

    /// Opens the last notices; they hold the folder until they are closed.
    func openNotices() throws -> NoticeStore {
        try NoticeStore(in: folder)
    }

    /// Opens the received files and those being received; they hold the folder until they are closed.
    func files(keeping state: FileExchange.State) throws -> WatchFiles {
        try WatchFiles(in: folder, keeping: state)
    }

    /// Deletes the received data.
    private func forget() throws {
        try folder.removeSecret(NoticeStore.name)
        // Opened once more, so that SQLite cleans up its other files.
        let store = try WatchStore(in: folder)
        // Received files belong to the person, whichever hub they are from; the received data alone would still list
        // these.
        let received = try store.load().transfers.files
        let files = try files(keeping: received)
        let now = Timestamp(milliseconds: Moment.now.wallMilliseconds)
        for offer in received.received { _ = try files.take(offer, at: now) }
        store.close()
        // The main file first: a journal without its file is treated as damage and moved aside, never used as new.
        for path in ["", "-wal", "-shm", "-journal"].map({ store.path + $0 })
        where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    // MARK: - The files

    private static func keys(in folder: StateFolder) throws -> CurveKeyPair {
        guard let bytes = try folder.readSecret(keyName) else {
            let keys = try CurveKeyPair()
            try folder.writeSecret(keyName, keys.secretKey.bytes)
            return keys
        }
        do {
            return try CurveKeyPair(secretKey: try CurveSecretKey(bytes: bytes))
        } catch is CurveKeyError {
            throw WatchFolderError.keyUnreadable(path: folder.path(of: keyName + ".secret"))
        }
    }

    private static func hub(in folder: StateFolder) throws -> PairedHub? {
        guard let json = try folder.readSecret(hubName) else { return nil }
        do {
            return try PairedHub(json: json)
        } catch {
            throw WatchFolderError.hubUnreadable(path: folder.path(of: hubName + ".secret"), reason: "\(error)")
        }
    }
}
