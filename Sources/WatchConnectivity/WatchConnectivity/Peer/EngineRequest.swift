package import SyncCore

extension PeerState {
    /// A request to the engine; requests go out in the order of the outputs.
    package enum EngineRequest: Hashable, Sendable {
        case message(Message)
        case item(Exchange.Transfer)
        case cancelItem(RandomID)
        case consumedItem(RandomID)
        case reply(MessageID, [UInt8])
        case decline(MessageID, MessageRefusal, text: String)
        /// Send a file; its copy belongs to the engine from then on.
        ///
        /// Empty metadata count as none.
        case file(CopiedFile, metadata: [UInt8])
        /// Cancel a file; the id is the engine's, from the answer to `file`.
        case cancelFile(RandomID)
        case consumedFile(RandomID)
        case resultTaken(RandomID)

        /// Whether the engine answers it.
        package var hasAnswer: Bool {
            switch self {
            case .consumedItem, .consumedFile, .resultTaken: false
            case .message, .item, .cancelItem, .reply, .decline, .file, .cancelFile: true
            }
        }

        /// The input for the engine.
        package func input(as id: RequestID) -> TransferInput {
            switch self {
            case .message(let message): .exchange(.message(id, message))
            case .item(let transfer): .exchange(.transfer(id, transfer))
            case .cancelItem(let item): .exchange(.cancel(id, item))
            case .consumedItem(let item): .exchange(.consumed(item))
            case .reply(let message, let payload): .exchange(.reply(id, message, payload))
            case .decline(let message, let refusal, let text): .exchange(.decline(id, message, refusal, text: text))
            case .file(let copy, let metadata):
                .files(
                    .send(
                        id, file: copy.file, name: copy.name, byteCount: copy.byteCount, copy.digest,
                        metadata: metadata))
            case .cancelFile(let file): .files(.cancel(id, file))
            case .consumedFile(let file): .files(.consumed(file))
            case .resultTaken(let file): .files(.resultTaken(file))
            }
        }
    }

    /// The identifier of a request to the engine.
    package struct EngineTag: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// A file in the device's folder that waits to be sent.
    package struct CopiedFile: Hashable, Sendable {
        /// The store's name for the copy.
        package var file: String
        /// The last component of the path that the app gave.
        package var name: String
        package var byteCount: UInt64
        package var digest: FileDigest

        package init(file: String, name: String, byteCount: UInt64, digest: FileDigest) {
            self.file = file
            self.name = name
            self.byteCount = byteCount
            self.digest = digest
        }
    }

    /// The part of the engine's stored state that a peer handed to it.
    package struct StoredTransfers: Hashable, Sendable {
        /// The size in bytes of each outstanding item.
        package var items: [RandomID: Int]
        /// The engine's ids of the waiting files, by the names of their copies.
        package var files: [String: RandomID]
        /// The engine's ids of the files whose results it will report again.
        package var fileResults: Set<RandomID>

        package init(
            items: [RandomID: Int] = [:], files: [String: RandomID] = [:], fileResults: Set<RandomID> = []
        ) {
            self.items = items
            self.files = files
            self.fileResults = fileResults
        }

        /// Reads it from an engine's stored state of this peer.
        package init(_ state: TransferState) {
            let items = ItemTrack.allCases.flatMap { state.exchange.outboxes[$0].items }
            self.init(
                items: Dictionary(items.map { ($0.id, $0.payload.count) }) { $1 },
                files: Dictionary(state.files.queue.map { ($0.file, $0.offer.id) }) { $1 },
                fileResults: Set(state.files.results.map(\.id)))
        }
    }

    /// Why a message between the peers was not confirmed, as text for a trace.
    static func words(of answer: TransferAnswer?) -> String {
        guard let answer else { return "the link's driver ended" }
        guard case .exchange(.failed(let fault)) = answer else { return "an answer to something else came" }
        return switch fault {
        case .notReachable: "the other device is out of reach"
        case .payloadTooLarge(let byteCount, let limit): "\(byteCount) bytes are too many, \(limit) may go"
        case .tooManyMessages(let limit): "\(limit) messages are under way already"
        case .replyTimedOut: "no answer came in time"
        case .replyFailed(let text), .deliveryFailed(let text): text
        case .sessionReset: "the link was interrupted"
        case .unknownMessage: "the other device does not know it"
        }
    }
}

extension RandomID {
    /// The first digits of the id, for a trace.
    var shortName: String { String(hexadecimal.prefix(8)) }
}
