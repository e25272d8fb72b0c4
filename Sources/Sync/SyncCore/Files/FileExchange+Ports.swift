extension FileExchange {
    /// The bytes of a chunk; small enough not to delay an urgent frame behind it noticeably.
    public static let chunkByteCount = 32_768
    /// The bytes that a receiver lets be on their way at most: eight chunks.
    public static let creditByteCount: UInt64 = 8 * 32_768
    /// The bytes that a receiver has asked for and not yet written at most: they are in its memory, or on their way.
    public static let unwrittenByteCountMax = 2 * creditByteCount
    /// The bytes after which a receiver makes its progress durable.
    ///
    /// A crash costs at most so much of a transfer, and a megabyte costs a quarter of an `fsync(2)`.
    public static let syncByteCount: UInt64 = 4 * 1_048_576
    /// The most files that wait to be sent, with the results that wait to be taken.
    public static let outstandingCountMax = 256
    /// The most received files that wait to be consumed; the next one waits at its sender.
    public static let receivedCountMax = 256
    /// The most transfers that are remembered as finished, so that they are not received twice.
    public static let finishedCountMax = 4096

    /// What an end is told at its start and never changes.
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
        /// The session ended, or the process is about to.
        case sessionClosed
        /// A frame of the file lane arrived.
        case received(Frame)
        /// The application wants a file sent: the shell's name of a durable copy, the name that the receiver sees,
        /// its size and digest, and what the receiver's application is told about it.
        case send(RequestID, file: String, name: String, byteCount: UInt64, FileDigest, metadata: [UInt8])
        /// The application no longer wants a transfer.
        case cancel(RequestID, RandomID)
        /// The application has taken note of a result.
        case resultTaken(RandomID)
        /// The application has taken a received file.
        case consumed(RandomID)
        /// A record that was put out is durable.
        case persisted(Record)
        /// A record that was put out could not be made durable.
        case persistFailed(Record, reason: String)
        /// What was asked for was read: fewer bytes if the file has no more.
        case read(RandomID, offset: UInt64, [UInt8])
        /// What was asked for cannot be read: for good if the cause is `gone`, else only now, and the file is offered again.
        case readFailed(RandomID, FileFailure)
        /// The part of a file is open and has these bytes of the start.
        case began(RandomID, at: UInt64)
        /// The bytes of a part up to an offset are written, but may be lost in a crash of the machine.
        case written(RandomID, upTo: UInt64)
        /// The bytes of a part up to an offset are on the disk.
        case synced(RandomID, upTo: UInt64)
        /// The file is verified and on the disk under its name; a part that is begun may be found finished, too.
        case finished(RandomID)
        /// A file cannot be begun, written or finished.
        case storeFailed(RandomID, FileFailure)
        /// What there was of a file is removed, or will be at the next start.
        case discarded(RandomID)
        /// A deadline has come, or may have.
        case timeReached
    }

    /// What an end wants done, in this order; what concerns one file must be answered in this order, too.
    public enum Output: Hashable, Sendable {
        /// Send a frame; if there is no room it may be dropped, time repairs it.
        case send(Frame)
        /// Make a record durable, then say so.
        case persist(Record)
        /// Read a chunk of a file to send: answer with ``Input/read(_:offset:_:)``.
        case read(RandomID, file: String, offset: UInt64, byteCount: Int)
        /// Remove the copy of a file, which is no longer needed; there is no answer.
        case release(file: String)
        /// Open the part of a file, or create it if there is room for the file: the bytes from `durable` on are void.
        case begin(FileOffer, durable: UInt64)
        /// Write a chunk of a file: answer with ``Input/written(_:upTo:)``.
        case write(RandomID, offset: UInt64, [UInt8])
        /// Wait until what was written is on the disk: answer with ``Input/synced(_:upTo:)``.
        case sync(RandomID)
        /// Verify the file, and let it get its name once it is on the disk: answer with ``Input/finished(_:)``.
        case finish(FileOffer)
        /// Remove what there is of a file: answer with ``Input/discarded(_:)``.
        case discard(RandomID)
        /// Remove what the application left of a file that it consumed; there is no answer.
        case remove(FileOffer)
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Tell the application what happened.
        case event(Event)
    }

    /// What became of a request.
    public enum Answer: Hashable, Sendable {
        /// The file is queued durably under this name.
        case accepted(RandomID)
        /// The transfer is forgotten durably; it has no result.
        case cancelled
        /// It was declined, and nothing has changed.
        case refused(Fault)
    }

    /// Why a request was declined.
    public enum Fault: Error, Hashable, Sendable {
        /// Too many transfers wait already, or too many results were not taken.
        case tooMany(countMax: Int)
        /// The file has this many bytes, more than the limit.
        case tooLarge(byteCount: UInt64, byteCountMax: UInt64)
        /// The metadata have this many bytes, more than ``FileOffer/metadataByteCountMax``.
        case metadataTooLarge(byteCount: Int)
        /// The name is no single component of a path, or longer than its limit.
        case badName(String)
        /// No such transfer waits or is under way; it may have ended meanwhile.
        case unknownTransfer(RandomID)
        /// The store could not keep it.
        case notStored(String)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// So many bytes of a file have arrived at the other end.
        case sent(RandomID, byteCount: UInt64, of: UInt64)
        /// A transfer ended; told again at each start until ``Input/resultTaken(_:)``.
        case ended(FileResult)
        /// So many bytes of a file have arrived here.
        case receiving(FileOffer, byteCount: UInt64)
        /// A file was received; told again at each start until ``Input/consumed(_:)``.
        case received(FileOffer)
        /// A file is not received after all.
        case receiveFailed(FileOffer, FileFailure)
        /// A frame was dropped.
        case dropped(Drop)
        /// A record could not be stored.
        case notStored(String)
    }

    /// Why a frame was dropped.
    public enum Drop: Hashable, Sendable {
        /// Its body is not what its kind needs.
        case fault(FrameFault)
        /// It belongs to another session.
        case foreignSession
        /// It belongs to another lane.
        case wrongLane(FrameKind)
        /// It is a duplicate, came too late, or is about nothing that is known.
        case old(FrameKind)
    }
}

extension FileExchange.Fault: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .tooMany(let countMax):
            "\(countMax) files wait already, the most that may: wait until some have arrived, or cancel some"
        case .tooLarge(let byteCount, let byteCountMax):
            "the file has \(byteCount) bytes, at most \(byteCountMax) can be sent: split it"
        case .metadataTooLarge(let byteCount):
            "what goes with the file has \(byteCount) bytes, at most \(FileOffer.metadataByteCountMax) can be sent"
        case .badName(let name):
            "\(name.isEmpty ? "an empty text" : name) is no name of a file: it has a slash, or not 1 to 255 bytes"
        case .unknownTransfer: "there is no such transfer any more: it has ended"
        case .notStored(let reason): "it could not be stored: \(reason)"
        }
    }
}
