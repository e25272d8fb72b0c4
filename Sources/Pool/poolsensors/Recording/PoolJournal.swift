import ArgumentParser
import CommandSupport
import SyncCore
import SyncTransport

/// Opens the journals of a pool's hub and watches for `--record`.
enum PoolJournal {
    static let help = ArgumentHelp(
        """
        Keep a journal for `synclab replay --journal`; it holds settings, addresses of webhooks and readings, no \
        password.
        """,
        valueName: "file")

    /// Opens a hub's journal; nil without a file.
    static func ofHub(_ path: String?) -> (@Sendable (PeerKey) throws -> any HubRecording)? {
        guard let path else { return nil }
        return { key in try EngineJournal.open(path, name: "hub", key: key, of: .pools) }
    }

    /// Opens a watch's journal; nil without a file.
    static func ofWatch(_ path: String?, name: String) -> (@Sendable (PeerKey) throws -> any WatchRecording)? {
        guard let path else { return nil }
        return { key in try EngineJournal.open(path, name: name, key: key, of: .pools) }
    }
}
