import Foundation
package import SyncCore

extension SharedRecords {
    /// The engine's schema for rules.
    package static func schema(_ rules: [Name: Rule], versions: ClosedRange<UInt32>) -> Schema {
        Schema(
            versions: versions,
            rules: Dictionary(
                uniqueKeysWithValues: rules.map { name, rule in
                    let writer: Schema.Authority =
                        switch rule.writer {
                        case .phone: .hub
                        case .anyone: .shared
                        case .owner: .owner
                        }
                    return (
                        Schema.Name(kind: name.kind, group: name.group),
                        Schema.Rule(writer, versions: rule.versions)
                    )
                }))
    }
}

extension SharedRecords.Name {
    /// The first name that cannot be used; nil if all can.
    static func firstBad(in names: some Sequence<Self>) -> Self? {
        names.filter { name in
            name.kind.hasPrefix("sync.")
                || [name.kind, name.group].contains { !(1...64).contains($0.utf8.count) }
        }.min { ($0.kind, $0.group) < ($1.kind, $1.group) }
    }
}

extension CellKey {
    init(_ key: SharedRecords.Key) {
        self.init(kind: key.kind, record: RandomID(key.record), group: key.group)
    }

    var recordsName: SharedRecords.Name { SharedRecords.Name(kind: kind, group: group) }
}

extension SharedRecords.Key {
    /// The key of a cell.
    package init(_ key: CellKey) {
        self.init(kind: key.kind, record: UUID(key.record), group: key.group)
    }
}

extension SharedRecords.Conflict {
    init(_ conflict: Conflict) {
        self.init(
            id: UUID(conflict.id), key: SharedRecords.Key(conflict.key), lost: conflict.loser.value,
            stands: conflict.winner?.value, author: conflict.loser.author == "hub" ? "phone" : conflict.loser.author,
            rule: conflict.rule.rawValue)
    }
}

extension UUID {
    /// The identifier with the same 128 bits.
    init(_ id: RandomID) {
        let bytes = [id.high, id.low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}

extension RandomID {
    /// The identifier with the same 128 bits.
    init(_ id: UUID) {
        let bytes = id.uuid
        func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(
            high: word(bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7),
            low: word(bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15))
    }
}

extension SharedRecords.Outcome {
    /// The outcome of an edit on a watch.
    package init(_ answer: WatchEngine.Answer) {
        self =
            switch answer {
            case .accepted: .accepted
            case .unchanged: .unchanged
            case .refused(let error): .refused("\(error)")
            }
    }

    /// The outcome of a change on a phone.
    package init(_ answer: HubEngine.Answer) {
        self =
            switch answer {
            case .done: .accepted
            case .refused(let error): .refused("\(error)")
            }
    }
}
