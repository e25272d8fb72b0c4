/// One end of the file transfers between two devices, in both directions.
///
/// The sender offers its files one after the other; the receiver pulls each file in chunks:
///
///     sender                         receiver
///       │── OFFER name, size, digest ──▶│ room? a part of it already?
///       │◀────── PULL offset, count ────│ at most eight chunks on their way
///       │── CHUNK, CHUNK, … ───────────▶│ written in order
///       │◀────── DONE ──────────────────│ verified, on the disk, recorded
///       │ reports, forgets the file     │ reports, until the application consumes it
///
/// Either end may give up with ABORT. The receiver requests lost chunks again, and after a lost connection or a
/// restart it continues from its durable bytes. It answers the offer of a finished transfer with DONE, as long as it
/// remembers the transfer (``FileExchange/finishedCountMax``), so each file arrives once.
///
/// As with ``HubEngine``, drain ``nextOutput()`` until it returns nil, after the initialiser and after each
/// ``handle(_:at:)``.
public struct FileExchange: Sendable {
    private var sender: FileSender
    private var receiver: FileReceiver
    private var turn: FileTurn
    private var nextOutputIndex = 0

    /// Starts an end.
    ///
    /// It reports again the results and files that the application has not taken yet.
    ///
    /// - Parameters:
    ///   - configuration: What never changes while the process runs.
    ///   - state: What its store holds.
    ///   - seed: 64 random bits, different at each start.
    public init(configuration: Configuration, state: State, seed: UInt64) {
        let byteCountMax = configuration.fileByteCountMax
        precondition(byteCountMax <= 1 << 60, "a limit of \(byteCountMax) bytes, more than any file system has")
        turn = FileTurn(state: state)
        sender = FileSender(byteCountMax: byteCountMax, lastNumber: state.lastNumber, seed: seed)
        receiver = FileReceiver(byteCountMax: byteCountMax)
        for result in state.results { turn.put(.event(.ended(result))) }
        for offer in state.received { turn.put(.event(.received(offer))) }
    }

    /// The durable state: the files to send, the received files, and the results.
    public var state: State { turn.state }

    /// Handles an input.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(
            nextOutputIndex == turn.outputs.count, "an input arrived before the outputs were drained: \(input)")
        turn.outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        turn.now = moment.monotonic
        switch input {
        case .sessionOpened(let session): opened(session)
        case .sessionClosed: closed()
        case .received(let frame): received(frame)
        case .persisted(let record): persisted(record)
        case .persistFailed(let record, let reason): persistFailed(record, reason: reason)
        case .send(let request, let file, let name, let byteCount, let digest, let metadata):
            sender.send(
                request, file: file, name: name, byteCount: byteCount, digest: digest, metadata: metadata, &turn)
        case .cancel(let request, let id): sender.cancel(request, id, &turn)
        case .resultTaken(let id): sender.resultTaken(id, &turn)
        case .consumed(let id): receiver.consumed(id, &turn)
        case .read(let id, let offset, let bytes): sender.read(id, offset: offset, bytes, &turn)
        case .readFailed(let id, let failure): sender.readFailed(id, failure, &turn)
        case .began(let id, let offset): receiver.began(id, at: offset, &turn)
        case .written(let id, let offset): receiver.written(id, upTo: offset, &turn)
        case .synced(let id, let offset): receiver.synced(id, upTo: offset, &turn)
        case .finished(let id): receiver.finished(id, &turn)
        case .storeFailed(let id, let failure): receiver.storeFailed(id, failure, &turn)
        case .discarded: receiver.discarded(&turn)
        case .timeReached: break
        }
        sender.deadlineReached(&turn)
        receiver.deadlineReached(&turn)
    }

    /// The next output; nil when all were taken.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < turn.outputs.count else {
            // A hub has one exchange for each watch, most of them idle: an idle one keeps no memory for outputs.
            turn.outputs = []
            nextOutputIndex = 0
            return nil
        }
        defer { nextOutputIndex += 1 }
        return turn.outputs[nextOutputIndex]
    }

    /// The latest time for the next ``Input/timeReached``.
    public var nextDeadline: Instant? {
        earlier(sender.deadline, receiver.deadline)
    }

    private mutating func opened(_ session: UInt64) {
        if turn.session != nil { closed() }
        turn.session = session
        turn.lastPull = 0
        sender.sessionOpened(&turn)
        receiver.sessionOpened(&turn)
    }

    private mutating func closed() {
        turn.session = nil
        sender.sessionClosed()
        receiver.sessionClosed(&turn)
    }

    private mutating func received(_ frame: Frame) {
        guard frame.session == turn.session else { return turn.drop(.foreignSession) }
        do throws(FrameError) {
            switch frame.kind {
            case .offer: receiver.received(try FileOffer(frame), number: frame.sequence, &turn)
            case .pull: sender.received(try FilePull(frame), &turn)
            case .chunk: receiver.received(try FileChunk(frame), &turn)
            case .done: sender.received(try FileDone(frame), &turn)
            case .abort:
                let abort = try FileAbort(frame)
                if !receiver.received(abort, &turn) { sender.received(abort, &turn) }
            case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .registers,
                .message, .reply, .messageError, .context, .contextAcknowledged, .upload, .item, .itemAcknowledged:
                turn.drop(.wrongLane(frame.kind))
            }
        } catch {
            turn.drop(.fault(error))
        }
    }

    private mutating func persisted(_ record: Record) {
        turn.state.apply(record)
        switch record {
        case .queued, .ended, .resultTaken: sender.persisted(record, &turn)
        case .receiving, .abandoned, .received, .consumed: receiver.persisted(record, &turn)
        }
    }

    private mutating func persistFailed(_ record: Record, reason: String) {
        turn.put(.event(.notStored(reason)))
        switch record {
        case .queued, .ended, .resultTaken: sender.persistFailed(record, reason: reason, &turn)
        case .receiving, .abandoned, .received, .consumed: receiver.persistFailed(record, &turn)
        }
    }
}
