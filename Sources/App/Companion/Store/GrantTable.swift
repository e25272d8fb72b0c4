import Foundation
import Text
import WatchConnectivity

/// What each watch may do, where that differs from the app's first grants.
///
/// A row holds for the watch's id and name together: an id is given to another watch after its watch was unpaired.
struct GrantTable: Sendable {
    /// A change for the storage.
    typealias Change = (key: String, value: [UInt8]?)

    private struct Row: Codable, Sendable {
        var name: String
        var grants: Grants
    }

    private static let prefix = "grants/"
    private var rows: [SessionWatch.ID: Row] = [:]

    /// Reads the table from a storage's map.
    init(_ map: [String: [UInt8]]) {
        for (key, value) in map where key.hasPrefix(Self.prefix) {
            rows[String(key.dropFirst(Self.prefix.count))] = try? CanonicalJSON.decode(Row.self, from: value)
        }
    }

    /// What was given to a watch; nil if nothing was decided for it.
    func grants(of watch: SessionWatch) -> Grants? {
        guard let row = rows[watch.id], row.name == watch.name else { return nil }
        return row.grants
    }

    /// Decides for a watch; nil takes the decision back.
    mutating func set(_ grants: Grants?, of watch: SessionWatch) -> [Change] {
        let row = grants.map { Row(name: watch.name, grants: $0) }
        rows[watch.id] = row
        return [(Self.prefix + watch.id, row.map { CanonicalJSON.bytes(ofEncodable: $0) })]
    }

    /// Removes the rows of watches that are gone.
    mutating func keep(only watches: [SessionWatch]) -> [Change] {
        let gone = rows.filter { row in !watches.contains { $0.id == row.key && $0.name == row.value.name } }.keys
        for id in gone { rows[id] = nil }
        return gone.sorted().map { (Self.prefix + $0, nil) }
    }
}
