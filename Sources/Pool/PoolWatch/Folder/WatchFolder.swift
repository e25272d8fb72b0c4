internal import FoundationEssentials
internal import PoolModel
internal import SyncCore
public import SyncStore
public import SyncTransport
public import ZeroMQ

/// The folder of one watch: its keys, the hub that it is paired with, and the memory of what it received.
///
/// Nobody else can open the folder while this value, or the ``PoolWatch`` that took it over, lives. Its files are for
/// this user only: `watch.key.secret` is the watch's secret key, 32 bytes; `hub.secret` the hub as JSON (no secret, but
/// anybody who could change it could send the watch to another hub), `watch.sqlite` the memory.
public struct WatchFolder: ~Copyable, Sendable {
    /// The keys of the watch; made when the folder was opened for the first time.
    public let keys: CurveKeyPair
    /// The hub that the watch is paired with, nil before the first pairing.
    public private(set) var hub: PairedHub?
    private let folder: StateFolder

    /// The application that a watch names, so that no other one's hub pairs it.
    static let app: AppName = "poolsensors"
    private static let keyName = "watch.key"
    private static let hubName = "hub"
    private static let nameByteCounts = 1...64

    /// Opens a folder, or creates it in a folder that exists.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `FolderError`, also if another process holds the folder; ``WatchFolderError``.
    public init(path: String) throws {
        let folder = try StateFolder(path: path)
        let keys = try Self.keys(in: folder)
        let hub = try Self.hub(in: folder)
        self.folder = folder
        self.keys = keys
        self.hub = hub
    }

    /// Opens a folder as ``init(path:)`` does; waits a few seconds while another process has it.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - patience: How long to wait.
    ///   - isInVain: Whether there is no need to wait for the process that has it, such as one that can be asked
    ///     instead.
    /// - Returns: The folder.
    /// - Throws: As ``init(path:)``.
    public static func waiting(
        path: String, patience: FolderWaitPolicy = FolderWaitPolicy(), unless isInVain: () -> Bool = { false }
    ) async throws -> WatchFolder {
        try await patience.open {
            try WatchFolder(path: path)
        } while: { error in
            if case FolderError.inUse = error { !isInVain() } else { false }
        }
    }

    /// The path of the folder.
    public var path: String { folder.path }

    /// The endpoint at which the running watch of a folder answers commands.
    ///
    /// - Throws: `EndpointError` if the path is too long for a socket; a shorter folder is the way out.
    static func controlEndpoint(path: String) throws -> String {
        try Endpoint("ipc://\(path)/control").text
    }

    /// Pairs the watch with the hub of an invitation, and remembers that durably.
    ///
    /// With the hub that it is paired with already, the watch keeps what it received. With any other hub it forgets
    /// that: the other hub has another history.
    ///
    /// - Parameters:
    ///   - code: The invitation.
    ///   - name: The name that the watch would like to have; 1…64 bytes in UTF-8.
    ///   - patience: How long to try.
    /// - Returns: The hub, with the name that it gave to the watch.
    /// - Throws: `LinkError` if the hub declined or did not answer, ``WatchFolderError/nameUnfit(_:)``, and the errors
    ///   of the disk. The same invitation can be tried again with the same watch.
    public mutating func pair(
        _ code: InvitationCode, name: String, patience: Duration = .seconds(30)
    ) async throws -> PairedHub {
        try Self.check(name: name)
        let givenName = try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: Self.app, patience: patience)
        let paired = PairedHub(endpoint: code.endpoint, key: code.hubKey, name: givenName)
        // In this order a crash leaves the old hub with an empty memory, which it fills again; in the other one the
        // new hub would appear with the old hub's readings.
        if paired.key != hub?.key { try forget() }
        try folder.writeSecret(Self.hubName, paired.json)
        hub = paired
        return paired
    }

    /// Refuses a name that the hub would not take.
    static func check(name: String) throws(WatchFolderError) {
        guard nameByteCounts.contains(name.utf8.count) else { throw .nameUnfit(name) }
        if let scalar = ControlCharacter.find(in: name) { throw .nameSteers(scalar) }
    }

    /// Opens the memory; it holds the folder from then on.
    func openStore() throws -> WatchStore {
        try WatchStore(in: folder)
    }

    /// Opens what is kept of the last notices; it holds the folder until it is given back.
    func noticeBook() throws -> NoticeStore {
        try NoticeStore(in: folder)
    }

    /// Opens the files that came and those that are on their way; they hold the folder until they are given back.
    func files(keeping state: FileExchange.State) throws -> WatchFiles {
        try WatchFiles(in: folder, keeping: state)
    }

    /// Removes the memory.
    private func forget() throws {
        try folder.removeSecret(NoticeStore.name)
        // Opened once more, so that what SQLite keeps beside the file is tidied up.
        let store = try WatchStore(in: folder)
        // Files that came are the person's, whichever hub they are from; the memory alone would still know of these.
        let received = try store.load().transfers.files
        let files = try files(keeping: received)
        let now = Timestamp(milliseconds: Moment.now.wallMilliseconds)
        for offer in received.received { _ = try files.take(offer, at: now) }
        store.close()
        // The main file goes first: a journal without its file is damage, which is moved aside, never taken for new.
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
