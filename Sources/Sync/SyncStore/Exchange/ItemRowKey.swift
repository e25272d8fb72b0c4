internal import GRDB
internal import SyncCore

/// Where a row of the table `item` lies: by peer, then by track, then by ordinal, all in the one number of the row.
///
/// SQLite adds a row behind the last number of such a table to the last page, and begins a new page when that is full.
/// Under a key of several columns it would halve the last page each time, so that the journal took twice the bytes.
///
///     peer's number (20 bits) │ track (1) │ ordinal (42)
enum ItemRowKey {
    private static let ordinalBitCount = 42
    private static let trackBitCount = 1
    private static let peerBitCount = 20

    /// The place of an item.
    static func of(_ ordinal: UInt64, _ track: ItemTrack, _ head: ExchangeHead) throws -> Int64 {
        guard ordinal >> ordinalBitCount == 0, head.number >> peerBitCount == 0 else {
            throw DatabaseError(
                resultCode: .SQLITE_TOOBIG,
                message: "item \(ordinal) of peer \(head.number) is beyond what the table item can number")
        }
        return first(of: track, head) | Int64(ordinal)
    }

    /// The ordinal of the item in a place.
    static func ordinal(_ place: Int64) -> UInt64 {
        UInt64(bitPattern: place) & (1 << ordinalBitCount - 1)
    }

    /// The track of the item in a place.
    static func track(_ place: Int64) -> ItemTrack {
        place >> ordinalBitCount & 1 == Int64(ItemTrack.urgent.rawValue) ? .urgent : .ordinary
    }

    /// The first and the last place of a track, for `place BETWEEN ? AND ?`.
    static func all(of track: ItemTrack, _ head: ExchangeHead) -> StatementArguments {
        [first(of: track, head), first(of: track, head) | (1 << ordinalBitCount - 1)]
    }

    /// The first and the last place of a peer, for `place BETWEEN ? AND ?`.
    static func all(of head: ExchangeHead) -> StatementArguments {
        let first = head.number << (ordinalBitCount + trackBitCount)
        return [first, first | (1 << (ordinalBitCount + trackBitCount) - 1)]
    }

    private static func first(of track: ItemTrack, _ head: ExchangeHead) -> Int64 {
        (head.number << trackBitCount | Int64(track.rawValue)) << ordinalBitCount
    }
}
