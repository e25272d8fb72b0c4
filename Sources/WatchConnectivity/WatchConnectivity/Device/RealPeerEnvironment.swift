import Dispatch
import Foundation
import SyncCore
import SyncStore
import SyncTransport
import Synchronization

/// A companion's ports on a real disk, a real link, the machine's clock and queues of the system.
final class RealPeerEnvironment: PeerEnvironment {
    /// What is behind the ports.
    struct Places: Sendable {
        /// The companion's records.
        var records: KeyedStore
        /// The files that go to the counterpart and come from it.
        var files: FileStore
        /// The app's files that are to be copied.
        var originals: OriginalFiles
        /// The directory for the watch, nil at a watch.
        var directory: WatchDirectory?
        /// The way to the counterpart.
        var link: PeerLink
        /// Whether the counterpart has said how it is.
        var firstWord: FirstStatus
        /// The most bytes of a file.
        var fileByteCountMax: UInt64
    }

    private let places: Places
    private let intake: DispatchQueue
    private let calls = DispatchQueue(label: "WatchConnectivity.calls")
    private let copies = DispatchQueue(label: "WatchConnectivity.copies", qos: .utility)
    private let shell = Mutex<WeakReference<PeerDriver>?>(nil)
    private let timer = Mutex<DeviceTimer?>(nil)
    private let observer: DeviceObserver

    /// Creates ports.
    ///
    /// - Parameters:
    ///   - places: What is behind them.
    ///   - intake: Where the shell takes in what happens; a serial queue, never the main one.
    ///   - observer: Told under the shell's lock, so it must return at once.
    init(_ places: Places, intake: DispatchQueue, observer: DeviceObserver) {
        self.places = places
        self.intake = intake
        self.observer = observer
    }

    /// Says whose ports these are, before anything happens.
    func attach(_ shell: PeerDriver) {
        self.shell.withLock { $0 = WeakReference(shell) }
        timer.withLock { $0 = DeviceTimer(on: intake) { [weak self] in self?.owner?.handle(.timeReached) } }
    }

    /// Hands something to the shell, in order, not on the caller's stack.
    func report(_ input: PeerState.Input) {
        intake.async { [self] in
            owner?.handle(input)
            // The first thing that a companion sends is how its device is.
            if case .engineEvent(.exchange(.messageReceived)) = input { places.firstWord.hear() }
        }
    }

    private var owner: PeerDriver? { shell.withLock { $0?.object } }

    // MARK: - Clock and queue

    var moment: Moment { .now }

    func wake(at deadline: Instant?) {
        timer.withLock { $0?.set(deadline) }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        calls.async(execute: work)
    }

    // MARK: - Disk

    func persist(_ record: PeerState.Record) throws {
        try places.records.write(record.changes.map { ($0.key, $0.value) })
    }

    func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile? {
        do throws(FileStoreError) {
            let original = try FileStore.original(path)
            if places.originals.hold(id, path: path) { return nil }
            return PeerState.CopiedFile(try places.files.keep(original, byteCountMax: places.fileByteCountMax))
        } catch {
            // The copying finds the same, and tells the app.
            return nil
        }
    }

    func letGo(_ id: RandomID) {
        copies.async { [places] in places.originals.letGo(id) }
    }

    func copyFile(_ id: RandomID, path: String) {
        let source = places.originals.path(of: id) ?? path
        // Opened at once, so that what cannot be held may go all the same when the app's call has returned.
        let original = Result { () throws(FileStoreError) in try FileStore.original(source) }
        copies.async { [self] in
            do throws(FileStoreError) {
                var copied = PeerState.CopiedFile(try keep(try original.get(), source))
                copied.name = OriginalFiles.name(of: path)
                report(.fileCopied(id, copied))
            } catch {
                observer.trace(.warning("the file cannot be sent: \(error)"))
                report(.fileNotCopied(id, error.code))
            }
        }
    }

    /// Copies a file, again if the app writes into it meanwhile, so that it is sent as it was at one moment.
    private func keep(_ original: FileStore.Original, _ path: String) throws(FileStoreError) -> FileStore.KeptFile {
        for _ in 1...Self.copyCountMax {
            let before = FileStamp(path)
            let kept = try places.files.keep(original, byteCountMax: places.fileByteCountMax)
            if before == FileStamp(path) { return kept }
            places.files.release(kept.file)
        }
        observer.trace(.warning("the file \(path) is written into again and again: it is sent as it is"))
        return try places.files.keep(original, byteCountMax: places.fileByteCountMax)
    }

    /// How often a file is copied that the app writes into.
    private static let copyCountMax = 3

    func releaseCopy(_ file: String) {
        // Behind the copies, so that what is copied right now goes too.
        copies.async { [places] in places.files.release(file) }
    }

    func path(of file: FileOffer) -> String? {
        let path = places.files.path(ofReceived: file)
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    func remove(_ file: FileOffer) { places.files.remove(file) }

    func watchDirectory(exists: Bool) {
        do {
            try exists ? places.directory?.create() : places.directory?.remove()
        } catch {
            observer.trace(
                .warning("the directory for the watch cannot be \(exists ? "created" : "removed"): \(error)"))
        }
    }

    var watchDirectoryPath: String? { places.directory.flatMap { $0.exists ? $0.path : nil } }

    // MARK: - Link and app

    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        places.link.ask(request) { [self] answer in report(.engineAnswered(tag, answer)) }
    }

    func launchApp(_ reason: PeerState.LaunchReason) { observer.launchApp?(reason) }

    func trace(_ event: TraceEvent) { observer.trace(event) }
}

extension FileStoreError {
    /// The session's code for a file that cannot be sent (rules R122, R123 and R127).
    fileprivate var code: WCError.Code {
        switch self {
        case .noRoom, .folder(.full): .insufficientSpace
        case .tooLarge: .payloadTooLarge
        case .missing, .notAPlainFile, .damaged, .badName, .exists, .notReplaceable, .notAlone, .folder:
            .fileAccessDenied
        }
    }
}

extension PeerState.CopiedFile {
    /// A copy of the device's folder.
    fileprivate init(_ kept: FileStore.KeptFile) {
        self.init(file: kept.file, name: kept.name, byteCount: kept.byteCount, digest: kept.digest)
    }
}
