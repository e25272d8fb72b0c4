/// Receives one file after the other: pulls its chunks, lets the store verify it, and sends DONE once that is
/// durable.
///
///                      ┌────────────────────────found finished───────────────────────┐
///                      │                                                             ▼
///     idle ──OFFER──▶ opening ──began──▶ pulling ──all written──▶ finishing ──finished──▶ recording
///      ▲               │                  │ ▲ │                    │ ▲ │                   │ ▲ │
///      │               │                  │ └─┘ no chunk in time:  │ └─┘ ABORT:            │ └─┘ not stored:
///      │               │                  │     ask again          │     isAborted         │     again
///      └───given up────┴──────────────────┴────────────────────────┘                       │
///      ▲                                                                                   │
///      └───durable: DONE, event────────────────────────────────────────────────────────────┘
///
/// The receiver gives up a file when the store cannot receive it (the sender then gets ABORT), when the sender sends
/// ABORT, and when another file is offered. While the store verifies a file, ABORT is kept as `isAborted`: once
/// verified, the file is given up and not recorded. Another offer does not end the verification or the recording, but
/// waits for it.
///
/// If a part is on the disk, a session that begins in `idle` leads to `opening` without an offer. No phase ends with
/// a session: the store continues its work, and `pulling` waits for the next session.
///
/// An offer waits while an earlier file is being removed, verified or recorded, and while too many received files
/// wait for the application.
struct FileReceiver: Hashable, Sendable {
    private enum Phase: Hashable, Sendable {
        /// The state between two files.
        case idle
        /// The state while the store checks for room and for an earlier part.
        case opening(FileOffer)
        /// The state while chunks are pulled and written.
        case pulling(FilePulling)
        /// The state while the store verifies; `isAborted` if the sender gave up meanwhile.
        case finishing(FileOffer, isAborted: Bool)
        /// The state while the store records that the file was received; after a failure it tries again at `again`.
        case recording(FileOffer, again: Instant?)

        var offer: FileOffer? {
            switch self {
            case .idle: nil
            case .opening(let offer), .finishing(let offer, _), .recording(let offer, _): offer
            case .pulling(let pulling): pulling.offer
            }
        }
    }

    /// The pause before another attempt to record a received file.
    private static let recordAgainAfter = Duration.seconds(2)

    private let byteCountMax: UInt64
    private var phase = Phase.idle
    private var waiting: FileOffer?
    private var consuming: [FileOffer] = []
    private var unrecorded = RecordRetries()
    private var discardingCount = 0
    private var abandoningCount = 0
    private var lastOffer: UInt64 = 0
    /// The file that the sender gave up last in this session.
    private var aborted: RandomID?

    /// Creates the receiver of an end.
    init(byteCountMax: UInt64) {
        self.byteCountMax = byteCountMax
    }

    /// When ``deadlineReached(_:)`` is due; nil if only an event can cause something.
    var deadline: Instant? {
        let due: Instant? =
            switch phase {
            case .pulling(let pulling): pulling.deadline
            case .recording(_, let again): again
            case .idle, .opening, .finishing: nil
            }
        return earlier(due, unrecorded.deadline)
    }

    // MARK: - The session

    /// A session opened: continues with the file in progress, without waiting for its offer.
    mutating func sessionOpened(_ turn: inout FileTurn) {
        lastOffer = 0
        aborted = nil
        switch phase {
        case .pulling(var pulling):
            pulling.startSession(&turn)
            phase = .pulling(pulling)
        case .idle:
            waiting = turn.state.incoming?.offer
            beginWaiting(&turn)
        case .opening, .finishing, .recording: break
        }
    }

    /// The session ended: makes the received bytes durable, since the connection may be lost for a long time.
    mutating func sessionClosed(_ turn: inout FileTurn) {
        waiting = nil
        guard case .pulling(var pulling) = phase else { return }
        pulling.endSession(&turn)
        phase = .pulling(pulling)
    }

    /// Checks the deadlines.
    mutating func deadlineReached(_ turn: inout FileTurn) {
        switch phase {
        case .pulling(var pulling):
            pulling.deadlineReached(&turn)
            phase = .pulling(pulling)
        case .recording(let offer, let again?) where again <= turn.now:
            record(offer, &turn)
        case .idle, .opening, .finishing, .recording: break
        }
        for id in unrecorded.takeDue(now: turn.now) { turn.put(.persist(.consumed(id))) }
    }

    // MARK: - Frames

    /// The sender offers a file.
    mutating func received(_ offer: FileOffer, number: UInt64, _ turn: inout FileTurn) {
        if turn.state.finished.contains(offer.id) {
            return turn.send { FileDone(id: offer.id).frame(session: $0) }
        }
        // A repeated offer changes nothing; one with a smaller number, or of a file that was given up, is a late
        // duplicate.
        guard phase.offer?.id != offer.id, number >= lastOffer, offer.id != aborted else {
            return turn.drop(.old(.offer))
        }
        lastOffer = number
        if let failure = objection(to: offer) {
            return turn.send { FileAbort(id: offer.id, failure: failure).frame(session: $0) }
        }
        // The sender transfers one file at a time, so it has given up the file before.
        switch phase {
        case .opening(let old): giveUp(old, nil, &turn)
        case .pulling(let pulling): giveUp(pulling.offer, nil, &turn)
        case .idle, .finishing, .recording: break
        }
        waiting = offer
        beginWaiting(&turn)
    }

    private func objection(to offer: FileOffer) -> FileFailure? {
        if offer.byteCount > byteCountMax {
            return FileFailure(.tooLarge, "a file of \(offer.byteCount) bytes; at most \(byteCountMax) are taken here")
        }
        return FileOffer.isFit(name: offer.name)
            ? nil : FileFailure(.badName, "the name is not a single path component")
    }

    private mutating func beginWaiting(_ turn: inout FileTurn) {
        guard phase == .idle, discardingCount == 0, abandoningCount == 0,
            turn.state.received.count < FileExchange.receivedCountMax, let offer = waiting
        else { return }
        waiting = nil
        phase = .opening(offer)
        let incoming = turn.state.incoming
        turn.put(.begin(offer, durable: incoming?.offer.id == offer.id ? incoming?.durable ?? 0 : 0))
    }

    /// A part of a file arrived.
    mutating func received(_ chunk: FileChunk, _ turn: inout FileTurn) {
        guard case .pulling(var pulling) = phase, pulling.offer.id == chunk.id else {
            return turn.drop(.old(.chunk))
        }
        if !pulling.take(chunk, &turn) { turn.drop(.old(.chunk)) }
        phase = .pulling(pulling)
    }

    /// The sender gave up a file; false if the file is not being received here.
    mutating func received(_ abort: FileAbort, _ turn: inout FileTurn) -> Bool {
        if waiting?.id == abort.id {
            waiting = nil
            aborted = abort.id
            return true
        }
        guard let offer = phase.offer, offer.id == abort.id else { return false }
        aborted = abort.id
        switch phase {
        case .opening, .pulling: giveUp(offer, abort.failure, &turn)
        case .finishing: phase = .finishing(offer, isAborted: true)
        case .idle, .recording: break
        }
        return true
    }

    // MARK: - The partial file

    /// The part is open.
    mutating func began(_ id: RandomID, at offset: UInt64, _ turn: inout FileTurn) {
        guard case .opening(let offer) = phase, offer.id == id else { return }
        var pulling = FilePulling(offer: offer, at: min(offset, offer.byteCount))
        pulling.startSession(&turn)
        phase = .pulling(pulling)
        finishIfWhole(pulling, &turn)
    }

    /// Chunks are written.
    mutating func written(_ id: RandomID, upTo offset: UInt64, _ turn: inout FileTurn) {
        guard case .pulling(var pulling) = phase, pulling.offer.id == id else { return }
        pulling.written(upTo: offset, &turn)
        phase = .pulling(pulling)
        finishIfWhole(pulling, &turn)
    }

    private mutating func finishIfWhole(_ pulling: FilePulling, _ turn: inout FileTurn) {
        guard pulling.isWhole else { return }
        phase = .finishing(pulling.offer, isAborted: false)
        turn.put(.finish(pulling.offer))
    }

    /// The written bytes are durable.
    mutating func synced(_ id: RandomID, upTo offset: UInt64, _ turn: inout FileTurn) {
        guard case .pulling(var pulling) = phase, pulling.offer.id == id else { return }
        pulling.synced(upTo: offset, &turn)
        phase = .pulling(pulling)
    }

    /// The file is verified and is durable under its name.
    mutating func finished(_ id: RandomID, _ turn: inout FileTurn) {
        guard let offer = phase.offer, offer.id == id else { return }
        switch phase {
        case .finishing(_, isAborted: true):
            giveUp(offer, FileFailure(.cancelled, "the sender gave the file up"), &turn)
        case .opening, .finishing:
            record(offer, &turn)
        case .idle, .pulling, .recording: break
        }
    }

    /// The store cannot receive the file.
    mutating func storeFailed(_ id: RandomID, _ failure: FileFailure, _ turn: inout FileTurn) {
        guard let offer = phase.offer, offer.id == id else { return }
        if case .recording = phase { return }
        turn.send { FileAbort(id: id, failure: failure).frame(session: $0) }
        giveUp(offer, failure, &turn)
    }

    /// A removed part is gone.
    mutating func discarded(_ turn: inout FileTurn) {
        discardingCount = max(0, discardingCount - 1)
        beginWaiting(&turn)
    }

    /// Removes the part, and reports the failure to the application.
    private mutating func giveUp(_ offer: FileOffer, _ failure: FileFailure?, _ turn: inout FileTurn) {
        let isRecorded = isRecorded(offer.id, turn)
        phase = .idle
        discardingCount += 1
        turn.put(.discard(offer.id))
        if isRecorded {
            abandoningCount += 1
            turn.put(.persist(.abandoned(offer.id)))
        }
        let failure = failure ?? FileFailure(.unknown, "the sender went on to another file")
        turn.put(.event(.receiveFailed(offer, failure)))
    }

    /// Whether the store has a record of the part, or may have been asked for one.
    ///
    /// A file that is refused at once has no record, so that offers cost nothing at a store that cannot take files.
    private func isRecorded(_ id: RandomID, _ turn: FileTurn) -> Bool {
        switch phase {
        case .idle, .opening: turn.state.incoming?.offer.id == id
        case .pulling, .finishing, .recording: true
        }
    }

    // MARK: - The record

    private mutating func record(_ offer: FileOffer, _ turn: inout FileTurn) {
        phase = .recording(offer, again: nil)
        turn.put(.persist(.received(offer)))
    }

    private func sendDone(_ offer: FileOffer, _ turn: inout FileTurn) {
        turn.send { FileDone(id: offer.id).frame(session: $0) }
    }

    /// The application has consumed a received file.
    mutating func consumed(_ id: RandomID, _ turn: inout FileTurn) {
        guard let offer = turn.state.received.first(where: { $0.id == id }) else { return }
        if consuming.contains(offer) {
            // The store may work again by now: if the application repeats its input, the record is tried again at
            // once.
            if unrecorded.remove(id) { turn.put(.persist(.consumed(id))) }
            return
        }
        consuming.append(offer)
        turn.put(.persist(.consumed(id)))
    }

    /// A record of this direction is durable.
    mutating func persisted(_ record: FileExchange.Record, _ turn: inout FileTurn) {
        switch record {
        case .received(let offer):
            guard case .recording(offer, _) = phase else { return }
            phase = .idle
            sendDone(offer, &turn)
            turn.put(.event(.received(offer)))
        case .consumed(let id):
            for offer in consuming where offer.id == id { turn.put(.remove(offer)) }
            consuming.removeAll { $0.id == id }
            unrecorded.succeeded(id)
        case .abandoned: abandoningCount = max(0, abandoningCount - 1)
        case .queued, .ended, .resultTaken, .receiving: break
        }
        beginWaiting(&turn)
    }

    /// A record of this direction could not be stored.
    mutating func persistFailed(_ record: FileExchange.Record, _ turn: inout FileTurn) {
        switch record {
        case .received(let offer):
            guard case .recording(offer, _) = phase else { return }
            phase = .recording(offer, again: turn.now.advanced(by: Self.recordAgainAfter))
        case .consumed(let id):
            // If the process ends before the store works again, the application gets the file again at its next
            // start.
            unrecorded.failed(id, now: turn.now)
        case .abandoned:
            abandoningCount = max(0, abandoningCount - 1)
            beginWaiting(&turn)
        case .queued, .ended, .resultTaken, .receiving: break
        }
    }
}
