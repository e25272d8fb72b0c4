/// A file whose transfer waits or is in progress.
public struct OutgoingFile: Hashable, Sendable {
    /// The position in the queue: each later file has a greater number, which is never reused.
    public var number: UInt64
    /// The driver's name of the durable copy that is sent.
    public var file: String
    /// The description of the file that the receiver gets.
    public var offer: FileOffer

    /// Creates an entry of the queue.
    public init(number: UInt64, file: String, offer: FileOffer) {
        self.number = number
        self.file = file
        self.offer = offer
    }
}

/// A file that is being received.
public struct IncomingFile: Hashable, Sendable {
    /// The description of the file from the sender.
    public var offer: FileOffer
    /// The bytes from the start of the file that are certainly durable.
    public var durable: UInt64

    /// Creates the state of a file that is being received.
    public init(offer: FileOffer, durable: UInt64) {
        self.offer = offer
        self.durable = durable
    }
}

/// How a transfer ended at the sender.
public struct FileResult: Hashable, Sendable {
    /// The transfer.
    public var id: RandomID
    /// Why it failed; nil if the receiver holds the file.
    public var failure: FileFailure?

    /// Creates a result.
    public init(id: RandomID, failure: FileFailure?) {
        self.id = id
        self.failure = failure
    }
}

extension FileExchange {
    /// Everything that one end remembers: what a store loads at the start.
    public struct State: Hashable, Sendable {
        /// The number of the last file that was queued.
        public var lastNumber: UInt64 = 0
        /// The files to send, in order; at most ``FileExchange/outstandingCountMax`` together with the results.
        public var queue: [OutgoingFile] = []
        /// The results that the application has not taken yet, oldest first.
        public var results: [FileResult] = []
        /// The file that is being received; nil between two files.
        public var incoming: IncomingFile?
        /// The received files that the application has not consumed yet, oldest first; at most
        /// ``FileExchange/receivedCountMax``.
        public var received: [FileOffer] = []
        /// The transfers that were received completely, oldest first; the last ``FileExchange/finishedCountMax``.
        public var finished: [RandomID] = []

        /// Creates the state of an end that has never run.
        public init() {}
    }

    /// A change of the state; it is durable as a whole or not at all.
    public enum Record: Hashable, Sendable {
        /// A file joined the queue.
        case queued(OutgoingFile)
        /// A file left the queue, with a result for the application, or without one if it was cancelled.
        case ended(RandomID, FileResult?)
        /// The application has taken a result.
        case resultTaken(RandomID)
        /// A file is being received, in place of any other, and its first bytes are durable.
        case receiving(IncomingFile)
        /// The end gave up the file that it was receiving.
        case abandoned(RandomID)
        /// A file was received completely and verified, and is durable under its name.
        case received(FileOffer)
        /// The application has consumed a received file.
        case consumed(RandomID)
    }
}

extension FileExchange.State {
    /// Applies a change.
    ///
    /// What it changes may be missing, so applying the same change again has no effect.
    public mutating func apply(_ record: FileExchange.Record) {
        switch record {
        case .queued(let file):
            guard file.number > lastNumber else { return }
            lastNumber = file.number
            queue.append(file)
        case .ended(let id, let result):
            guard let position = queue.firstIndex(where: { $0.offer.id == id }) else { return }
            queue.remove(at: position)
            if let result { results.append(result) }
        case .resultTaken(let id):
            results.removeAll { $0.id == id }
        case .receiving(let file):
            incoming = file
        case .abandoned(let id):
            if incoming?.offer.id == id { incoming = nil }
        case .received(let offer):
            guard !finished.contains(offer.id) else { return }
            if incoming?.offer.id == offer.id { incoming = nil }
            received.append(offer)
            finished.append(offer.id)
            if finished.count > FileExchange.finishedCountMax { finished.removeFirst() }
        case .consumed(let id):
            received.removeAll { $0.id == id }
        }
    }
}
