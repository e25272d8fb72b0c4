#if Processes
    import Dispatch
    import Foundation
    import Platform
    import SyncCore
    import SyncStore
    import SyncTransport

    /// A phone or a watch in this process: state on disk, the link to the counterparts, and for each counterpart the peer
    /// that an app's session talks to.
    ///
    /// The device lives as long as the process: the link ends with it, and the other side sees that. Accepted requests
    /// are on disk before the accepting call returns, so the process may be killed at any moment. Only one process at a
    /// time can use a state folder. Nothing here needs the main thread or its run loop.
    final class RealDevice: Sendable {
        typealias Observer = DeviceObserver

        /// The device's setup.
        let setup: SessionSetup
        private let link: any DeviceLink
        private let counterpartsOfLink: Peers
        private let intake = DispatchQueue(label: "WatchConnectivity.device")
        private let signals = Lock<AppStateSignals?>(nil)
        private let isStarted = Lock(false)
        /// Makes the next watch of a phone the active one.
        let switchWatch: @Sendable () -> Void

        /// Opens a device's folder; nothing happens before ``start()``.
        ///
        /// - Throws: `FolderError`, such as `inUse` if another process has the folder; `StoreError` if a store is
        ///   damaged; ``DeviceError``.
        init(_ setup: SessionSetup, _ observer: Observer = Observer()) throws {
            self.setup = setup
            switchWatch = observer.switchWatch
            let folder = try StateFolder(path: setup.stateFolder)
            try Self.check(folder, isOf: setup.side)
            let relay = LaunchRelay(observer.launchApp)
            var observer = observer
            observer.launchApp = { relay.launch($0) }
            observer.suspendApp = { relay.suspend() }
            let deviceContext = Peer.DeviceContext(setup: setup, intake: intake, observer: observer)
            switch setup.side {
            case .phone:
                let phone = try PhoneLink(in: folder, deviceContext)
                (link, counterpartsOfLink) = (phone, phone.all)
            case .watch:
                let watch = try WatchLink(in: folder, deviceContext)
                (link, counterpartsOfLink) = (watch, watch.all)
            }
            relay.device = self
        }

        /// The counterparts, in the order of their numbers.
        ///
        /// There is always at least one; it is free until the device is paired.
        var counterparts: [Peer] { counterpartsOfLink.all }

        /// The records that the device shares with its counterparts.
        var records: LinkRecords { link.records }

        /// The facts about the device and its app.
        var facts: DeviceFacts { counterpartsOfLink.facts }

        /// Starts the peers and the link, once; returns at once.
        func start() {
            let isFirst = isStarted.withLock { isStarted in
                defer { isStarted = true }
                return !isStarted
            }
            guard isFirst else { return }
            counterpartsOfLink.start()
            link.start()
            GoodbyeAtExit.add(self)
            if setup.obeysSignals { signals.withLock { $0 = AppStateSignals(of: self) } }
        }

        /// Sends BYE to the counterparts and ends the link; what is queued stays on disk for the next run.
        func stop(atMost patience: DispatchTimeInterval = .seconds(2)) {
            GoodbyeAtExit.remove(self)
            signals.withLock { $0 = nil }
            link.stop(atMost: patience)
        }

        /// Waits until the first counterpart is paired and has sent its status; returns at once if it did so in an
        /// earlier run.
        ///
        /// - Returns: Whether it has.
        @discardableResult
        func waitForCounterpart(atMost patience: Duration) -> Bool {
            guard patience > .zero else { return false }
            let seconds = Double(patience.wholeNanoseconds) / 1_000_000_000
            return counterparts[0].firstStatus.wait(until: Date(timeIntervalSinceNow: seconds))
        }

        /// Passes a fact about the device to every peer, such as another state of the app.
        func tell(_ input: PeerState.Input) { counterpartsOfLink.tell(input) }

        // MARK: - Pairing

        /// Creates a code with which one watch can pair (phone).
        ///
        /// It waits until the phone listens. Anybody who has the code can pair within two hours.
        func invite() async throws -> String {
            guard let phone = link as? PhoneLink else { throw DeviceError.onlyFor(isPhone: true) }
            return try await phone.invite()
        }

        /// Pairs with the phone of a code (watch); pairing with another phone removes everything of the one before.
        func pair(with code: String, patience: Duration = .seconds(30)) async throws {
            guard let watch = link as? WatchLink else { throw DeviceError.onlyFor(isPhone: false) }
            try await watch.pair(with: try InvitationCode(code), patience: patience)
        }

        /// Removes a counterpart and what is queued for it; each side does this for itself.
        func unpair(_ counterpart: Peer) async throws {
            try await link.unpair(counterpart)
        }

        /// Refuses the folder of the other kind of device, where it would create a second store.
        private static func check(_ folder: StateFolder, isOf role: PeerState.Role) throws {
            let other = role == .phone ? "watch.sqlite" : "hub.sqlite"
            if FileManager.default.fileExists(atPath: folder.path(of: other)) {
                throw DeviceError.otherRole(path: folder.path, isPhone: role == .watch)
            }
        }
    }

    /// Passes requests to start the app to the setup's function, or wakes the app in this process and suspends it again.
    private final class LaunchRelay: Sendable {
        private let hook: (@Sendable (PeerState.LaunchReason) -> Void)?
        private let queue = DispatchQueue(label: "WatchConnectivity.launches")
        private let target = Lock<WeakReference<RealDevice>?>(nil)

        init(_ hook: (@Sendable (PeerState.LaunchReason) -> Void)?) {
            self.hook = hook
        }

        var device: RealDevice? {
            get { target.withLock { $0?.object } }
            set { target.withLock { $0 = newValue.map(WeakReference.init) } }
        }

        /// Called under a peer's lock, so it only schedules the work.
        func launch(_ reason: PeerState.LaunchReason) {
            queue.async { [self] in
                if let hook { return hook(reason) }
                guard let device, !device.facts.appState.isRunning else { return }
                device.tell(.appState(.background))
            }
        }

        /// Called under a peer's lock, too.
        func suspend() {
            queue.async { [self] in
                guard hook == nil, let device, device.facts.appState == .background else { return }
                device.tell(.appState(.suspended))
            }
        }
    }
#endif
