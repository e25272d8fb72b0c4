import Platform
import SyncCore
import SyncSimulation
import WatchConnectivity

extension PairRunner {
    /// Starts all devices, and lets them find each other.
    func begin() {
        for device in devices { powerOn(device) }
        world.withLock { world in
            for number in 0..<world.watchCount { world.pair(number) }
        }
        for device in devices { tellAll(device, .paired(true)) }
        turn(limit: Self.turnLimit, for: nil)
    }

    private func note(_ device: DeviceID?, _ words: String) {
        world.withLock { $0.note(device, .device(words)) }
    }

    func app(of device: DeviceID) -> TestApp { apps.withLock { $0[device] ?? TestApp() } }

    /// Changes an app; returns its previous state.
    @discardableResult
    func changeApp(of device: DeviceID, _ change: (inout TestApp) -> Void) -> TestApp {
        apps.withLock { apps in
            let before = apps[device] ?? TestApp()
            var after = before
            change(&after)
            apps[device] = after
            return before
        }
    }

    // MARK: - Power

    func powerOn(_ device: DeviceID) {
        exclusively { bootUp(device) }
    }

    /// Starts the engine and the peers over it; nothing else runs meanwhile, so no input comes before there is a peer
    /// for it.
    private func bootUp(_ device: DeviceID) {
        guard !world.withLock({ $0.hasPower(device) }) else { return }
        if world.withLock({ $0.takePowerLoss(of: device) }) { lostPower(device) }
        note(device, "gets power")
        world.withLock { $0.start(device) }
        startCompanions(of: device)
        let app = app(of: device)
        for (address, peerDriver) in peerDrivers(of: device) {
            peerDriver.handle(.paired(isPaired(address)))
            for fact in app.facts(of: address.role) { peerDriver.handle(fact) }
            // A link that the device has to consider open stays open in any case: its opening will not be reported.
            if world.withLock({ $0.sense(of: address) }) == true { peerDriver.handle(.link(isOpen: true)) }
        }
    }

    func powerOff(_ device: DeviceID) {
        exclusively {
            guard world.withLock({ $0.hasPower(device) }) else { return }
            note(device, "is switched off")
            world.withLock { $0.stop(device) }
            lostPower(device)
        }
    }

    /// A device has lost power, so its app has ended.
    func lostPower(_ device: DeviceID) {
        endCompanions(of: device)
        changeApp(of: device) { app in
            app.state = .notRunning
            app.hasPriority = false
        }.onEnd?(true)
    }

    private func isPaired(_ address: Side) -> Bool {
        world.withLock { $0.isPaired(address.watch) }
    }

    // MARK: - Apps

    /// Sets the state of an app, as its user or its system does.
    func setState(of device: DeviceID, _ state: SessionDevice.AppState, _ reason: AppLaunchReason) {
        guard world.withLock({ $0.hasPower(device) }) else { return }
        let before = changeApp(of: device) { $0.state = state }.state
        guard before != state else { return }
        if state == .notRunning { changeApp(of: device) { $0.hasPriority = false }.onEnd?(false) }
        if reason != .user { note(device, "the system starts or wakes the app for a \(reason)") }
        tellAll(device, .appState(state.peerState))
        guard before == .notRunning else { return }
        guard let onLaunch = app(of: device).onLaunch else { return }
        onLaunch(session(of: device), reason)
    }

    /// Gives an app high priority in the background, or takes it away; without a process it has none.
    func setPriority(of device: DeviceID, _ hasPriority: Bool) {
        guard app(of: device).state != .notRunning else { return }
        guard changeApp(of: device, { $0.hasPriority = hasPriority }).hasPriority != hasPriority else { return }
        tellAll(device, .priority(hasPriority))
    }

    /// Starts or wakes an app in the background, because something waits for it and it has no running time.
    func startForSystem(_ device: DeviceID, _ reason: PeerState.LaunchReason) {
        let app = app(of: device)
        guard app.isStartable, app.isInstalled, app.state == .notRunning || app.state == .suspended else { return }
        setState(of: device, .background, AppLaunchReason(reason))
    }

    /// Suspends an app, as the system does if it has nothing left to do in the background.
    func suspendForSystem(_ device: DeviceID) {
        guard app(of: device).state == .background else { return }
        setState(of: device, .suspended, .user)
    }

    /// Ends an app, as the system does if it left a background task open.
    func endForSystem(_ device: DeviceID) {
        note(device, "the system ends the app")
        setState(of: device, .notRunning, .user)
    }

    func setInstalled(_ device: DeviceID, _ isInstalled: Bool) {
        guard changeApp(of: device, { $0.isInstalled = isInstalled }).isInstalled != isInstalled else { return }
        if !isInstalled { setState(of: device, .notRunning, .user) }
        tellAll(device, .installed(isInstalled))
    }

    // MARK: - Pairing

    func unpair(_ watch: Int) {
        guard world.withLock({ $0.isPaired(watch) }) else { return }
        note(nil, "\(DeviceID.watch(watch).place) is unpaired and erased")
        world.withLock { $0.unpair(watch) }
        peerDriver(at: Side(.phone, watch))?.handle(.paired(false))
        // The phone's engine answers what waited before the watch changes.
        turn(limit: Self.turnLimit, for: nil)
        let hadPower = world.withLock { $0.hasPower(.watch(watch)) }
        world.withLock { $0.stop(.watch(watch)) }
        lostPower(.watch(watch))
        world.withLock { $0.erase(watch) }
        changeApp(of: .watch(watch)) { app in
            app.isInstalled = false
            app.isComplicationEnabled = false
        }
        if hadPower { powerOn(.watch(watch)) }
    }

    func pair(_ watch: Int) {
        guard !world.withLock({ $0.isPaired(watch) }) else { return }
        note(nil, "\(DeviceID.watch(watch).place) is paired")
        world.withLock { $0.pair(watch) }
        for role in [PeerState.Role.phone, .watch] { peerDriver(at: Side(role, watch))?.handle(.paired(true)) }
    }

    // MARK: - The link as seen by a device

    /// Makes a device consider its link open or closed, whatever the truth; nil for the truth.
    func setSense(of address: Side, _ sense: Bool?) {
        let isOpen = world.withLock { $0.setSense(of: address, sense) }
        if let isOpen { peerDriver(at: address)?.handle(.link(isOpen: isOpen)) }
    }
}

extension SessionDevice.AppState {
    /// The same state as the peer's type.
    var peerState: PeerState.AppState {
        switch self {
        case .notRunning: .notRunning
        case .suspended: .suspended
        case .background: .background
        case .foreground: .foreground
        }
    }
}
