import SyncCore

/// How the processes of a virtual world start and end, and what becomes of their disks.
extension VirtualWorld {
    // MARK: - Processes

    /// Whether the process of a device runs, or stands still.
    package func isAlive(_ device: DeviceID) -> Bool {
        switch device {
        case .hub: hub.engine != nil
        case .watch(let number): watches[number].engine != nil
        }
    }

    package func life(of device: DeviceID) -> Int {
        switch device {
        case .hub: hub.life
        case .watch(let number): watches[number].device.life
        }
    }

    /// A process starts with what is on its disk.
    package mutating func start(_ device: DeviceID) {
        guard !isAlive(device) else { return }
        switch device {
        case .hub:
            let engine = HubEngine(
                configuration: hubConfiguration, state: hub.stored.ledger, transfers: hub.stored.transfers,
                seed: generator.next(), at: moment(at: .hub))
            hub.begin(engine)
            drainHub()
            dialAll()
        case .watch(let number):
            let watch = watches[number]
            watches[number].socket.restart()
            watches[number].device.begin(
                WatchEngine(configuration: watch.configuration, state: watch.device.stored, seed: generator.next()))
            drainWatch(number)
            runSocket(number)
        }
    }

    /// A process ends at once: what is not on its disk is lost.
    package mutating func stop(_ device: DeviceID) {
        guard isAlive(device) else { return }
        switch device {
        case .hub:
            for number in watches.indices {
                disconnect(number)
                alarms[Side(watch: number, isHub: true).index].at = nil
            }
            hub.end(now: now)
        case .watch(let number):
            disconnect(number)
            alarms[Side(watch: number, isHub: false).index].at = nil
            watches[number].device.end(now: now)
        }
    }

    /// The process of a device stands still.
    package mutating func standStill(_ device: DeviceID) {
        switch device {
        case .hub: hub.standStill()
        case .watch(let number): watches[number].device.standStill()
        }
    }

    /// The process of a device goes on.
    package mutating func goOn(_ device: DeviceID) {
        let held =
            switch device {
            case .hub: hub.goOn()
            case .watch(let number): watches[number].device.goOn()
            }
        for event in held { post(event) }
    }

    /// Plans that a device loses its power after so many more steps of its own; nil takes that back.
    ///
    /// Each frame that it sends or gets is one, and each record that its disk takes.
    package mutating func planPowerLoss(of device: DeviceID, afterSteps count: Int?) {
        switch device {
        case .hub: hub.stepsLeft = count
        case .watch(let number): watches[number].device.stepsLeft = count
        }
    }

    package mutating func countStep(of device: DeviceID) {
        let losesPower =
            switch device {
            case .hub: hub.countStep()
            case .watch(let number): watches[number].device.countStep()
            }
        guard losesPower else { return }
        stop(device)
        notices.append(.lostPower(device))
    }

    // MARK: - Disks

    package func diskState(of device: DeviceID) -> DiskState {
        switch device {
        case .hub: hub.diskState
        case .watch(let number): watches[number].device.diskState
        }
    }

    package mutating func setDisk(of device: DeviceID, _ state: DiskState) {
        switch device {
        case .hub: hub.diskState = state
        case .watch(let number): watches[number].device.diskState = state
        }
    }

    /// A copy of all that a device has stored.
    package func copyStore(of device: DeviceID) -> StoreCopy {
        switch device {
        case .hub: .hub(hub.stored, files: watches.indices.map { files[Side(watch: $0, isHub: true).index] })
        case .watch(let number):
            .watch(watches[number].device.stored, files: files[Side(watch: number, isHub: false).index])
        }
    }

    /// A copy takes the place of all that a device has stored, whose process does not run.
    package mutating func restore(_ copy: StoreCopy, at device: DeviceID) {
        switch (copy, device) {
        case (.hub(let memory, let held), .hub):
            hub.replace(by: memory)
            for number in watches.indices {
                files[Side(watch: number, isHub: true).index] = number < held.count ? held[number] : SimulatedFiles()
            }
        case (.watch(let state, let held), .watch(let number)):
            watches[number].device.replace(by: state)
            files[Side(watch: number, isHub: false).index] = held
        case (.hub, .watch), (.watch, .hub): preconditionFailure("a copy is that of another kind of device")
        }
    }

    /// Erases a watch that does not run, and gives it another identity.
    package mutating func erase(_ number: Int) {
        let former = watches[number]
        watches[number].device = VirtualDevice(
            stored: WatchEngine.State(newIncarnation: RandomID(using: &generator)), clock: former.device.clock,
            life: former.device.life + 1)
        watches[number].key = newKey()
        watches[number].configuration.node = watches[number].key.node
        watches[number].pairing = nil
        for isHub in [true, false] { files[Side(watch: number, isHub: isHub).index] = SimulatedFiles() }
    }
}
