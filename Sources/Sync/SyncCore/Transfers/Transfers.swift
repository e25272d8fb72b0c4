/// Everything that one end has with one peer beside the configuration and the registers: user info, live messages,
/// files.
///
/// It only joins ``Exchange`` and ``FileExchange``, so that an engine has one thing to open, to feed and to drain.
struct Transfers: Sendable {
    private var exchange: Exchange
    private var files: FileExchange
    /// The records that wait for the store.
    private var inFlight: [TransferRecord] = []

    /// Starts an end; `outputs()` has what is to be told again.
    init(configuration: TransferConfiguration, state: TransferState, seed: UInt64, flaws: DesignFlaws) {
        exchange = Exchange(
            configuration: configuration.exchange, state: state.exchange, seed: seed, flaws: flaws)
        files = FileExchange(
            configuration: configuration.files, state: state.files, seed: SplitMix64.mix(seed), flaws: flaws)
    }

    /// What is durable.
    var state: TransferState { TransferState(exchange: exchange.state, files: files.state) }

    /// How far this end has received items: what its greeting tells the peer.
    var positions: ItemPositions { exchange.positions }

    /// The items that are durable here and not known to be at the peer, oldest first.
    var outstanding: [OutstandingItem] { exchange.outstanding }

    /// How many more complication items go with priority on the day of this wall time.
    func remainingUrgentCount(wallMilliseconds: Int64) -> Int {
        exchange.remainingUrgentCount(wallMilliseconds: wallMilliseconds)
    }

    /// When to come back at the latest.
    var nextDeadline: Instant? { earlier(exchange.nextDeadline, files.nextDeadline) }

    /// A session opened in which frames go both ways; the peer said how far it has received.
    mutating func sessionOpened(_ session: UInt64, peer: ItemPositions, at moment: Moment) -> [TransferOutput] {
        let outputs = handle(.exchange(.sessionOpened(session, peer: peer)), at: moment)
        return outputs + handle(.files(.sessionOpened(session)), at: moment)
    }

    /// The session ended.
    mutating func sessionClosed(at moment: Moment) -> [TransferOutput] {
        let outputs = handle(.exchange(.sessionClosed), at: moment)
        return outputs + handle(.files(.sessionClosed), at: moment)
    }

    /// A frame of the session arrived that is neither the control lane's nor the configuration's.
    mutating func received(_ frame: Frame, at moment: Moment) -> [TransferOutput] {
        switch frame.kind.lane {
        case .file: handle(.files(.received(frame)), at: moment)
        case .userInfo, .live, .control, .context: handle(.exchange(.received(frame)), at: moment)
        }
    }

    /// Deadlines have come, or may have.
    mutating func timeReached(at moment: Moment) -> [TransferOutput] {
        let outputs = handle(.exchange(.timeReached), at: moment)
        return outputs + handle(.files(.timeReached), at: moment)
    }

    /// The watch is no longer paired: anybody who waits for an answer gets one, and nothing more is to be stored.
    mutating func end(at moment: Moment) -> [TransferOutput] {
        var outputs = sessionClosed(at: moment)
        // What waits behind a record becomes the next record when that one fails, and fails with it.
        while !inFlight.isEmpty {
            let record = inFlight.removeFirst()
            outputs += handle(record.failed(reason: "the watch was unpaired"), at: moment)
        }
        // That it was not stored is no failure of the store.
        return outputs.filter { $0.record == nil && !$0.isComplaintAboutStore }
    }

    /// This life is about to end: what may wait is to be stored now.
    mutating func ending(at moment: Moment) -> [TransferOutput] {
        handle(.exchange(.ending), at: moment)
    }

    /// Takes in what happened; gives what is to be done.
    mutating func handle(_ input: TransferInput, at moment: Moment) -> [TransferOutput] {
        inFlight.removeAll { input == $0.persisted || input.failedRecord == $0 }
        switch input {
        case .exchange(let input): exchange.handle(input, at: moment)
        case .files(let input): files.handle(input, at: moment)
        }
        return outputs()
    }

    /// What is to be done still.
    mutating func outputs() -> [TransferOutput] {
        var outputs: [TransferOutput] = []
        while let output = exchange.nextOutput() { outputs.append(.exchange(output)) }
        while let output = files.nextOutput() { outputs.append(.files(output)) }
        inFlight += outputs.compactMap(\.record)
        return outputs
    }
}

/// What the transfers of one peer are told at their start.
public struct TransferConfiguration: Hashable, Sendable {
    /// User info and messages.
    public var exchange: Exchange.Configuration
    /// Files.
    public var files: FileExchange.Configuration

    /// Creates a configuration; by default with WatchConnectivity's limits.
    public init(
        exchange: Exchange.Configuration = Exchange.Configuration(),
        files: FileExchange.Configuration = FileExchange.Configuration()
    ) {
        self.exchange = exchange
        self.files = files
    }
}

/// What is durable of the transfers with one peer.
public struct TransferState: Hashable, Sendable {
    /// User info.
    public var exchange: Exchange.State
    /// Files.
    public var files: FileExchange.State

    /// Creates a state; by default that of a peer with whom nothing was exchanged.
    public init(
        exchange: Exchange.State = Exchange.State(), files: FileExchange.State = FileExchange.State()
    ) {
        self.exchange = exchange
        self.files = files
    }

    /// Takes a record's effect.
    public mutating func apply(_ record: TransferRecord) {
        switch record {
        case .exchange(let record): exchange.apply(record)
        case .files(let record): files.apply(record)
        }
    }
}

/// A step of the transfers with one peer; it is durable as a whole or not at all.
public enum TransferRecord: Hashable, Sendable {
    /// Of user info.
    case exchange(Exchange.Record)
    /// Of files.
    case files(FileExchange.Record)
}

/// What happens to the transfers with one peer.
public enum TransferInput: Hashable, Sendable {
    /// To user info or messages.
    case exchange(Exchange.Input)
    /// To files.
    case files(FileExchange.Input)
}

extension TransferInput {
    /// The record whose failure it tells, nil for other inputs.
    fileprivate var failedRecord: TransferRecord? {
        switch self {
        case .exchange(.persistFailed(let record, _)): .exchange(record)
        case .files(.persistFailed(let record, _)): .files(record)
        case .exchange, .files: nil
        }
    }
}

/// What the transfers with one peer want done; frames and records do not come out of an engine in this form.
public enum TransferOutput: Hashable, Sendable {
    /// User info and messages.
    case exchange(Exchange.Output)
    /// Files.
    case files(FileExchange.Output)

    /// The frame to send, if it is one.
    var frame: Frame? {
        switch self {
        case .exchange(.send(let frame)), .files(.send(let frame)): frame
        case .exchange, .files: nil
        }
    }

    /// Whether it tells the application that the store failed.
    fileprivate var isComplaintAboutStore: Bool {
        switch self {
        case .exchange(.event(.notStored)), .files(.event(.notStored)): true
        case .exchange, .files: false
        }
    }

    /// The record to make durable, if it is one.
    var record: TransferRecord? {
        switch self {
        case .exchange(.persist(let record)): .exchange(record)
        case .files(.persist(let record)): .files(record)
        case .exchange, .files: nil
        }
    }
}

extension TransferRecord {
    /// What the transfers are told when the record is durable.
    var persisted: TransferInput {
        switch self {
        case .exchange(let record): .exchange(.persisted(record))
        case .files(let record): .files(.persisted(record))
        }
    }

    /// What the transfers are told when the record could not be made durable.
    func failed(reason: String) -> TransferInput {
        switch self {
        case .exchange(let record): .exchange(.persistFailed(record, reason: reason))
        case .files(let record): .files(.persistFailed(record, reason: reason))
        }
    }
}

/// What became of a request about the transfers with one peer.
public enum TransferAnswer: Hashable, Sendable {
    /// About user info or a message.
    case exchange(Exchange.Answer)
    /// About a file.
    case files(FileExchange.Answer)
}

/// What an application may want to know of the transfers with one peer.
public enum TransferEvent: Hashable, Sendable {
    /// Of user info or messages.
    case exchange(Exchange.Event)
    /// Of files.
    case files(FileExchange.Event)
}
