import Platform
import SyncSimulation
import WatchConnectivity

extension TestPair {
    /// Lets random things happen to the devices, their apps and the links while your code sends something.
    ///
    /// Apps are suspended, ended and started again, devices lose their power, links are cut, slow or lossy, the active
    /// watch changes, time passes. The pair's seed determines all of it. In between, the calls of each side are made, as
    /// that side, while its app runs and its session is activated. At the end everything is healed, all apps are in front,
    /// and what waited has arrived; then check that nothing was lost:
    ///
    ///     pair.runRandomProgram(watch: { watch.swam(laps: 1) })
    ///
    /// An app that ends loses its session's state, so set ``TestDevice/onLaunch`` to what your app does at its launch.
    ///
    /// Nothing is lost or comes twice: no process ends while its app is called.
    ///
    /// - Parameters:
    ///   - phone: What the phone's app sends, called several times.
    ///   - watch: The same for each watch's app.
    /// - Returns: Whether nothing was left to do at the end.
    @discardableResult
    public func runRandomProgram(phone: (() -> Void)? = nil, watch: (() -> Void)? = nil) -> Bool {
        for step in SessionProgram(seed: seed).steps {
            switch step {
            case .message(let actor, _, _, _), .context(let actor, _), .userInfo(let actor, _, _),
                .file(let actor, _, _, _):
                call(actor == .phone ? phone : watch, as: side(actor))
            case .appState(let actor, let state): device(of: side(actor)).app = state
            case .power(let actor, let isOn):
                let device = device(of: side(actor))
                isOn ? device.powerOn() : device.powerOff()
            // While something is delivered it would come twice (R158), which no app can tell from a fault.
            case .losePower(let actor, _): device(of: side(actor)).powerOff()
            case .lock(let isLocked): phoneDevice.isLocked = isLocked
            case .complication(let number, let isEnabled):
                watchDevices[number % watchDevices.count].isComplicationEnabled = isEnabled
            case .link(let number, let step): links[number % links.count].perform(step)
            case .switchWatch(let number): switchWatchIfOn(to: number % watchDevices.count)
            case .settle: settle()
            case .advance(let duration): advance(by: duration)
            // Their data is lost, or refused, by design.
            case .activate, .cancel, .disk, .install, .pairing: break
            }
        }
        return heal()
    }

    private func call(_ body: (() -> Void)?, as side: Side) {
        let device = device(of: side)
        guard let body, device.hasPower, device.app.isRunning, device.session.activationState == .activated else {
            return
        }
        asDefault(side, body)
    }

    private func switchWatchIfOn(to number: Int) {
        if phoneDevice.hasPower { switchWatch(to: number) }
    }

    /// Ends all faults, starts all apps, and gives everything that waits the time that it needs.
    private func heal() -> Bool {
        for link in links { link.heal() }
        for device in [phoneDevice] + watchDevices {
            stage.world.withLock { world in world.change { $0.planPowerLoss(of: device.id, afterSteps: nil) } }
            device.powerOn()
            device.isLocked = false
            device.app = .foreground
        }
        settle()
        for number in watchDevices.indices {
            switchWatch(to: number)
            settle()
            advance(by: .seconds(12))
        }
        return settle()
    }

    /// The actor's side; a program may be for more watches than there are.
    private func side(_ actor: SessionProgram.Actor) -> Side {
        switch actor {
        case .phone: .phone
        case .watch(let number): .watch(number % watchDevices.count)
        }
    }

    private func device(of side: Side) -> TestDevice {
        switch side {
        case .phone: phoneDevice
        case .watch(let number): watchDevices[number]
        }
    }
}

extension TestLink {
    /// Carries out a step of a program.
    func perform(_ step: SessionProgram.LinkStep) {
        switch step {
        case .cut: cut()
        case .silence(let way): silence(way.map { [$0] } ?? [.toPhone, .toWatch])
        case .heal: heal()
        case .reset: reset()
        case .faults(let faults): self.faults = faults
        case .disturb(let way, let mishap): disturb(next: way, mishap)
        }
    }
}
