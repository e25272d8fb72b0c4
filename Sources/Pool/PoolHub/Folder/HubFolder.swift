import PoolDecoding
import PoolModel
import PoolStore
import Service
import SyncCore
public import SyncStore
import SyncTransport
import ZeroMQ

/// A hub's folder: its keys, its configuration and its history; used by one process at a time.
public struct HubFolder: Sendable {
    /// The folder of the hub's files.
    public let folder: StateFolder
    /// The hub's keys.
    let keys: CurveKeyPair
    /// The configuration.
    let store: HubStore
    /// The readings.
    let history: HistoryStore
    /// The folder of the key that encrypts the secrets.
    let keyFolder: StateFolder
    /// The servers' passwords and other secrets.
    let secrets: Secrets
    /// A notice that the store is an older copy, so that a new epoch began; nil if it is not.
    let putBackSentence: String?

    static let keyName = "hub.key"
    /// The name of the file of the history.
    static let historyName = "history.sqlite"

    /// The folder of the hub that the package runs as a service.
    public static let ofService = "/var/lib/poolsensors/hub"

    /// How to start the hub of a folder.
    public static func startAdvice(path: String) -> String {
        "start it with: \(path == ofService ? "sudo systemctl start poolsensors-hub" : "poolsensors hub")"
    }

    /// Opens a folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - keyPath: The folder of the key that encrypts the passwords; ``defaultKeyPath(path:)`` if it is nil. It is not
    ///     part of a backup.
    /// - Throws: `FolderError` if another process uses it or it cannot be opened; `StoreError` for a damaged store.
    public init(path: String, keyPath: String? = nil) throws {
        let folder = try StateFolder(path: path)
        self.folder = folder
        keys = try Self.keys(in: folder)
        var generator = SystemRandomNumberGenerator()
        store = try HubStore(in: folder, firstEpoch: Epoch(number: generator.next()))
        putBackSentence = try Self.beginNewEpoch(of: store)
        history = try HistoryStore(path: folder.path(of: Self.historyName))
        keyFolder = try StateFolder(path: keyPath ?? Self.defaultKeyPath(path: path))
        secrets = Secrets(folder, keys: keyFolder)
    }

    /// The folder of the key that encrypts the passwords: the hub's folder with the suffix `.keys`.
    public static func defaultKeyPath(path: String) -> String {
        (path.hasSuffix("/") ? String(path.dropLast()) : path) + ".keys"
    }

    /// Begins a new epoch if the store is an older copy, because watches may have newer data.
    private static func beginNewEpoch(of store: HubStore) throws -> String? {
        guard store.wasPutBack != nil else { return nil }
        try store.beginEpoch()
        return
            "this hub's state is an old copy, without the changes since then; what watches still know of them will be "
            + "in `poolsensors conflicts`"
    }

    /// The endpoint at which the hub of a folder answers commands.
    ///
    /// - Throws: `EndpointError` if the path is too long for a socket.
    public static func controlEndpoint(path: String) throws -> String {
        try service(path: path).controlEndpoint().text
    }

    /// The hub's client identifier at a broker; it never changes, and no other hub has it.
    func clientIdentifier(for server: ServerID) -> String {
        "\(identifier)-\("\(server)".prefix(8))"
    }

    /// The topic of the hub's availability.
    var statusTopic: String { topics.availability }

    /// The topics on which the hub publishes.
    var topics: HubTopics {
        guard let topics = HubTopics(hubID: identifier) else { preconditionFailure("\(identifier) is not a hub id") }
        return topics
    }

    /// The first digits of the hub's public key, which identify the hub for the user.
    var shortName: String { Self.name(of: keys.publicKey.peerKey) }

    private var identifier: String { "PoolSensors-\(shortName)" }

    private static func keys(in folder: StateFolder) throws -> CurveKeyPair {
        if let bytes = try folder.readSecret(keyName) {
            return try CurveKeyPair(secretKey: CurveSecretKey(bytes: bytes))
        }
        let keys = try CurveKeyPair()
        try folder.writeSecret(keyName, keys.secretKey.bytes)
        return keys
    }
}
