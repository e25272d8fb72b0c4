import PoolModel
import PoolStore

/// The announcements that a server's broker retains; they are stored, so that they can be withdrawn after a restart.
struct RetainedAnnouncements: Codable, Equatable {
    /// The prefix under which devices were announced.
    var prefix: String
    /// The address of the broker.
    var address: String
    /// The announced devices.
    var devices: Set<DeviceID>
    /// The servers whose connections were announced; nil once the hub itself was withdrawn.
    var servers: Set<ServerID>?

    /// Whether the broker retains nothing.
    var isEmpty: Bool { devices.isEmpty && servers?.isEmpty ?? true }

    private static let keyPrefix = "announced/"

    /// Reads the announcements of all servers; unreadable ones are left out, and announced again.
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

    /// Stores the announcements of a server; nil for none.
    ///
    /// - Throws: `HistoryError`, `CanonicalJSON.Failure`.
    static func keep(_ announced: RetainedAnnouncements?, of server: ServerID, in store: AlertStore) throws {
        let key = "\(keyPrefix)\(server)"
        guard let announced, !announced.isEmpty else { return try store.remove(key) }
        try store.put(key, try CanonicalJSON.encode(announced))
    }
}
