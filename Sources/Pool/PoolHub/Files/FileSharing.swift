import Logging
import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncStore
import SyncTransport

/// Shares files with watches: copies the files, queues them durably, and reports the results.
///
/// A file is copied and queued before the command is answered. So it arrives also if the hub is killed right after, and
/// whenever the watch connects. The engine sends the files of a watch one after the other, in the order of the commands.
final class FileSharing: Sendable {
    private let files: HubFiles
    private let shared: SharedFileStore
    private let store: HubStore
    private let logger: Logger
    private let results: AsyncStream<(PeerKey, FileResult)>
    private let ending: AsyncStream<(PeerKey, FileResult)>.Continuation

    /// Creates the service, and removes files that are no longer needed.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - queues: The engine's transfers with each watch.
    ///   - logger: Receives failures.
    /// - Throws: `FileStoreError` or `FolderError` if files cannot be stored.
    init(_ folder: HubFolder, queues: [PeerKey: TransferState], logger: Logger) throws {
        files = try HubFiles(in: folder.folder, keeping: queues)
        shared = try SharedFileStore(in: folder.folder, queues: queues)
        store = folder.store
        self.logger = logger
        // The engine limits the number of results that were not taken.
        (results, ending) = AsyncStream.makeStream()
    }

    /// The store of the files for a watch; nil if it cannot be created.
    func place(with watch: PeerKey) -> (any FileStorage)? {
        do {
            return OutgoingFiles(store: try files.store(with: watch))
        } catch {
            logger.info("a watch has no place for files", metadata: ["files.reason": "\(error)"])
            return nil
        }
    }

    /// Handles an event of the transfers with a watch; called on the link's thread, returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        switch event {
        case .files(.sent(let id, let byteCount, _)): shared.note(sent: byteCount, of: id)
        case .files(.ended(let result)): ending.yield((watch, result))
        case .files(.receiving), .files(.received), .files(.receiveFailed), .files(.dropped), .files(.notStored),
            .exchange:
            break
        }
    }

    /// Records the results of transfers until the task is cancelled; may be called once.
    ///
    /// - Parameters:
    ///   - name: Returns the current name of a watch; nil if it is unknown.
    ///   - take: Reports to the engine that a result was recorded.
    ///   - onEnd: Called with each file whose transfer ended; must return at once.
    func run(
        name: @escaping @Sendable (PeerKey) async -> String?, take: @escaping @Sendable (PeerKey, RandomID) -> Void,
        onEnd: @escaping @Sendable (SharedFile) -> Void
    ) async {
        for await (watch, result) in results {
            let outcome = result.failure.map { SharedFile.Outcome.failed($0.words) } ?? .arrived
            do {
                let name = await name(watch)
                if let ended = try shared.end(result.id, outcome, at: .now, watch: name) { onEnd(ended) }
                take(watch, result.id)
            } catch {
                // The engine repeats the result at the next start.
                logger.info("the end of a file could not be written down", metadata: ["files.reason": "\(error)"])
            }
        }
    }

    // MARK: - Requests

    /// Carries out a command.
    ///
    /// - Throws: ``RequestProblem``, `FileStoreError`, `LinkError`, `StoreError`, in words for the user.
    func perform(_ request: ShareRequest, _ transport: HubTransport) async throws -> HubReply {
        let watches = try await transport.status().watches.map(\.watch)
        switch request {
        case .send(let file):
            return .shared(try await send(file, to: try watches.paired(file.watch), transport))
        case .list: return .shares(try list(watches))
        case .cancel(let id): return try await cancel(id, watches, transport)
        }
    }

    /// The files.
    func list(_ watches: [PairedWatch]) throws -> [SharedFile] { try Self.list(shared, store, watches) }

    /// The files of a hub that does not run.
    static func list(_ folder: HubFolder, _ watches: [PairedWatch]) throws -> [SharedFile] {
        try list(try SharedFileStore(in: folder.folder, queues: try folder.store.transfers()), folder.store, watches)
    }

    private static func list(
        _ shared: SharedFileStore, _ store: HubStore, _ watches: [PairedWatch]
    ) throws -> [SharedFile] {
        shared.files(try store.transfers(), watches)
    }

    private func send(_ request: FileToShare, to watch: PairedWatch, _ transport: HubTransport) async throws
        -> SharedFile
    {
        guard request.path.hasPrefix("/"), !request.path.utf8.contains(0) else {
            throw RequestProblem(
                "the file \(request.path) is not an absolute path: the hub has another working folder")
        }
        let metadata = try request.export.map { try SharedFilePayload.metadata($0) } ?? []
        let place = try files.store(with: watch.key)
        let kept = try await blocking { try place.keep(request.path) }
        let name = request.name ?? kept.name
        let file = try await Self.keeping(kept.file, in: place) {
            try await queue(watch, transport) {
                .files(
                    .send($0, file: kept.file, name: name, byteCount: kept.byteCount, kept.digest, metadata: metadata))
            } as: { id in
                SharedFile(
                    id: SharedFileID(id), watch: watch.name, watchID: watch.id, name: name, byteCount: kept.byteCount,
                    sharedAt: .now)
            }
        }
        do {
            try shared.write()
        } catch {
            // The file is queued and will be sent; after a restart the list only lacks the time of the command.
            logger.info("a shared file was not written down", metadata: ["files.reason": "\(error)"])
        }
        return file
    }

    /// Queues a copy, and removes it if it was certainly not queued.
    static func keeping(
        _ copy: String, in place: FileStore, queueing queue: () async throws -> SharedFile
    ) async throws -> SharedFile {
        do {
            return try await queue()
        } catch LinkError.ended {
            // It may be queued although the answer did not arrive; if it is not, the next start removes it.
            throw LinkError.ended
        } catch {
            place.release(copy)
            throw error
        }
    }

    /// Queues a file at the engine; the file is listed before the engine can report its end.
    private func queue(
        _ watch: PairedWatch, _ transport: HubTransport, _ input: (RequestID) -> TransferInput,
        as file: @escaping @Sendable (RandomID) -> SharedFile
    ) async throws -> SharedFile {
        try await withCheckedThrowingContinuation { continuation in
            transport.ask(input, with: watch.key) { [shared] result in
                switch result {
                case .success(.files(.accepted(let id))):
                    let file = file(id)
                    shared.add(file)
                    continuation.resume(returning: file)
                case .success(.files(.refused(let fault))):
                    continuation.resume(throwing: RequestProblem(Self.words(fault, watch: watch.name)))
                case .success:
                    continuation.resume(throwing: RequestProblem("the engine gave another answer than to a file"))
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
        }
    }

    private func cancel(
        _ id: SharedFileID, _ watches: [PairedWatch], _ transport: HubTransport
    ) async throws -> HubReply {
        let waiting = try Self.list(shared, store, watches).filter { $0.outcome == nil }
        guard let file = waiting.first(where: { $0.id == id }), let transfer = RandomID(hexadecimal: id.digits),
            let watch = watches.first(where: { $0.id == file.watchID })
        else {
            throw RequestProblem("no file with the id \(id.short) waits: list them with `poolsensors watches files`")
        }
        switch try await transport.transfer({ .files(.cancel($0, transfer)) }, with: watch.key) {
        case .files(.cancelled):
            try shared.remove(transfer)
            return .done("\(file.name) is no longer sent to watch \(watch.name)")
        case .files(.refused(let fault)): throw RequestProblem(Self.words(fault, watch: watch.name))
        case .files(.accepted), .exchange: throw RequestProblem("the engine gave another answer than to a file")
        }
    }

    /// Removes everything about a watch that is no longer paired.
    func forget(_ watch: PeerKey) {
        files.forget(watch)
        do {
            try shared.removeAll(of: watch)
        } catch {
            // Only ended transfers of a watch that is not paired are listed.
            logger.info("the list of ended transfers was not removed", metadata: ["files.reason": "\(error)"])
        }
    }

    /// Removes everything about a watch that was unpaired while the hub does not run.
    ///
    /// - Throws: `FolderError` or `StoreError`; the files are removed nevertheless.
    static func forget(_ watch: PeerKey, in folder: HubFolder) throws {
        HubFiles.forget(watch, in: folder.folder)
        try SharedFileStore(in: folder.folder, queues: try folder.store.transfers()).removeAll(of: watch)
    }

    // MARK: - Words

    private static func words(_ fault: FileExchange.RequestError, watch: String) -> String {
        switch fault {
        case .tooMany(let countMax):
            "\(countMax) files wait for watch \(watch) already, the most that may: let it come, or give some up with "
                + "`poolsensors watches files cancel`"
        case .tooLarge(let byteCount, let byteCountMax):
            "the file has \(byteCount) bytes; at most \(byteCountMax) can be sent: choose a shorter span"
        case .metadataTooLarge: "the names of the devices are too long: name fewer of them"
        case .badName(let name): "\"\(name)\" cannot be the name of a file: use 1 to 255 bytes without a slash"
        case .unknownTransfer: "the file came to its end a moment ago"
        case .notStored(let reason): "it could not be stored, and is not sent: \(reason)"
        }
    }
}

/// Files for a watch; a file from a watch is declined, because the hub has no use for it.
private struct OutgoingFiles: FileStorage {
    let store: FileStore

    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        guard case .begin(let offer, _) = output else { return store.carryOut(output) }
        return .storeFailed(offer.id, FileFailure(.failed, "this hub takes no files from watches"))
    }
}

/// The metadata of a shared file: a property list with one member that contains JSON.
enum SharedFilePayload {
    /// The encoded metadata of an export.
    static func metadata(_ note: ExportMetadata) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(note), as: UTF8.self)
        return try PropertyList.dictionary(["export": .string(json)]).encoded()
    }
}
