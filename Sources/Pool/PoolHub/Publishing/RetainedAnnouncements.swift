import PoolModel
import PoolStore

/// What a server's broker keeps of the hub: durable, so that it is taken back also after a restart.
struct RetainedAnnouncements: Codable, Equatable {
    /// The prefix under which devices were announced.
    var prefix: String
    /// Where the broker was.
    var address: String
    /// The devices.
    var devices: Set<DeviceID>
    /// The servers whose connections were announced; an earlier version did not do so.
    var servers: Set<ServerID>?

    /// Whether the broker keeps nothing.
    var isEmpty: Bool { devices.isEmpty && servers?.isEmpty ?? true }

    private static let keyPrefix = "announced/"

    /// Reads what all servers keep; what cannot be read is left out, and announced again.
    ///
    /// - Throws: `HistoryError`.
    static func all(in store: AlertStore) throws -> [ServerID: RetainedAnnouncements] {
        var all: [ServerID: RetainedAnnouncements] = [:]
        for (key, json) in try store.all() where key.hasPrefix(keyPrefix) {
            guard let id = ServerID(key.dropFirst(keyPrefix.count)),
                // See above.
                let announced = try? CanonicalJSON.decode(RetainedAnnouncements.self, from: json)
            else { continue }
            all[id] = announced
        }
        return all
    }

    /// Remembers what a server keeps; nil for nothing.
    ///
    /// - Throws: `HistoryError`, `CanonicalJSON.Failure`.
    static func keep(_ announced: RetainedAnnouncements?, of server: ServerID, in store: AlertStore) throws {
        let key = "\(keyPrefix)\(server)"
        guard let announced, !announced.isEmpty else { return try store.remove(key) }
        try store.put(key, try CanonicalJSON.encode(announced))
    }
}

extension Server {
    /// Where its broker is, in words.
    var address: String { "\(host):\(port)" }
}
