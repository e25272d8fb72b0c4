/// Everything that one end exchanges with one peer besides configuration and registers: user info, live messages and
/// files.
///
/// It only combines ``Exchange`` and ``FileExchange``, so that an engine has one thing to open, to feed and to drain.
struct Transfers: Sendable {
    private var exchange: Exchange
    private var files: FileExchange
    /// The records that are being stored.
    private var inFlight: [TransferRecord] = []

    /// Starts an end; `outputs()` reports again what the application has not consumed.
    init(configuration: TransferConfiguration, state: TransferState, seed: UInt64) {
        exchange = Exchange(configuration: configuration.exchange, state: state.exchange, seed: seed)
        files = FileExchange(configuration: configuration.files, state: state.files, seed: SplitMix64.mix(seed))
    }

    /// The durable state.
    var state: TransferState { TransferState(exchange: exchange.state, files: files.state) }

    /// The positions up to which this end has received items; its greeting sends them to the peer.
    var positions: ItemPositions { exchange.positions }

    /// Whether items that arrived are being stored: a greeting must wait for them.
    var isStoringPosition: Bool { exchange.isStoringPosition }

    /// The items that are durable here and not acknowledged by the peer, oldest first.
    var outstanding: [OutstandingItem] { exchange.outstanding }

    /// The latest time for the next `timeReached(at:)`.
    var nextDeadline: Instant? { earlier(exchange.nextDeadline, files.nextDeadline) }

    /// A session opened in which frames pass in both directions; `peer` says how far the peer has received items.
    mutating func sessionOpened(_ session: UInt64, peer: ItemPositions, at moment: Moment) -> [TransferOutput] {
        let outputs = handle(.exchange(.sessionOpened(session, peer: peer)), at: moment)
        return outputs + handle(.files(.sessionOpened(session)), at: moment)
    }

    /// The session ended.
    mutating func sessionClosed(at moment: Moment) -> [TransferOutput] {
        let outputs = handle(.exchange(.sessionClosed), at: moment)
        return outputs + handle(.files(.sessionClosed), at: moment)
    }

    /// A frame of the session arrived that belongs to user info, live messages or files.
    mutating func received(_ frame: Frame, at moment: Moment) -> [TransferOutput] {
        switch frame.kind.lane {
        case .file: handle(.files(.received(frame)), at: moment)
        case .userInfo, .live, .control, .context: handle(.exchange(.received(frame)), at: moment)
        }
    }

    /// A deadline has passed, or may have.
    mutating func timeReached(at moment: Moment) -> [TransferOutput] {
        let outputs = handle(.exchange(.timeReached), at: moment)
        return outputs + handle(.files(.timeReached), at: moment)
    }

    /// The watch is no longer paired: every waiting request gets an answer, and nothing more is stored.
    mutating func end(at moment: Moment) -> [TransferOutput] {
        var outputs = sessionClosed(at: moment)
        // When a record fails, requests that waited behind it can become the next record, so that one has to fail as
        // well.
        while !inFlight.isEmpty {
            let record = inFlight.removeFirst()
            outputs += handle(record.failed(reason: "the watch was unpaired"), at: moment)
        }
        // These failures are not the store's, so the complaints about it are left out.
        return outputs.filter { $0.record == nil && !$0.isStoreFailure }
    }

    /// The process is about to stop: stores now what was waiting for a later record.
    mutating func ending(at moment: Moment) -> [TransferOutput] {
        handle(.exchange(.ending), at: moment)
    }

    /// Handles an input; returns what to do.
    mutating func handle(_ input: TransferInput, at moment: Moment) -> [TransferOutput] {
        inFlight.removeAll { input == $0.persisted || input.failedRecord == $0 }
        switch input {
        case .exchange(let input): exchange.handle(input, at: moment)
        case .files(let input): files.handle(input, at: moment)
        }
        return outputs()
    }

    /// The outputs that are left.
    mutating func outputs() -> [TransferOutput] {
        var outputs: [TransferOutput] = []
        while let output = exchange.nextOutput() { outputs.append(.exchange(output)) }
        while let output = files.nextOutput() { outputs.append(.files(output)) }
        inFlight += outputs.compactMap(\.record)
        return outputs
    }
}

/// What the transfers with one peer get at their start; it never changes.
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

/// The durable state of the transfers with one peer.
public struct TransferState: Hashable, Sendable {
    /// User info.
    public var exchange: Exchange.State
    /// Files.
    public var files: FileExchange.State

    /// Creates a state; by default one without any transfers.
    public init(
        exchange: Exchange.State = Exchange.State(), files: FileExchange.State = FileExchange.State()
    ) {
        self.exchange = exchange
        self.files = files
    }

    /// Applies the effect of a record.
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
    /// The record that failed according to this input; nil for other inputs.
    fileprivate var failedRecord: TransferRecord? {
        switch self {
        case .exchange(.persistFailed(let record, _)): .exchange(record)
        case .files(.persistFailed(let record, _)): .files(record)
        case .exchange, .files: nil
        }
    }
}

/// What the transfers with one peer want done.
///
/// An engine puts out frames and records as its own outputs, not in this form.
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

    /// Whether it notifies the application that the store failed.
    fileprivate var isStoreFailure: Bool {
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
    /// The input that reports the record as durable.
    var persisted: TransferInput {
        switch self {
        case .exchange(let record): .exchange(.persisted(record))
        case .files(let record): .files(.persisted(record))
        }
    }

    /// The input that reports that the record could not be made durable.
    func failed(reason: String) -> TransferInput {
        switch self {
        case .exchange(let record): .exchange(.persistFailed(record, reason: reason))
        case .files(let record): .files(.persistFailed(record, reason: reason))
        }
    }
}

/// The result of a request about the transfers with one peer.
public enum TransferAnswer: Hashable, Sendable {
    /// About user info or a message.
    case exchange(Exchange.Answer)
    /// About a file.
    case files(FileExchange.Answer)
}

/// A notification for the application about the transfers with one peer.
public enum TransferEvent: Hashable, Sendable {
    /// Of user info or messages.
    case exchange(Exchange.Event)
    /// Of files.
    case files(FileExchange.Event)
}
