import Dispatch
import Foundation
import SyncCore
import SyncStore
import SyncTransport
import Synchronization

/// A phone or a watch as a part of this process: state on disk, the link to the counterparts, and for each of them the
/// companion that an app's session talks to.
///
/// The device lives as long as the process: with it the link ends, and the other side sees that. What was accepted is
/// on disk before the call returned that accepted it, so the process may be killed at any moment. Only one process at
/// a time has a state folder. Nothing here needs the main thread or its run loop.
final class RealDevice: Sendable {
    typealias Observer = DeviceObserver

    /// What the device was told.
    let setup: SessionSetup
    private let link: any DeviceLink
    private let counterpartsOfLink: Peers
    private let intake = DispatchQueue(label: "WatchConnectivity.device")
    private let signals = Mutex<AppStateSignals?>(nil)
    private let isStarted = Mutex(false)

    /// Opens a device's folder; nothing happens before ``start()``.
    ///
    /// - Throws: `FolderError`, such as `inUse` if another process has the folder; `StoreError` if a store is damaged;
    ///   ``DeviceError``.
    init(_ setup: SessionSetup, _ observer: Observer = Observer()) throws {
        self.setup = setup
        let folder = try StateFolder(path: setup.stateFolder)
        try Self.check(folder, isOf: setup.side)
        let relay = LaunchRelay(observer.launchApp)
        var observer = observer
        observer.launchApp = { relay.launch($0) }
        let surroundings = Peer.Surroundings(setup: setup, intake: intake, observer: observer)
        switch setup.side {
        case .phone:
            let phone = try PhoneLink(in: folder, surroundings)
            (link, counterpartsOfLink) = (phone, phone.all)
        case .watch:
            let watch = try WatchLink(in: folder, surroundings)
            (link, counterpartsOfLink) = (watch, watch.all)
        }
        relay.device = self
    }

    /// The counterparts, by their numbers.
    ///
    /// There is always one; it belongs to nobody before the device is paired.
    var counterparts: [Peer] { counterpartsOfLink.all }

    /// What is true of the device and its app.
    var facts: DeviceFacts { counterpartsOfLink.facts }

    /// Starts the companions and the link, once; it returns at once.
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

    /// Says goodbye to the counterparts and ends the link; what is queued stays on disk for the next life.
    func stop(atMost patience: DispatchTimeInterval = .seconds(2)) {
        GoodbyeAtExit.remove(self)
        signals.withLock { $0 = nil }
        link.stop(atMost: patience)
    }

    /// Waits until the first counterpart is paired and has said how it is; not at all if it did so in an earlier run.
    ///
    /// - Returns: Whether it has.
    @discardableResult
    func waitForCounterpart(atMost patience: Duration) -> Bool {
        guard patience > .zero else { return false }
        let seconds = Double(patience.wholeNanoseconds) / 1_000_000_000
        return counterparts[0].firstWord.wait(until: Date(timeIntervalSinceNow: seconds))
    }

    /// Tells every companion what is true of the device from now on, such as another state of the app.
    func tell(_ input: PeerState.Input) { counterpartsOfLink.tell(input) }

    // MARK: - Pairing

    /// Makes a code by which one watch can pair (phone).
    ///
    /// It waits until the phone listens, and anybody who has the code can pair within two hours.
    func invite() async throws -> String {
        guard let phone = link as? PhoneLink else { throw DeviceError.onlyFor(isPhone: true) }
        return try await phone.invite()
    }

    /// Pairs with the phone of a code (watch); another phone than before is another beginning.
    func pair(with code: String, patience: Duration = .seconds(30)) async throws {
        guard let watch = link as? WatchLink else { throw DeviceError.onlyFor(isPhone: false) }
        try await watch.pair(with: try InvitationCode(code), patience: patience)
    }

    /// Forgets a counterpart, and what is queued for it (rule R157); each side does it for itself.
    func unpair(_ counterpart: Peer) async throws {
        try await link.unpair(counterpart)
    }

    /// Refuses the folder of the other kind of device: its store would be made anew beside the old one.
    private static func check(_ folder: StateFolder, isOf role: PeerState.Role) throws {
        let other = role == .phone ? "watch.sqlite" : "hub.sqlite"
        if FileManager.default.fileExists(atPath: folder.path(of: other)) {
            throw DeviceError.otherRole(path: folder.path, isPhone: role == .watch)
        }
    }
}

/// Hands the wish to start the app to anybody who can, or wakes the app in this process.
private final class LaunchRelay: Sendable {
    private let hook: (@Sendable (PeerState.LaunchReason) -> Void)?
    private let queue = DispatchQueue(label: "WatchConnectivity.launches")
    private let target = Mutex<WeakReference<RealDevice>?>(nil)

    init(_ hook: (@Sendable (PeerState.LaunchReason) -> Void)?) {
        self.hook = hook
    }

    var device: RealDevice? {
        get { target.withLock { $0?.object } }
        set { target.withLock { $0 = newValue.map(WeakReference.init) } }
    }

    /// Called under a companion's lock, so it only leaves word.
    func launch(_ reason: PeerState.LaunchReason) {
        queue.async { [self] in
            if let hook { return hook(reason) }
            guard let device, !device.facts.appState.isRunning else { return }
            device.tell(.appState(.background))
        }
    }
}
