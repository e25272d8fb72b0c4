/// A file whose chunks are being pulled: how many bytes were requested, have arrived, are written and are durable.
///
///     0 ──── durable ──── written ──── arrived ──── asked ──── byteCount
///                           │            └─ a credit ─┘
///                           └─── two credits at most ──┘
///
/// Bytes that arrive allow new requests at once, so that the link is never idle. A slow disk slows the sender down,
/// because unwritten bytes count as well. Chunks are written in groups of half a credit, the size of most pulls,
/// because each request to the disk and each answer wakes a thread.
struct FilePulling: Hashable, Sendable {
    /// The first time limit without a chunk, after which the missing bytes are requested again.
    static let againAfter = Duration.seconds(2)
    /// The longest such time limit.
    ///
    /// Each duplicate chunk doubles it, because duplicates show that the link is slow, not lossy.
    static let againMax = Duration.seconds(16)
    /// The number of chunks that are written together: half a credit.
    private static let heldCountMax = Int(FileExchange.creditByteCount) / FileExchange.chunkByteCount / 2

    var offer: FileOffer
    private var durable: UInt64
    private var written: UInt64
    private var arrived: UInt64
    private var asked: UInt64
    /// The chunks that have arrived and are not with the store yet; they end at ``arrived``, in order.
    private var held: [[UInt8]] = []
    private var isSyncing = false
    private var again: Instant?
    private var pause = againAfter

    /// Starts from the durable bytes.
    init(offer: FileOffer, at offset: UInt64) {
        self.offer = offer
        durable = offset
        written = offset
        arrived = offset
        asked = offset
    }

    /// Whether every byte is written.
    var isWhole: Bool { written == offer.byteCount }

    /// When ``deadlineReached(_:)`` is due; nil while no bytes are on their way.
    var deadline: Instant? { again }

    /// A session opened: the bytes on their way in the session before are lost.
    mutating func startSession(_ turn: inout FileTurn) {
        pause = Self.againAfter
        askAgain(&turn)
    }

    /// The session ended.
    mutating func endSession(_ turn: inout FileTurn) {
        asked = arrived
        again = nil
        writeHeld(&turn)
        sync(&turn)
    }

    /// Checks the time limit.
    mutating func deadlineReached(_ turn: inout FileTurn) {
        guard let again, again <= turn.now else { return }
        askAgain(&turn)
    }

    /// Accepts the next chunk in order; false for any other.
    mutating func take(_ chunk: FileChunk, _ turn: inout FileTurn) -> Bool {
        let byteCount = UInt64(chunk.bytes.count)
        guard chunk.offset == arrived, byteCount > 0, byteCount <= asked - arrived else {
            // The last requested chunk has arrived, but not those before it: nothing else is on its way.
            let isLast = chunk.offset < asked && byteCount == asked - chunk.offset
            if chunk.offset > arrived, isLast { askAgain(&turn) }
            if chunk.offset < arrived { pause = min(pause * 2, Self.againMax) }
            return false
        }
        held.append(chunk.bytes)
        arrived += byteCount
        again = arrived < asked ? turn.now.advanced(by: pause) : nil
        ask(&turn)
        if arrived == asked || held.count >= Self.heldCountMax { writeHeld(&turn) }
        return true
    }

    private mutating func writeHeld(_ turn: inout FileTurn) {
        var offset = arrived - held.reduce(0) { $0 + UInt64($1.count) }
        for bytes in held {
            turn.put(.write(offer.id, offset: offset, bytes))
            offset += UInt64(bytes.count)
        }
        held = []
    }

    /// The chunks up to an offset are written.
    mutating func written(upTo offset: UInt64, _ turn: inout FileTurn) {
        written = max(written, min(offset, arrived))
        // Without a session, nothing more will be written for a while, perhaps a long one.
        if written - durable >= FileExchange.syncByteCount || turn.session == nil { sync(&turn) }
        ask(&turn)
    }

    /// The bytes up to an offset are durable, so the record may include them.
    mutating func synced(upTo offset: UInt64, _ turn: inout FileTurn) {
        isSyncing = false
        guard offset > durable else { return }
        durable = min(offset, written)
        turn.put(.persist(.receiving(IncomingFile(offer: offer, durable: durable))))
    }

    private mutating func sync(_ turn: inout FileTurn) {
        guard written > durable, !isSyncing else { return }
        isSyncing = true
        turn.put(.sync(offer.id))
    }

    private mutating func askAgain(_ turn: inout FileTurn) {
        asked = arrived
        again = nil
        ask(&turn)
    }

    /// The bytes that may be requested now.
    private var room: UInt64 {
        let credit = FileExchange.creditByteCount
        let onItsWay = credit - min(credit, asked - arrived)
        let unwritten = FileExchange.unwrittenByteCountMax
        return min(onItsWay, unwritten - min(unwritten, asked - written))
    }

    /// Requests more bytes, at least half a credit at a time, so that the link is never idle and pulls are few.
    private mutating func ask(_ turn: inout FileTurn) {
        guard turn.session != nil, asked < offer.byteCount else { return }
        let credit = FileExchange.creditByteCount
        let byteCount = min(room, offer.byteCount - asked)
        guard byteCount >= min(credit / 2, offer.byteCount - asked) else { return }
        turn.lastPull += 1
        let pull = FilePull(
            id: offer.id, number: turn.lastPull, offset: asked, byteCount: byteCount, arrived: arrived)
        turn.send { pull.frame(session: $0) }
        turn.put(.event(.receiving(offer, byteCount: arrived)))
        asked += byteCount
        if again == nil { again = turn.now.advanced(by: pause) }
    }
}
