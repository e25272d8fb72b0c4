extension FileExchange {
    /// The bytes of a chunk; few enough that an urgent frame behind it is not delayed noticeably.
    public static let chunkByteCount = 32_768
    /// The most bytes that a receiver lets be on their way: eight chunks.
    public static let creditByteCount: UInt64 = 8 * 32_768
    /// The most bytes that a receiver has requested and not written yet: they are in its memory, or on their way.
    public static let unwrittenByteCountMax = 2 * creditByteCount
    /// The bytes after which a receiver makes its progress durable.
    ///
    /// A crash loses at most this much of a transfer, and each megabyte costs a quarter of an `fsync(2)`.
    public static let syncByteCount: UInt64 = 4 * 1_048_576
    /// The most files that wait to be sent, together with the results that the application has not taken.
    public static let outstandingCountMax = 256
    /// The most received files that are not consumed; the next one waits at its sender.
    public static let receivedCountMax = 256
    /// The most finished transfers that are remembered, so that they are not received twice.
    public static let finishedCountMax = 4096

    /// What an end gets at its start; it never changes.
    public struct Configuration: Hashable, Sendable {
        /// The most bytes of a file, sent or received; 1 GiB by default, 2⁶⁰ at most.
        public var fileByteCountMax: UInt64

        /// Creates a configuration.
        public init(fileByteCountMax: UInt64 = 1_073_741_824) {
            self.fileByteCountMax = fileByteCountMax
        }
    }

    /// What happens to an end.
    public enum Input: Hashable, Sendable {
        /// A session with the other end is open.
        case sessionOpened(UInt64)
        /// The session ended, or the process is about to stop.
        case sessionClosed
        /// A frame of the file lane arrived.
        case received(Frame)
        /// The application wants to send a file.
        ///
        /// `file` is the driver's name of a durable copy, `name` the name that the receiver sees; then the size, the
        /// digest, and the metadata for the receiver's application.
        case send(RequestID, file: String, name: String, byteCount: UInt64, FileDigest, metadata: [UInt8])
        /// The application no longer wants a transfer.
        case cancel(RequestID, RandomID)
        /// The application has taken a result.
        case resultTaken(RandomID)
        /// The application has taken a received file.
        case consumed(RandomID)
        /// A record from ``Output/persist(_:)`` is durable.
        case persisted(Record)
        /// A record from ``Output/persist(_:)`` could not be made durable.
        case persistFailed(Record, reason: String)
        /// The requested bytes were read; there are fewer if the file ends before.
        case read(RandomID, offset: UInt64, [UInt8])
        /// The requested bytes cannot be read: permanently if the cause is `gone`; otherwise the file is offered
        /// again later.
        case readFailed(RandomID, FileFailure)
        /// The part of a file is open, and contains this many bytes from the start of the file.
        case began(RandomID, at: UInt64)
        /// The bytes of a part up to an offset are written, but a crash of the machine may lose them.
        case written(RandomID, upTo: UInt64)
        /// The bytes of a part up to an offset are durable.
        case synced(RandomID, upTo: UInt64)
        /// The file is verified and is durable under its name.
        ///
        /// This can also be the answer to ``Output/begin(_:durable:)``.
        case finished(RandomID)
        /// A file cannot be begun, written or finished.
        case storeFailed(RandomID, FileFailure)
        /// The part of a file is removed, or will be at the next start.
        case discarded(RandomID)
        /// A deadline has passed, or may have.
        case timeReached
    }

    /// What the driver has to do for an end, in this order.
    ///
    /// The inputs that answer the outputs of one file must come in this order, too.
    public enum Output: Hashable, Sendable {
        /// Send a frame.
        ///
        /// The transport may drop it when it has no room; the engine sends what is missing again later.
        case send(Frame)
        /// Make a record durable, then report it.
        case persist(Record)
        /// Read a chunk of a file to send; the answer is ``Input/read(_:offset:_:)``.
        case read(RandomID, file: String, offset: UInt64, byteCount: Int)
        /// Remove the copy of a file that is no longer needed; there is no answer.
        case release(file: String)
        /// Open the part of a file, or create it if there is room for the file.
        ///
        /// The bytes from `durable` on are invalid.
        case begin(FileOffer, durable: UInt64)
        /// Write a chunk of a file; the answer is ``Input/written(_:upTo:)``.
        case write(RandomID, offset: UInt64, [UInt8])
        /// Wait until the written bytes are durable; the answer is ``Input/synced(_:upTo:)``.
        case sync(RandomID)
        /// Verify the file, make it durable, and give it its name; the answer is ``Input/finished(_:)``.
        case finish(FileOffer)
        /// Remove the part of a file; the answer is ``Input/discarded(_:)``.
        case discard(RandomID)
        /// Remove what the application left of a file that it has consumed; there is no answer.
        case remove(FileOffer)
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Notify the application.
        case event(Event)
    }

    /// The result of a request.
    public enum Answer: Hashable, Sendable {
        /// The file is queued durably under this identifier.
        case accepted(RandomID)
        /// The transfer is removed durably; it has no result.
        case cancelled
        /// The request was refused; nothing has changed.
        case refused(RequestError)
    }

    /// Why a request was refused.
    public enum RequestError: Error, Hashable, Sendable {
        /// Too many transfers wait, or too many results were not taken.
        case tooMany(countMax: Int)
        /// The file has this many bytes, more than the limit.
        case tooLarge(byteCount: UInt64, byteCountMax: UInt64)
        /// The metadata have this many bytes, more than ``FileOffer/metadataByteCountMax``.
        case metadataTooLarge(byteCount: Int)
        /// The name is not a single component of a path, or is longer than its limit.
        case badName(String)
        /// No transfer with this identifier waits or is in progress; it may have ended meanwhile.
        case unknownTransfer(RandomID)
        /// The store could not write it, for this reason.
        case notStored(String)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// This many bytes of a file have arrived at the other end.
        case sent(RandomID, byteCount: UInt64, of: UInt64)
        /// A transfer ended.
        ///
        /// The event comes again at each start until ``Input/resultTaken(_:)``.
        case ended(FileResult)
        /// This many bytes of a file have arrived here.
        case receiving(FileOffer, byteCount: UInt64)
        /// A file was received.
        ///
        /// The event comes again at each start until ``Input/consumed(_:)``.
        case received(FileOffer)
        /// The receiver gave up a file.
        case receiveFailed(FileOffer, FileFailure)
        /// A frame was dropped.
        case dropped(Drop)
        /// A record could not be stored.
        case notStored(String)
    }

    /// Why a frame was dropped.
    public enum Drop: Hashable, Sendable {
        /// Its body is malformed.
        case fault(FrameError)
        /// It belongs to another session.
        case foreignSession
        /// It belongs to another lane.
        case wrongLane(FrameKind)
        /// It is a duplicate, came too late, or concerns an unknown transfer.
        case old(FrameKind)
    }
}

extension FileExchange.RequestError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .tooMany(let countMax):
            "\(countMax) files wait already, the most that may: wait until some have arrived, or cancel some"
        case .tooLarge(let byteCount, let byteCountMax):
            "the file has \(byteCount) bytes, at most \(byteCountMax) can be sent: split it"
        case .metadataTooLarge(let byteCount):
            "what goes with the file has \(byteCount) bytes, at most \(FileOffer.metadataByteCountMax) can be sent"
        case .badName(let name):
            "\(name.isEmpty ? "an empty text" : name) is not a file name: it has a slash, or not 1 to 255 bytes"
        case .unknownTransfer: "there is no such transfer any more: it has ended"
        case .notStored(let reason): "it could not be stored: \(reason)"
        }
    }
}
