import SyncCore

/// What the crash of a machine leaves of the records that were written and not yet synced.
///
/// A disk writes sectors in any order and at any time until it is synced. So of each record all sectors may be there,
/// some, or none, and a later record may be there while an earlier one is not. A store keeps a checksum with each
/// record and reads records in their order, so at its next start it finds those before the first incomplete one.
struct UnsyncedTail: Hashable {
    /// What is there of one record.
    enum Remains: Hashable {
        case whole
        case torn
        case nothing
    }

    /// The sectors of a record at most.
    private static let sectorCountMax = 8
    /// The chance that a sector was written.
    private static let sectorChance = 0.8

    /// What is there of each record, in the order in which they were written.
    let remains: [Remains]

    init(_ remains: [Remains]) {
        self.remains = remains
    }

    /// Draws what is there of this many records.
    init(count: Int, draws: inout SplitMix64) {
        remains = (0..<count).map { _ in
            let sectors = 1 + draws.below(Self.sectorCountMax)
            let written = (0..<sectors).count { _ in draws.chance(Self.sectorChance) }
            return written == sectors ? .whole : written == 0 ? .nothing : .torn
        }
    }

    /// The records that a store finds at its next start.
    var keptCount: Int { remains.prefix { $0 == .whole }.count }

    /// Whether the first record that it does not find is there in part.
    var isTorn: Bool { remains.dropFirst(keptCount).first == .torn }

    /// Whether a record is there behind an incomplete one: it was written before an earlier record.
    var isReordered: Bool { remains.dropFirst(keptCount + 1).contains { $0 != .nothing } }
}
