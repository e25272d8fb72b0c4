import SyncCore

/// The hub and the watches of a virtual world: their processes with their clocks and timers, their engines, and their
/// stores.
struct VirtualDevices {
    private(set) var hub: VirtualHub
    private(set) var watches: [VirtualWatch] = []
    /// What the hub starts with next time.
    var hubConfiguration: HubEngine.Configuration

    /// Creates the devices: a hub that does not run yet, and no watch.
    init(hub: VirtualDevice<HubEngine, HubMemory>, configuration: HubEngine.Configuration) {
        self.hub = VirtualHub(device: hub)
        hubConfiguration = configuration
    }

    // MARK: - Watches

    /// Adds a watch that does not run yet.
    mutating func add(_ watch: VirtualWatch) { watches.append(watch) }

    /// Another watch replaces one that does not run.
    mutating func replace(_ number: Int, by watch: VirtualWatch) { watches[number] = watch }

    /// Changes what a watch starts with next time.
    mutating func configure(_ number: Int, _ change: (inout WatchEngine.Configuration) -> Void) {
        change(&watches[number].configuration)
    }

    /// Sets what pairs a watch; nil for nothing.
    mutating func setPairing(of number: Int, _ pairing: VirtualWatch.Pairing?) { watches[number].pairing = pairing }

    /// The number of the first watch with a key.
    func watch(of peer: PeerKey) -> Int? { watches.firstIndex { $0.key == peer } }

    // MARK: - Processes

    /// The process of a device.
    subscript(device: DeviceID) -> VirtualProcess {
        get {
            switch device {
            case .hub: hub.device.process
            case .watch(let number): watches[number].device.process
            }
        }
        set {
            switch device {
            case .hub: hub.device.process = newValue
            case .watch(let number): watches[number].device.process = newValue
            }
        }
    }

    /// What the clocks of a device show.
    func moment(at device: DeviceID, now: Instant) -> Moment { self[device].clock.moment(at: now) }

    /// Whether the process of a device runs or is suspended.
    func isAlive(_ device: DeviceID) -> Bool {
        switch device {
        case .hub: hub.engine != nil
        case .watch(let number): watches[number].isAlive
        }
    }

    /// Whether a process of a device still runs, with an engine in it.
    func hasEngine(_ device: DeviceID, run: Int) -> Bool {
        switch device {
        case .hub: hub.device.run == run && hub.engine != nil
        case .watch(let number): watches[number].device.run == run && watches[number].engine != nil
        }
    }

    /// The process of a device starts with what is in its store.
    mutating func start<Conditions: WorldConditions>(
        _ device: DeviceID, now: Instant, _ conditions: inout Conditions
    ) {
        let seed = newSeed(of: device, &conditions)
        switch device {
        case .hub:
            hub.device.begin(
                HubEngine(
                    configuration: hubConfiguration, state: hub.stored.ledger, transfers: hub.stored.transfers,
                    seed: seed, at: moment(at: .hub, now: now)))
        case .watch(let number):
            let watch = watches[number]
            watches[number].device.begin(
                WatchEngine(configuration: watch.configuration, state: watch.device.stored, seed: seed))
        }
    }

    /// The process of a watch starts that pairs it.
    mutating func startPairing<Conditions: WorldConditions>(
        _ number: Int, invitation: PeerKey, _ conditions: inout Conditions
    ) {
        let seed = newSeed(of: .watch(number), &conditions)
        let watch = watches[number]
        let client = PairingClient(
            key: watch.key, name: watch.configuration.name, app: watch.configuration.app, seed: seed)
        watches[number].device.begin(nil)
        watches[number].pairing = VirtualWatch.Pairing(client: client, invitation: invitation, connection: nil)
    }

    private mutating func newSeed<Conditions: WorldConditions>(
        of device: DeviceID, _ conditions: inout Conditions
    ) -> UInt64 {
        conditions.seed(of: device, run: self[device].run + 1, clock: &self[device].clock)
    }

    /// The process of a device ends at once; returns the number of lost records.
    mutating func end(_ device: DeviceID, now: Instant) -> Int {
        switch device {
        case .hub:
            hub.admitted = []
            return hub.device.end(now: now)
        case .watch(let number):
            if watches[number].isPairing { watches[number].pairing = nil }
            return watches[number].device.end(now: now)
        }
    }

    // MARK: - Engines

    /// An input of the transfers of a side, as its engine takes it.
    func input(_ input: TransferInput, of side: Side) -> DeviceInput {
        side.isHub ? .hub(.transfer(watches[side.watch].key, input)) : .watch(side.watch, .transfer(input))
    }

    /// Gives an engine an input; false if it does not run.
    mutating func handle(_ input: DeviceInput, now: Instant) -> Bool {
        let moment = moment(at: input.device, now: now)
        switch input {
        case .hub(let input): return hub.device.engine?.handle(input, at: moment) != nil
        case .watch(let number, let input): return watches[number].device.engine?.handle(input, at: moment) != nil
        }
    }

    /// The next output of the hub's engine, nil if there is none.
    mutating func nextHubOutput() -> HubEngine.Output? { hub.device.engine?.nextOutput() }

    /// The next output of a watch's engine, nil if there is none.
    mutating func nextOutput(of number: Int) -> WatchEngine.Output? { watches[number].device.engine?.nextOutput() }

    /// Sets the keys that the hub's transport admits.
    mutating func admit(_ keys: Set<PeerKey>) { hub.admitted = keys }

    /// Sets the timer of a device to the time that its engine, or its pairing, waits for.
    mutating func setTimer<Conditions: WorldConditions>(
        of device: DeviceID, _ agenda: inout WorldAgenda<Conditions.Plan>, _ conditions: Conditions
    ) {
        let (isExact, process) = (conditions.areTimersExact, self[device])
        guard let deadline = deadline(of: device) else {
            if isExact { self[device].cancelTimer() }
            return
        }
        let earliest = conditions.earliestTick(now: agenda.now, last: process.lastTick)
        let due = max(process.clock.virtual(deadline), earliest)
        if let timer = process.timer, isExact ? timer.due == due : timer.due <= due { return }
        let number = self[device].setTimer(due: due)
        let rank =
            switch device {
            case .hub: 1
            case .watch(let number): 4 * number + 2
            }
        agenda.plan(
            .timer(device, run: process.run, number: number),
            at: due.advanced(by: conditions.timerDelay(of: device, number: number)), rank: isExact ? rank : 0)
    }

    private func deadline(of device: DeviceID) -> Instant? {
        switch device {
        case .hub: return hub.engine?.nextDeadline
        case .watch(let number):
            let client = watches[number].isPairing ? watches[number].pairing?.client : nil
            return watches[number].engine?.nextDeadline ?? client?.deadline
        }
    }

    // MARK: - Stores

    /// A device writes a record; returns whether that is durable at once.
    mutating func write<Conditions: WorldConditions>(
        _ record: DeviceRecord, _ agenda: inout WorldAgenda<Conditions.Plan>, _ conditions: inout Conditions
    ) -> Bool {
        let device = record.device
        let (number, write) =
            switch record {
            case .hub(let record): hub.device.write(record, at: .hub, now: agenda.now, &conditions)
            case .watch(let watch, let record):
                watches[watch].device.write(record, at: device, now: agenda.now, &conditions)
            }
        if write.isSlow { agenda.report(.slowWrite(device)) }
        guard write.done > agenda.now else {
            finish(number, at: device, &agenda)
            return !write.fails
        }
        agenda.plan(.disk(device, run: self[device].run, number: number), at: write.done)
        return false
    }

    /// The work of a disk on a record ends.
    mutating func finish<Plan>(_ number: Int, at device: DeviceID, _ agenda: inout WorldAgenda<Plan>) {
        let run = self[device].run
        switch device {
        case .hub:
            guard let job = hub.device.disk.finish(number) else { return }
            agenda.add(.notice(.hub(job.record), number: number, isKept: !job.fails, run: run))
            agenda.report(.hubWrote(job.record, isKept: !job.fails))
        case .watch(let watch):
            guard let job = watches[watch].device.disk.finish(number) else { return }
            agenda.add(.notice(.watch(watch, job.record), number: number, isKept: !job.fails, run: run))
            agenda.report(.watchWrote(watch, job.record, isKept: !job.fails))
        }
    }

    /// A record that was not synced before a crash is on the disk all the same; the engine is not notified.
    mutating func keepUnsynced(_ number: Int, at device: DeviceID) {
        switch device {
        case .hub: _ = hub.device.disk.finish(number)
        case .watch(let watch): _ = watches[watch].device.disk.finish(number)
        }
    }

    /// An engine will be notified of the result of a record, if its process still runs.
    mutating func notice<Conditions: WorldConditions>(
        _ record: DeviceRecord, number: Int, isKept: Bool, run: Int,
        _ agenda: inout WorldAgenda<Conditions.Plan>, _ conditions: Conditions
    ) {
        let device = record.device
        guard hasEngine(device, run: run) else { return }
        var time = agenda.now
        if let delay = conditions.noticeDelay(of: device, number: number) {
            switch device {
            case .hub: time = hub.device.disk.notice(now: time, delay: delay)
            case .watch(let watch): time = watches[watch].device.disk.notice(now: time, delay: delay)
            }
        }
        agenda.plan(.stored(record, isKept: isKept, run: run), at: time)
    }

    /// An engine is notified of the result of a record.
    func stored<Plan>(_ record: DeviceRecord, isKept: Bool, _ agenda: inout WorldAgenda<Plan>) {
        let reason = "the disk fails"
        switch record {
        case .hub(let record):
            agenda.report(.hubStored(record, isKept: isKept))
            switch record {
            case .group(let group):
                agenda.give(.hub(isKept ? .persisted(group) : .persistFailed(group, reason: reason)))
            case .transfer(let peer, let record):
                agenda.give(.hub(isKept ? .recorded(peer, record) : .recordFailed(peer, record, reason: reason)))
            }
        case .watch(let watch, let record):
            agenda.give(.watch(watch, isKept ? .persisted(record) : .persistFailed(record, reason: reason)))
        }
    }

    /// What a device has stored of the transfers of one pairing.
    func transferState(of side: Side) -> TransferState {
        side.isHub
            ? hub.stored.transfers[watches[side.watch].key] ?? TransferState()
            : watches[side.watch].device.stored.transfers
    }

    /// Another store replaces that of the hub, which does not run.
    mutating func replaceStore(by memory: HubMemory) { hub.device.replace(by: memory) }

    /// Another store replaces that of a watch, which does not run.
    mutating func replaceStore(of number: Int, by state: WatchEngine.State) {
        watches[number].device.replace(by: state)
    }
}
