import Logging
import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncStore
import SyncTransport

/// Shares files with watches: copies what is to be sent, queues it durably, and tells what became of it.
///
/// A file is copied and queued before the request for it is answered, so it arrives also if the hub is killed at once, and
/// whenever the watch comes. The engine sends the files of a watch one after the other, in the order of the requests.
final class FileSharing: Sendable {
    private let files: HubFiles
    private let book: SharedFileStore
    private let store: HubStore
    private let logger: Logger
    private let results: AsyncStream<(PeerKey, FileResult)>
    private let ending: AsyncStream<(PeerKey, FileResult)>.Continuation

    /// Creates a desk, and tidies its folders up.
    ///
    /// - Parameters:
    ///   - folder: The hub's state.
    ///   - queues: What the engine knows of each watch.
    ///   - logger: Gets what happens.
    /// - Throws: `FileStoreError` or `FolderError` if there is no place for files.
    init(_ folder: HubFolder, queues: [PeerKey: TransferState], logger: Logger) throws {
        files = try HubFiles(in: folder.folder, keeping: queues)
        book = try SharedFileStore(in: folder.folder, queues: queues)
        store = folder.store
        self.logger = logger
        // The engine bounds the results that were not taken.
        (results, ending) = AsyncStream.makeStream()
    }

    /// Where the files for a watch lie; nil if there is no place for them.
    func place(with watch: PeerKey) -> (any FileStorage)? {
        do {
            return OutgoingFiles(store: try files.store(with: watch))
        } catch {
            logger.info("a watch has no place for files", metadata: ["files.reason": "\(error)"])
            return nil
        }
    }

    /// Takes an event of the transfers with a watch; on the link's thread, and returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        switch event {
        case .files(.sent(let id, let byteCount, _)): book.note(sent: byteCount, of: id)
        case .files(.ended(let result)): ending.yield((watch, result))
        case .files(.receiving), .files(.received), .files(.receiveFailed), .files(.dropped), .files(.notStored),
            .exchange:
            break
        }
    }

    /// Writes down what becomes of files until the task is cancelled; once in a desk's life.
    ///
    /// - Parameters:
    ///   - name: The name of a watch now; nil if it is not known.
    ///   - take: Tells the engine that a result was taken.
    ///   - onEnd: Gets each file that came to its end; must return at once.
    func run(
        name: @escaping @Sendable (PeerKey) async -> String?, take: @escaping @Sendable (PeerKey, RandomID) -> Void,
        onEnd: @escaping @Sendable (SharedFile) -> Void
    ) async {
        for await (watch, result) in results {
            let outcome = result.failure.map { SharedFile.Outcome.failed($0.words) } ?? .arrived
            do {
                let name = await name(watch)
                if let ended = try book.end(result.id, outcome, at: .now, watch: name) { onEnd(ended) }
                take(watch, result.id)
            } catch {
                // It is told again at the next start.
                logger.info("the end of a file could not be written down", metadata: ["files.reason": "\(error)"])
            }
        }
    }

    // MARK: - Requests

    /// Does what a command asks.
    ///
    /// - Throws: ``RequestProblem``, `FileStoreError`, `LinkError`, `StoreError`, in words for a person.
    func perform(_ request: ShareRequest, _ driver: HubTransport) async throws -> HubReply {
        let watches = try await driver.status().watches.map(\.watch)
        switch request {
        case .send(let draft):
            return .shared(try await send(draft, to: try WatchNames.meant(draft.watch, among: watches), driver))
        case .list: return .shares(try Self.list(book, store, watches))
        case .cancel(let text): return try await cancel(text, watches, driver)
        }
    }

    /// The files of a hub at rest.
    static func list(_ folder: HubFolder, _ watches: [PairedWatch]) throws -> [SharedFile] {
        try list(try SharedFileStore(in: folder.folder, queues: try folder.store.transfers()), folder.store, watches)
    }

    private static func list(
        _ book: SharedFileStore, _ store: HubStore, _ watches: [PairedWatch]
    ) throws -> [SharedFile] {
        book.files(try store.transfers(), watches)
    }

    private func send(_ draft: FileToShare, to watch: PairedWatch, _ driver: HubTransport) async throws -> SharedFile {
        guard draft.path.hasPrefix("/"), !draft.path.utf8.contains(0) else {
            throw RequestProblem(
                "the file \(draft.path) is not an absolute path: the hub has another working folder")
        }
        let metadata = try draft.export.map { try SharedFilePayload.metadata($0) } ?? []
        let place = try files.store(with: watch.key)
        let kept = try await blocking { try place.keep(draft.path) }
        let name = draft.name ?? kept.name
        let file = SharedFile(
            id: "", watch: watch.name, watchKey: watch.key.hexadecimal, name: name, byteCount: kept.byteCount,
            sharedAt: .now)
        let shared = try await Self.keeping(kept.file, in: place) {
            try await queue(file, watch.key, driver) {
                .files(
                    .send($0, file: kept.file, name: name, byteCount: kept.byteCount, kept.digest, metadata: metadata))
            }
        }
        do {
            try book.write()
        } catch {
            // It is queued, and so it is sent; after a restart the list only lacks when it was shared.
            logger.info("a shared file was not written down", metadata: ["files.reason": "\(error)"])
        }
        return shared
    }

    /// Has a copy queued, and removes it if it is certain that it was not.
    static func keeping(
        _ copy: String, in place: FileStore, queueing queue: () async throws -> SharedFile
    ) async throws -> SharedFile {
        do {
            return try await queue()
        } catch LinkError.ended {
            // The queue may have it durably although the answer did not come; if not, the next start removes it.
            throw LinkError.ended
        } catch {
            place.release(copy)
            throw error
        }
    }

    /// Asks the engine for a file, which the book knows before the engine can tell of its end.
    private func queue(
        _ file: SharedFile, _ watch: PeerKey, _ driver: HubTransport, _ input: (RequestID) -> TransferInput
    ) async throws -> SharedFile {
        try await withCheckedThrowingContinuation { continuation in
            driver.ask(input, with: watch) { [book] result in
                switch result {
                case .success(.files(.accepted(let id))):
                    var file = file
                    file.id = id.hexadecimal
                    book.learn(file)
                    continuation.resume(returning: file)
                case .success(.files(.refused(let fault))):
                    continuation.resume(throwing: RequestProblem(Self.words(fault, watch: file.watch)))
                case .success:
                    continuation.resume(throwing: RequestProblem("the engine gave another answer than to a file"))
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
        }
    }

    private func cancel(
        _ text: String, _ watches: [PairedWatch], _ driver: HubTransport
    ) async throws -> HubReply {
        let waiting = try Self.list(book, store, watches).filter { $0.outcome == nil }
        let found = waiting.filter { !text.isEmpty && $0.id.hasPrefix(text.lowercased()) }
        guard found.count == 1, let file = found.first, let id = RandomID(hexadecimal: file.id),
            let watch = watches.first(where: { $0.key.hexadecimal == file.watchKey })
        else {
            throw RequestProblem(
                found.isEmpty
                    ? "no file with the id \(text) waits: list them with `poolsensors watches files`"
                    : "\(found.count) files have an id that begins with \(text): give more of it")
        }
        switch try await driver.transfer({ .files(.cancel($0, id)) }, with: watch.key) {
        case .files(.cancelled):
            try book.forget(id)
            return .done("\(file.name) is no longer sent to watch \(watch.name)")
        case .files(.refused(let fault)): throw RequestProblem(Self.words(fault, watch: watch.name))
        case .files(.accepted), .exchange: throw RequestProblem("the engine gave another answer than to a file")
        }
    }

    /// Forgets everything about a watch that is not paired any more.
    func forget(_ watch: PeerKey) {
        files.forget(watch)
        do {
            try book.forget(watch: watch)
        } catch {
            // Files of a watch that is not paired are listed as nothing but ended.
            logger.info("the book of files stayed", metadata: ["files.reason": "\(error)"])
        }
    }

    /// Forgets everything about a watch that was unpaired from a hub at rest.
    ///
    /// - Throws: `FolderError` or `StoreError`; the files are gone all the same.
    static func forget(_ watch: PeerKey, in folder: HubFolder) throws {
        HubFiles.forget(watch, in: folder.folder)
        try SharedFileStore(in: folder.folder, queues: try folder.store.transfers()).forget(watch: watch)
    }

    // MARK: - Words

    private static func words(_ fault: FileExchange.Fault, watch: String) -> String {
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

/// Files that go to a watch; one that comes from a watch is declined: nobody at the hub would ever take it.
private struct OutgoingFiles: FileStorage {
    let store: FileStore

    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        guard case .begin(let offer, _) = output else { return store.carryOut(output) }
        return .storeFailed(offer.id, FileFailure(.failed, "this hub takes no files from watches"))
    }
}

/// What is said about a file: a property list with one member, which holds JSON.
enum SharedFilePayload {
    /// The bytes that say what an export is.
    static func metadata(_ note: ExportMetadata) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(note), as: UTF8.self)
        return try PropertyList.dictionary(["export": .string(json)]).encoded()
    }
}
