import SyncCore

extension SimulatedBackend {
    mutating func changeMachine(
        _ device: String, hub changeHub: (inout VirtualMachine<HubEngine, VirtualHubStore>) -> Void,
        watch changeWatch: (inout VirtualMachine<WatchEngine, VirtualWatchStore>) -> Void
    ) {
        if device == "hub" { changeHub(&hub) } else { _ = watches.modify(device) { changeWatch(&$0.machine) } }
    }

    mutating func cut(_ watch: String, _ cut: ScenarioCut) {
        if cut != .fromHub { watches[watch]?.losesOutgoing = true }
        if cut != .toHub { watches[watch]?.losesIncoming = true }
    }

    mutating func heal(_ watch: String) {
        watches[watch]?.losesOutgoing = false
        watches[watch]?.losesIncoming = false
        watches[watch]?.cutAt = nil
    }

    // MARK: - Processes

    mutating func kill(_ device: String) throws {
        let isAlive = device == "hub" ? hub.engine != nil : watches[device]?.machine.engine != nil
        guard isAlive else { throw ScenarioFailure("\(device) does not run") }
        end(device)
    }

    private mutating func end(_ device: String) {
        if device == "hub" {
            hub.kill()
            disconnectAll()
        } else {
            watches[device]?.machine.kill()
            watches[device]?.connection = nil
        }
    }

    mutating func start(_ device: String) throws {
        if device == "hub" {
            guard hub.engine == nil else { throw ScenarioFailure("the hub runs already") }
            startHub()
        } else {
            guard watches[device]?.isPaired == true else { throw ScenarioFailure("\(device) is not paired") }
            guard watches[device]?.machine.engine == nil else { throw ScenarioFailure("\(device) runs already") }
            startWatch(device)
        }
    }

    mutating func stop(_ device: String) throws {
        try checkRunning(device)
        changeMachine(device, hub: { $0.isStopped = true }) { $0.isStopped = true }
    }

    mutating func goOn(_ device: String) throws {
        var held: [VirtualEvent] = []
        changeMachine(device) {
            (held, $0.held, $0.isStopped) = ($0.held, [], false)
        } watch: {
            (held, $0.held, $0.isStopped) = ($0.held, [], false)
        }
        for event in held { post(event, after: .zero) }
    }

    // MARK: - Copies

    /// Does something to what a device has stored while it does not run, and starts it again if it ran.
    mutating func restartIfRunning(_ device: String, _ deed: (inout SimulatedBackend) -> Void) {
        let wasRunning = device == "hub" ? hub.engine != nil : watches[device]?.machine.engine != nil
        if wasRunning { end(device) }
        deed(&self)
        guard wasRunning else { return }
        if device == "hub" { startHub() } else { startWatch(device) }
    }

    mutating func backUp(_ device: String, _ label: String) {
        restartIfRunning(device) { stage in
            if device == "hub" {
                stage.hubBackups[label] = stage.hub.stored
            } else {
                stage.watchBackups[label] = stage.watches[device]?.machine.stored
            }
        }
    }

    mutating func restore(_ device: String, _ label: String) {
        restartIfRunning(device) { stage in
            if device == "hub" {
                if let copy = stage.hubBackups[label] { stage.hub.stored = copy }
            } else if let copy = stage.watchBackups[label] {
                stage.watches[device]?.machine.stored = copy
            }
        }
    }

    mutating func clone(_ original: String, as name: String) {
        restartIfRunning(original) { stage in
            guard let watch = stage.watches[original] else { return }
            var copy = VirtualWatch(machine: watch.machine, key: watch.key, pairedName: watch.pairedName)
            copy.isPaired = watch.isPaired
            copy.app = watch.app
            copy.machine.life += 1
            stage.watches[name] = copy
        }
        if watches[name]?.isPaired == true { startWatch(name) }
    }
}
