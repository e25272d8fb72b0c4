/// Offers the files of the queue one after the other, and sends what the receiver pulls.
///
///     resting ──session, a file in the queue──▶ offering ──PULL──▶ serving
///        ▲                                       │  ▲ └─again─┘       │
///        └─DONE, ABORT, cancelled, gone: recorded┴──┼─────────────────┘
///                                                   └── no word in time, or not readable now: offer again
///
/// The file at the head of the queue is the one that is offered; it leaves the queue only when the end of its
/// transfer is durable. If it was removed or became shorter, it is given up; any other read error may be temporary.
struct FileSender: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The state without a session, or while there is nothing to offer.
        case resting
        /// The state after the file at the head was offered, until the receiver answers.
        case offering(again: Instant, pause: Duration)
        /// The state while the receiver pulls.
        case serving(again: Instant)
    }

    /// A file that the store is asked to queue.
    private struct Addition: Hashable, Sendable {
        var request: RequestID
        var file: OutgoingFile
    }

    /// A file for which the store is recording the end of the transfer.
    private struct Removal: Hashable, Sendable {
        var file: OutgoingFile
        /// The request, if the application cancelled it.
        var cancel: RequestID?
        /// Why this end gave up the file; nil if the receiver ended the transfer.
        var abort: FileFailure?
    }

    /// A chunk that the driver is reading.
    private struct Reading: Hashable, Sendable {
        var id: RandomID
        var offset: UInt64
        var byteCount: Int
    }

    /// The first pause before an unanswered offer is repeated; it doubles up to ``offerAgainMax``.
    static let offerAgainAfter = Duration.seconds(2)
    /// The longest pause between two offers of one file.
    static let offerAgainMax = Duration.seconds(32)
    /// The time without a pull after which a file is offered again; the receiver repeats its pulls more often than
    /// that.
    static let silenceMax = Duration.seconds(10)
    private static let readCountMax = 8

    private let byteCountMax: UInt64
    private var generator: SplitMix64
    private var lastNumber: UInt64
    private var state = State.resting
    private var additions: [Addition] = []
    private var removals: [Removal] = []
    private var unrecorded = RecordRetries()
    private var reading: [Reading] = []
    private var wanted: Range<UInt64> = 0..<0
    private var lastPull: UInt64 = 0

    /// Creates the sender of an end; `lastNumber` is the number of the last queued file.
    init(byteCountMax: UInt64, lastNumber: UInt64, seed: UInt64) {
        self.byteCountMax = byteCountMax
        self.lastNumber = lastNumber
        generator = SplitMix64(seed: seed)
    }

    /// When ``deadlineReached(_:)`` is due; nil if only an event can cause something.
    var deadline: Instant? {
        let due: Instant? =
            switch state {
            case .resting: nil
            case .offering(let again, _), .serving(let again): again
            }
        return earlier(due, unrecorded.deadline)
    }

    // MARK: - The application's side

    /// The application wants to send a file.
    mutating func send(
        _ request: RequestID, file: String, name: String, byteCount: UInt64, digest: FileDigest,
        metadata: [UInt8], _ turn: inout FileTurn
    ) {
        if let fault = fault(name: name, byteCount: byteCount, metadata: metadata, turn) {
            turn.put(.answer(request, .refused(fault)))
            return turn.put(.release(file: file))
        }
        lastNumber += 1
        let offer = FileOffer(
            id: RandomID(using: &generator), name: name, byteCount: byteCount, digest: digest, metadata: metadata)
        let outgoing = OutgoingFile(number: lastNumber, file: file, offer: offer)
        additions.append(Addition(request: request, file: outgoing))
        turn.put(.persist(.queued(outgoing)))
    }

    private func fault(
        name: String, byteCount: UInt64, metadata: [UInt8], _ turn: FileTurn
    ) -> FileExchange.RequestError? {
        let count = turn.state.queue.count + turn.state.results.count + additions.count
        if count >= FileExchange.outstandingCountMax { return .tooMany(countMax: FileExchange.outstandingCountMax) }
        if byteCount > byteCountMax { return .tooLarge(byteCount: byteCount, byteCountMax: byteCountMax) }
        if metadata.count > FileOffer.metadataByteCountMax { return .metadataTooLarge(byteCount: metadata.count) }
        return FileOffer.isFit(name: name) ? nil : .badName(name)
    }

    /// The application no longer wants a transfer.
    mutating func cancel(_ request: RequestID, _ id: RandomID, _ turn: inout FileTurn) {
        let name = turn.state.queue.first { $0.offer.id == id }?.offer.name ?? ""
        let abort = FileFailure(.cancelled, "the sender no longer wants \(name) sent")
        guard leave(id, nil, cancel: request, abort: abort, &turn) else {
            return turn.put(.answer(request, .refused(.unknownTransfer(id))))
        }
    }

    /// The application has taken a result.
    mutating func resultTaken(_ id: RandomID, _ turn: inout FileTurn) {
        guard turn.state.results.contains(where: { $0.id == id }) else { return }
        _ = unrecorded.remove(id)
        turn.put(.persist(.resultTaken(id)))
    }

    // MARK: - The session

    /// A session is open.
    mutating func sessionOpened(_ turn: inout FileTurn) {
        lastPull = 0
        offerNext(&turn)
    }

    /// The session ended.
    mutating func sessionClosed() {
        rest()
    }

    /// Checks the deadlines.
    mutating func deadlineReached(_ turn: inout FileTurn) {
        switch state {
        case .offering(let again, let pause) where again <= turn.now:
            offer(&turn, pause: min(pause * 2, Self.offerAgainMax))
        case .serving(let again) where again <= turn.now:
            offer(&turn, pause: Self.offerAgainAfter)
        case .resting, .offering, .serving: break
        }
        for id in unrecorded.takeDue(now: turn.now) { turn.put(.persist(.resultTaken(id))) }
    }

    private mutating func offerNext(_ turn: inout FileTurn) {
        guard state == .resting, turn.session != nil else { return }
        offer(&turn, pause: Self.offerAgainAfter)
    }

    private mutating func offer(_ turn: inout FileTurn, pause: Duration) {
        guard let head = turn.state.queue.first, !isLeaving(head.offer.id) else { return rest() }
        turn.send { head.offer.frame(session: $0, number: head.number) }
        state = .offering(again: turn.now.advanced(by: pause), pause: pause)
    }

    /// Offers the file at the head again after a pause.
    private mutating func offerLater(_ turn: FileTurn) {
        state = .offering(again: turn.now.advanced(by: Self.offerAgainAfter), pause: Self.offerAgainAfter)
    }

    private mutating func rest() {
        state = .resting
        wanted = 0..<0
        reading = []
    }

    // MARK: - Frames

    /// The receiver requests a part.
    mutating func received(_ pull: FilePull, _ turn: inout FileTurn) {
        guard let head = turn.state.queue.first, head.offer.id == pull.id, !isLeaving(pull.id) else {
            // A pull of another queued file may come from a restored receiver that has a part of it; that file is
            // sent later.
            guard !turn.state.queue.contains(where: { $0.offer.id == pull.id }) else { return turn.drop(.old(.pull)) }
            let failure = FileFailure(.unknown, "no transfer \(pull.id.hexadecimal) is under way here")
            return turn.send { FileAbort(id: pull.id, failure: failure).frame(session: $0) }
        }
        guard pull.number > lastPull, pull.offset <= head.offer.byteCount else { return turn.drop(.old(.pull)) }
        lastPull = pull.number
        let end = min(pull.offset + pull.byteCount, head.offer.byteCount)
        if pull.offset == wanted.upperBound, !wanted.isEmpty {
            // A receiver never requests more than its credit. If one does, it gets only the end of the requested
            // range.
            wanted = max(wanted.lowerBound, end - min(end, FileExchange.creditByteCount))..<end
        } else {
            wanted = pull.offset..<end
        }
        state = .serving(again: turn.now.advanced(by: Self.silenceMax))
        turn.put(.event(.sent(pull.id, byteCount: min(pull.arrived, pull.offset), of: head.offer.byteCount)))
        readMore(head, &turn)
    }

    private mutating func readMore(_ head: OutgoingFile, _ turn: inout FileTurn) {
        while reading.count < Self.readCountMax, !wanted.isEmpty {
            let next = Reading(
                id: head.offer.id, offset: wanted.lowerBound,
                byteCount: min(wanted.count, FileExchange.chunkByteCount))
            reading.append(next)
            wanted = wanted.lowerBound + UInt64(next.byteCount)..<wanted.upperBound
            turn.put(.read(next.id, file: head.file, offset: next.offset, byteCount: next.byteCount))
        }
    }

    /// The driver has read a chunk.
    mutating func read(_ id: RandomID, offset: UInt64, _ bytes: [UInt8], _ turn: inout FileTurn) {
        guard let position = reading.firstIndex(where: { $0.id == id && $0.offset == offset }),
            let head = turn.state.queue.first, head.offer.id == id, !isLeaving(id)
        else { return }
        let asked = reading.remove(at: position)
        guard bytes.count == asked.byteCount else {
            return fail(id, FileFailure(.gone, "\(head.offer.name) has become shorter than it was"), &turn)
        }
        turn.send { FileChunk(id: id, offset: offset, bytes: bytes).frame(session: $0) }
        readMore(head, &turn)
    }

    /// The driver cannot read the file, temporarily or permanently.
    mutating func readFailed(_ id: RandomID, _ failure: FileFailure, _ turn: inout FileTurn) {
        guard reading.contains(where: { $0.id == id }) else { return }
        if failure.cause == .gone { return fail(id, failure, &turn) }
        rest()
        offerLater(turn)
    }

    private mutating func fail(_ id: RandomID, _ failure: FileFailure, _ turn: inout FileTurn) {
        // The receiver gets ABORT only when the end is durable. Otherwise it would close the offer; and if the record
        // failed, the file would never arrive.
        leave(id, FileResult(id: id, failure: failure), abort: failure, &turn)
    }

    /// The receiver holds the file.
    mutating func received(_ done: FileDone, _ turn: inout FileTurn) {
        guard leave(done.id, FileResult(id: done.id, failure: nil), &turn) else { return turn.drop(.old(.done)) }
    }

    /// The receiver gave up the file.
    mutating func received(_ abort: FileAbort, _ turn: inout FileTurn) {
        guard leave(abort.id, FileResult(id: abort.id, failure: abort.failure), &turn) else {
            return turn.drop(.old(.abort))
        }
    }

    // MARK: - The store

    /// Records the end of a transfer; false if no transfer with this identifier is in progress.
    @discardableResult
    private mutating func leave(
        _ id: RandomID, _ result: FileResult?, cancel: RequestID? = nil, abort: FileFailure? = nil,
        _ turn: inout FileTurn
    ) -> Bool {
        guard !isLeaving(id), let file = turn.state.queue.first(where: { $0.offer.id == id }) else { return false }
        if id == turn.state.queue.first?.offer.id { rest() }
        removals.append(Removal(file: file, cancel: cancel, abort: abort))
        turn.put(.persist(.ended(id, result)))
        return true
    }

    private func isLeaving(_ id: RandomID) -> Bool {
        removals.contains { $0.file.offer.id == id }
    }

    /// A record of this direction is durable.
    mutating func persisted(_ record: FileExchange.Record, _ turn: inout FileTurn) {
        switch record {
        case .queued(let file):
            let request = additions.first { $0.file.offer.id == file.offer.id }?.request
            additions.removeAll { $0.file.offer.id == file.offer.id }
            if let request { turn.put(.answer(request, .accepted(file.offer.id))) }
        case .ended(let id, let result):
            guard let position = removals.firstIndex(where: { $0.file.offer.id == id }) else { return }
            let left = removals.remove(at: position)
            turn.put(.release(file: left.file.file))
            if let failure = left.abort { turn.send { FileAbort(id: id, failure: failure).frame(session: $0) } }
            if let request = left.cancel { turn.put(.answer(request, .cancelled)) }
            if let result { turn.put(.event(.ended(result))) }
        case .resultTaken(let id): unrecorded.succeeded(id)
        case .receiving, .abandoned, .received, .consumed: break
        }
        offerNext(&turn)
    }

    /// A record of this direction could not be stored.
    mutating func persistFailed(_ record: FileExchange.Record, reason: String, _ turn: inout FileTurn) {
        switch record {
        case .queued(let file):
            guard let position = additions.firstIndex(where: { $0.file.offer.id == file.offer.id }) else { return }
            turn.put(.answer(additions.remove(at: position).request, .refused(.notStored(reason))))
            turn.put(.release(file: file.file))
        case .ended(let id, _):
            guard let position = removals.firstIndex(where: { $0.file.offer.id == id }) else { return }
            if let request = removals.remove(at: position).cancel {
                turn.put(.answer(request, .refused(.notStored(reason))))
            }
            // The receiver will repeat its answer, so the file is offered again after a pause.
            if state == .resting, turn.session != nil, turn.state.queue.first?.offer.id == id { offerLater(turn) }
        case .resultTaken(let id): unrecorded.failed(id, now: turn.now)
        case .receiving, .abandoned, .received, .consumed: break
        }
    }
}
