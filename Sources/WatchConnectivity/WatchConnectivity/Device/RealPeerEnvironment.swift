#if Processes
    import Dispatch
    import Foundation
    import Platform
    import SyncCore
    import SyncStore
    import SyncTransport

    /// The environment of a peer on a real device: disk, link, the machine's clock, and dispatch queues.
    final class RealPeerEnvironment: PeerEnvironment {
        /// The resources behind the environment.
        struct Resources: Sendable {
            /// The peer's records.
            var records: KeyedStore
            /// The files that are sent to the counterpart and received from it.
            var files: FileStore
            /// The app's files that have to be copied.
            var originals: OriginalFiles
            /// The directory for the watch; nil on a watch.
            var directory: WatchDirectory?
            /// The connection to the engine.
            var link: PeerLink
            /// Whether the counterpart has sent its first status.
            var firstStatus: FirstStatus
            /// The most bytes of a file.
            var fileByteCountMax: UInt64
        }

        private let resources: Resources
        private let intake: DispatchQueue
        private let calls = DispatchQueue(label: "WatchConnectivity.calls")
        private let copies = DispatchQueue(label: "WatchConnectivity.copies", qos: .utility)
        private let peerDriver = Lock<WeakReference<PeerDriver>?>(nil)
        private let timer = Lock<DeviceTimer?>(nil)
        private let observer: DeviceObserver

        /// Creates an environment.
        ///
        /// - Parameters:
        ///   - resources: The resources behind it.
        ///   - intake: The queue on which the driver gets inputs; serial, and never the main queue.
        ///   - observer: Called under the driver's lock, so its functions must return at once.
        init(_ resources: Resources, intake: DispatchQueue, observer: DeviceObserver) {
            self.resources = resources
            self.intake = intake
            self.observer = observer
        }

        /// Attaches the driver of this environment, before anything happens.
        func attach(_ peerDriver: PeerDriver) {
            self.peerDriver.withLock { $0 = WeakReference(peerDriver) }
            timer.withLock { $0 = DeviceTimer(on: intake) { [weak self] in self?.owner?.handle(.timeReached) } }
        }

        /// Passes an input to the driver, in order, and not on the caller's stack.
        func report(_ input: PeerState.Input) {
            intake.async { [self] in
                owner?.handle(input)
                // The first message of a counterpart is the status of its device.
                if case .engineEvent(.exchange(.messageReceived)) = input { resources.firstStatus.statusArrived() }
            }
        }

        private var owner: PeerDriver? { peerDriver.withLock { $0?.object } }

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
            try resources.records.write(record.changes.map { ($0.key, $0.value) })
        }

        func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile? {
            do throws(FileStoreError) {
                let original = try FileStore.original(path)
                if resources.originals.hold(id, path: path) { return nil }
                return PeerState.CopiedFile(
                    try resources.files.keep(original, byteCountMax: resources.fileByteCountMax))
            } catch {
                // `copyFile` will have the same error, and reports it to the app.
                return nil
            }
        }

        func releaseOriginal(_ id: RandomID) {
            copies.async { [resources] in resources.originals.releaseOriginal(id) }
        }

        func copyFile(_ id: RandomID, path: String) {
            let source = resources.originals.path(of: id) ?? path
            // Opened at once, so that a file that could not be held may be removed when the app's call has returned.
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

        /// Copies a file.
        ///
        /// If the app writes to it meanwhile, copies it again, so that the copy has the contents of one moment.
        private func keep(_ original: FileStore.Original, _ path: String) throws(FileStoreError) -> FileStore.KeptFile {
            for _ in 1...Self.copyCountMax {
                let before = FileStamp(path)
                let kept = try resources.files.keep(original, byteCountMax: resources.fileByteCountMax)
                if before == FileStamp(path) { return kept }
                resources.files.release(kept.file)
            }
            observer.trace(.warning("the file \(path) is written into again and again: it is sent as it is"))
            return try resources.files.keep(original, byteCountMax: resources.fileByteCountMax)
        }

        /// The number of copies that are tried while the app writes to the file.
        private static let copyCountMax = 3

        func releaseCopy(_ file: String) {
            // On the queue of the copies, so that a copy in progress is removed as well.
            copies.async { [resources] in resources.files.release(file) }
        }

        func path(of file: FileOffer) -> String? {
            let path = resources.files.path(ofReceived: file)
            return FileManager.default.fileExists(atPath: path) ? path : nil
        }

        func remove(_ file: FileOffer) { resources.files.remove(file) }

        func watchDirectory(exists: Bool) {
            do {
                try exists ? resources.directory?.create() : resources.directory?.remove()
            } catch {
                observer.trace(
                    .warning("the directory for the watch cannot be \(exists ? "created" : "removed"): \(error)"))
            }
        }

        var watchDirectoryPath: String? { resources.directory.flatMap { $0.exists ? $0.path : nil } }

        // MARK: - Link and app

        func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
            resources.link.ask(request) { [self] answer in report(.engineAnswered(tag, answer)) }
        }

        func launchApp(_ reason: PeerState.LaunchReason) { observer.launchApp?(reason) }

        func suspendApp() { observer.suspendApp() }

        func trace(_ event: TraceEvent) { observer.trace(event) }
    }

    extension FileStoreError {
        /// The session's error code for a file that cannot be sent.
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
        /// A copy in the device's folder.
        fileprivate init(_ kept: FileStore.KeptFile) {
            self.init(file: kept.file, name: kept.name, byteCount: kept.byteCount, digest: kept.digest)
        }
    }
#endif
