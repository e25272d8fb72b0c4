/// A file whose chunks are being pulled: how far it was asked for, has arrived, is written and is durable.
///
///     0 ──── durable ──── written ──── arrived ──── asked ──── byteCount
///                           │            └─ a credit ─┘
///                           └─── two credits at most ──┘
///
/// What has arrived makes room for more at once, so that the way never runs empty; a slow disk slows the sender down,
/// since what waits for it counts, too. Chunks are written in groups: as many as one pull asks for, since each order to
/// the disk and each answer wakes a thread.
struct FilePulling: Hashable, Sendable {
    /// The time without a chunk after which what is missing is asked for again, at first.
    static let againAfter = Duration.seconds(2)
    /// The longest such time; each chunk that comes twice doubles it, since then the link is slow, not lossy.
    static let againMax = Duration.seconds(16)
    /// The chunks that are written together: half a credit.
    private static let heldCountMax = Int(FileExchange.creditByteCount) / FileExchange.chunkByteCount / 2

    var offer: FileOffer
    private var durable: UInt64
    private var written: UInt64
    private var arrived: UInt64
    private var asked: UInt64
    /// What has arrived and is not yet given to the store: the chunks that end at ``arrived``, in their order.
    private var held: [[UInt8]] = []
    private var isSyncing = false
    private var again: Instant?
    private var pause = againAfter
    private let flaws: DesignFlaws

    /// Starts where the disk is.
    init(offer: FileOffer, at offset: UInt64, flaws: DesignFlaws) {
        self.offer = offer
        self.flaws = flaws
        durable = offset
        written = offset
        arrived = offset
        asked = offset
    }

    /// Whether every byte is written.
    var isWhole: Bool { written == offer.byteCount }

    /// When ``deadlineReached(_:)`` has something to do, nil while nothing is on its way.
    var deadline: Instant? { again }

    /// A session is open: what was on its way in the one before is lost.
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

    /// Looks at the time.
    mutating func deadlineReached(_ turn: inout FileTurn) {
        guard let again, again <= turn.now else { return }
        askAgain(&turn)
    }

    /// Takes the chunk that comes next; false for any other.
    mutating func take(_ chunk: FileChunk, _ turn: inout FileTurn) -> Bool {
        let byteCount = UInt64(chunk.bytes.count)
        let isNext = chunk.offset == arrived || flaws.contains(.fileTakesAnyOffset)
        guard isNext, byteCount > 0, byteCount <= asked - arrived else {
            // The last one that was asked for has come, but not those before it: nothing else is on its way.
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
        // After a session nothing more is written for a while, maybe a long one.
        if written - durable >= FileExchange.syncByteCount || turn.session == nil { sync(&turn) }
        ask(&turn)
    }

    /// The bytes up to an offset are on the disk: the record may say so.
    mutating func synced(upTo offset: UInt64, _ turn: inout FileTurn) {
        isSyncing = false
        guard offset > durable else { return }
        durable = min(offset, written)
        turn.put(.persist(.receiving(IncomingFile(offer: offer, durable: durable))))
    }

    private mutating func sync(_ turn: inout FileTurn) {
        guard written > durable, !isSyncing else { return }
        if flaws.contains(.fileResumesAtWritten) {
            durable = written
            return turn.put(.persist(.receiving(IncomingFile(offer: offer, durable: written))))
        }
        isSyncing = true
        turn.put(.sync(offer.id))
    }

    private mutating func askAgain(_ turn: inout FileTurn) {
        asked = arrived
        again = nil
        ask(&turn)
    }

    /// The bytes that may be asked for now.
    private var room: UInt64 {
        let credit = FileExchange.creditByteCount
        let onItsWay = credit - min(credit, asked - arrived)
        let unwritten = FileExchange.unwrittenByteCountMax
        return min(onItsWay, unwritten - min(unwritten, asked - written))
    }

    /// Asks for more, half a credit at a time, so that the way never runs empty and pulls stay few.
    private mutating func ask(_ turn: inout FileTurn) {
        guard turn.session != nil, asked < offer.byteCount else { return }
        let credit = FileExchange.creditByteCount
        let room = flaws.contains(.fileIgnoresCredit) ? credit : room
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
