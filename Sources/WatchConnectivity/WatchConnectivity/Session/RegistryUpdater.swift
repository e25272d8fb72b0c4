#if Processes
    import Foundation
    import Platform
    import SyncCore

    extension RealDevice: DeviceHost {
        /// Opens a device and adds its peers to a registry.
        ///
        /// The first peer exists before a watch is paired, so that the default session stays the same when a watch is
        /// paired.
        ///
        /// The registry holds its host weakly: keep the device for as long as it should run. Call ``start()`` afterwards.
        ///
        /// - Throws: As ``init(_:_:)``.
        convenience init(
            _ setup: SessionSetup, on registry: SessionRegistry,
            launchApp: (@Sendable (PeerState.LaunchReason) -> Void)? = nil,
            trace: @escaping @Sendable (TraceEvent) -> Void
        ) throws {
            let filler = RegistryUpdater(registry, role: setup.side)
            var observer = Observer()
            observer.launchApp = launchApp
            observer.trace = trace
            observer.counterpartsChanged = { filler.fill() }
            observer.recordsChanged = { [weak registry] in registry?.records.changed() }
            observer.switchWatch = { [weak registry] in registry?.switchToNextWatch() }
            do {
                try self.init(setup, observer)
            } catch {
                trace(.warning("the device could not be started: \(error)"))
                throw error
            }
            records.counterparts = { [weak self] in self?.counterparts ?? [] }
            registry.records.connect(records, rules: setup.records, role: setup.side)
            filler.device = self
            filler.fill()
        }
    }

    /// Updates a registry when the peers of a device change.
    private final class RegistryUpdater: Sendable {
        private struct State: Sendable {
            weak var device: RealDevice?
            /// What the registry contains, by the numbers of the peers.
            var shown: [Int: SessionWatch] = [:]
        }

        // The registry belongs to the process, or to a test that holds it.
        private weak let registry: SessionRegistry?
        private let role: PeerState.Role
        private let state = Lock(State())
        /// Held during an update, so that a thread with older information never overwrites newer information.
        ///
        /// A session that changes to another peer notifies its observers while the lock is held, and they may call this
        /// again; so the lock is recursive.
        private let filling = NSRecursiveLock()

        init(_ registry: SessionRegistry, role: PeerState.Role) {
            self.registry = registry
            self.role = role
        }

        var device: RealDevice? {
            get { state.withLock(\.device) }
            set { state.withLock { $0.device = newValue } }
        }

        /// Adds new peers, removes old ones, and updates names.
        func fill() {
            filling.withLock {
                guard let registry, let device else { return }
                for counterpart in device.counterparts { show(counterpart, on: registry) }
            }
        }

        /// Adds, removes or renames one peer in the registry.
        private func show(_ counterpart: Peer, on registry: SessionRegistry) {
            let identity = counterpart.identity
            // A phone has no name here, and neither has an unpaired peer.
            let name = identity.map { role == .phone ? $0.name : "phone" } ?? ""
            let watch = SessionWatch(id: "\(counterpart.number)", name: name)
            // The first peer stays in the registry even if unpaired: its session is the default one.
            let isListed = identity != nil || counterpart.number == 1
            let (isNew, isGone, isRenamed) = state.withLock { state in
                let shown = state.shown[counterpart.number]
                state.shown[counterpart.number] = isListed ? watch : nil
                return (isListed && shown == nil, !isListed && shown != nil, isListed && shown != watch)
            }
            if isNew {
                registry.add(
                    watch,
                    PeerClient(peerDriver: counterpart.peerDriver, role: role) { [weak counterpart] in
                        counterpart?.watchDirectoryPath
                    })
            } else if isGone {
                registry.remove(watch.id)
            } else if isRenamed {
                registry.rename(watch)
            }
        }
    }
#endif
