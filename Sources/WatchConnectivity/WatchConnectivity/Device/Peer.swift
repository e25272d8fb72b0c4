#if Processes
    import Dispatch
    import Foundation
    import Platform
    import SyncCore
    import SyncStore

    /// One counterpart of a device: its peer state, and its data in a separate folder.
    ///
    ///     companion-⟨number⟩/keyed.sqlite   the peer's records
    ///     companion-⟨number⟩/files          the files that are exchanged
    ///     companion-⟨number⟩/originals      the app's files that have to be copied, as links
    ///     companion-⟨number⟩/directory      the phone's directory for the watch
    ///     companion-⟨number⟩/peer.secret    its identity, once it is paired
    ///
    /// A device has the first one from the beginning, before it is paired, so that an app's session stays the same when a
    /// counterpart is paired.
    final class Peer: Sendable {
        /// The identity of a counterpart.
        struct Identity: Codable, Hashable, Sendable {
            /// Its public key, in hexadecimal digits.
            var key: String
            /// The name that the phone gave to the watch.
            var name: String
            /// The phone's endpoint (on a watch).
            var endpoint: String?

            /// Its public key.
            var peer: PeerKey? { PeerKey(hexadecimal: key) }
        }

        /// The number of the counterpart on this device, from 1.
        let number: Int
        /// The driver of its peer state.
        let peerDriver: PeerDriver
        /// The connection to the engine.
        let link = PeerLink()
        /// The files that are exchanged with it.
        let files: FileStore
        /// Whether it has sent its first status, in this run or in an earlier one.
        let firstStatus: FirstStatus
        private let environment: RealPeerEnvironment
        private let folder: StateFolder
        private let who: Lock<Identity?>

        private static let identityName = "peer"

        /// The values that all counterparts of a device share.
        struct DeviceContext: Sendable {
            var setup: SessionSetup
            var intake: DispatchQueue
            var observer: DeviceObserver
        }

        /// Opens a counterpart, or creates a free one.
        ///
        /// - Parameters:
        ///   - number: Its number.
        ///   - device: The device's folder.
        ///   - deviceContext: The values that all counterparts share.
        ///   - transfers: What the engine's store holds about the transfers with a peer.
        /// - Throws: `FolderError`, `StoreError`, `FileStoreError`.
        init(
            _ number: Int, in device: StateFolder, _ deviceContext: DeviceContext,
            transfers: (PeerKey?) throws -> TransferState
        ) throws {
            self.number = number
            let setup = deviceContext.setup
            folder = try StateFolder(path: device.path(of: Self.folderName(number)))
            let identity = try Self.identity(in: folder)
            who = Lock(identity)
            firstStatus = FirstStatus(hasArrived: identity != nil)
            files = try FileStore(in: folder)
            let records = try KeyedStore(in: folder)
            let state = try transfers(identity?.peer)
            var seeds = SystemRandomNumberGenerator()
            let peerState = PeerState(
                configuration: PeerState.Configuration(role: setup.side, behaviour: setup.behaviour),
                stored: try records.read(), storedTransfers: PeerState.StoredTransfers(state), seed: seeds.next())
            let copies = peerState.copies
            try files.removeAbandoned(keeping: state.files, orCopies: copies.contains)
            let originals = try OriginalFiles(path: folder.path(of: "originals"))
            originals.removeAbandoned(keeping: peerState.filesToCopy)
            var directory: WatchDirectory?
            if setup.side == .phone {
                let place = WatchDirectory(path: folder.path(of: "directory"))
                // A crash may have happened between the decision and its execution.
                try peerState.core.facts.isCounterpartInstalled ? place.create() : place.remove()
                directory = place
            }
            environment = RealPeerEnvironment(
                .init(
                    records: records, files: files, originals: originals, directory: directory, link: link,
                    firstStatus: firstStatus, fileByteCountMax: setup.behaviour.fileByteCountMax),
                intake: deviceContext.intake, observer: deviceContext.observer)
            peerDriver = PeerDriver(peerState, environment: environment)
            environment.attach(peerDriver)
        }

        /// The name of a counterpart's folder.
        static func folderName(_ number: Int) -> String { "companion-\(number)" }

        /// The identity; nil before it is paired.
        var identity: Identity? { who.withLock(\.self) }

        /// The watch that it is, on a phone; nil before it is paired.
        var watch: SessionWatch? { identity.map { SessionWatch(id: "\(number)", name: $0.name) } }

        /// Stores the identity durably.
        func identify(_ identity: Identity?) throws {
            if let identity {
                try folder.writeSecret(Self.identityName, Array(try JSONEncoder().encode(identity)))
            } else {
                try folder.removeSecret(Self.identityName)
            }
            who.withLock { $0 = identity }
        }

        /// Carries out the peer's initial outputs, and passes on the facts about the device.
        func start(_ facts: [PeerState.Input]) {
            peerDriver.start()
            peerDriver.handle(.paired(identity != nil))
            for fact in facts { peerDriver.handle(fact) }
        }

        /// The phone's directory for this watch, or nil.
        var watchDirectoryPath: String? { environment.watchDirectoryPath }

        /// The transport is about to end, or is gone.
        ///
        /// No transfer is handed over until the peer learns what the engine of the next transport holds.
        func closeLink() {
            peerDriver.handle(.engineEnding)
            link.close()
        }

        /// Passes an input to the peer, in order with the engine's events.
        func report(_ input: PeerState.Input) { environment.report(input) }

        private static func identity(in folder: StateFolder) throws -> Identity? {
            guard let bytes = try folder.readSecret(identityName) else { return nil }
            do {
                return try JSONDecoder().decode(Identity.self, from: Data(bytes))
            } catch {
                throw DeviceError.unreadable(path: folder.path(of: identityName + ".secret"))
            }
        }
    }
#endif
