internal import Platform
internal import SyncCore
internal import SyncStore
internal import SyncTransport
internal import ZeroMQ

extension HubFolder {
    /// The first digits of the public key of a folder's hub, which may be running; nil if no hub was ever there.
    ///
    /// - Throws: `FolderError`; `CurveKeyError` or `ZeroMQError` if the key is damaged.
    package static func hubName(path: String) throws -> String? {
        guard FileSystem.isThere(path), let bytes = try StateFolder.readSecret(keyName, ofFolder: path) else {
            return nil
        }
        return name(of: try CurveSecretKey(bytes: bytes).publicKey().peerKey)
    }

    static func name(of key: PeerKey) -> String { String(key.hexadecimal.prefix(12)) }
}

extension HubFolder {
    /// The path of the history in a folder.
    package static func historyPath(path: String) -> String { "\(path)/\(historyName)" }
}
