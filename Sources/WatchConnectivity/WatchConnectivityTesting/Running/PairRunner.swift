import Dispatch
import Foundation
import Platform
import SyncCore
import SyncSimulation
import WatchConnectivity

/// Runs the apps of a test over their world: the only place that advances the time and calls the apps.
///
/// Only one thing happens at a time: a call of an app, an input of a peer, or a step of the world. Calls from other
/// threads of an app are accepted at any time.
final class PairRunner: Sendable {
    /// A callback that waits for its app.
    private struct PendingCall: Sendable {
        var device: DeviceID
        var work: @Sendable () -> Void
    }

    /// The waiting callbacks of the apps, and the peer drivers.
    private struct Backlog: Sendable {
        var calls: [PendingCall] = []
        var peerDrivers: [Side: (life: Int, peerDriver: PeerDriver)] = [:]
        /// How often content has moved on: attempts that fail do not count.
        var moveCount = 0
        /// Decides which comes first where several things could happen; nil for callbacks, then inputs, then the
        /// world.
        var draws: SplitMix64?
    }

    /// The default for the most steps before the runner stops waiting for everything to become idle.
    static let turnLimit = 1_000_000
    /// The time that devices take for deferred writes, with a reserve.
    static let blink = Duration.milliseconds(150)
    /// The virtual time after which a pair counts as settled if no content moves: the rest is attempts that go on forever.
    static let longestSettling = Duration.milliseconds(900)

    let world: Lock<PairWorld>
    private let watchCount: Int
    let folders: PairFolders
    let behaviours: [PeerState.Role: SessionBehaviour]
    let recordRules: [SharedRecords.Name: SharedRecords.Rule]
    private let backlog: Lock<Backlog>
    private let queues: [DeviceID: CallQueue]
    private let turning = NSRecursiveLock()
    private let aside = DispatchQueue(label: "WatchConnectivity turning")
    let apps: Lock<[DeviceID: TestApp]>
    /// The sessions of each device, and the simulation of its system.
    let registries = Lock<[DeviceID: (registry: SessionRegistry, host: PairRunnerHost, records: PairRecords)]>([:])
    /// The device whose session serves code that runs as no side; nil if none does.
    let singleton: Lock<(device: DeviceID, test: RunningTest?, turn: SingletonTurn)?> = Lock(nil)
    /// Which devices use what the process has only once.
    let sharedUsers = Lock(SharedUse.Users())
    /// The mistakes of the test that are not reported yet.
    let failures = Lock<[String]>([])

    init(_ setup: PairSetup) throws {
        precondition((1...16).contains(setup.watchCount), "a pair of \(setup.watchCount) watches, not of 1…16")
        precondition(SharedUse.isWatched)
        folders = try PairFolders()
        watchCount = setup.watchCount
        behaviours = [.phone: setup.phone, .watch: setup.watch]
        let transfers = setup.phone.engineConfiguration.joined(setup.watch.engineConfiguration)
        world = Lock(
            PairWorld(setup, transfers: transfers, folder: folders.root.path))
        recordRules = setup.records
        let draws = setup.isShuffled ? SplitMix64(seed: setup.seed).stream(3) : nil
        backlog = Lock(Backlog(draws: draws))
        let devices = [DeviceID.hub] + (0..<setup.watchCount).map { .watch($0) }
        queues = Dictionary(uniqueKeysWithValues: devices.map { ($0, CallQueue(name: $0.place)) })
        apps = Lock(Dictionary(uniqueKeysWithValues: devices.map { ($0, TestApp()) }))
    }

    var devices: [DeviceID] { [.hub] + (0..<watchCount).map { .watch($0) } }

    /// The sides of the pairings on a device, by the watches' numbers.
    func sides(of device: DeviceID) -> [Side] {
        switch device {
        case .hub: (0..<watchCount).map { Side(.phone, $0) }
        case .watch(let number): [Side(.watch, number)]
        }
    }

    // MARK: - Running

    /// Runs everything that is due within a duration, and lets that time pass; without a duration, everything that
    /// takes at most ``blink``.
    ///
    /// Returns false if there is still something to do after the given number of steps, or if a callback calls this, and
    /// writes a warning that says so.
    @discardableResult
    func turn(limit: Int, for duration: Duration?) -> Bool {
        guard !CallQueue.isInside, turning.try() || waitForTurn() else {
            world.withLock { world in
                world.note(nil, .warning("a callback cannot turn the pair; it turns when the callback returns"))
            }
            return false
        }
        defer { turning.unlock() }
        let start = world.withLock(\.now)
        var end = start.advanced(by: duration ?? Self.blink)
        var moveCount = backlog.withLock(\.moveCount)
        for _ in 0..<limit {
            if turnOnce(until: end, passes: duration != nil) { continue }
            // What happened within the interval may need another one, however long content moves.
            let next = world.withLock { $0.now.advanced(by: Self.blink) }
            let moves = backlog.withLock(\.moveCount)
            guard duration == nil, next > end,
                next <= start.advanced(by: Self.longestSettling) || moves > moveCount
            else { return true }
            (end, moveCount) = (next, moves)
        }
        world.withLock { $0.note(nil, .warning("it does not come to rest in \(limit) turns")) }
        return false
    }

    /// Runs code while nothing else runs; within a callback that is the case anyway, because the running code waits
    /// for the callback.
    func exclusively(_ body: () -> Void) {
        guard !CallQueue.isInside else { return body() }
        turning.withLock(body)
    }

    private func waitForTurn() -> Bool {
        turning.lock()
        return true
    }

    private func turnOnce(until end: Instant, passes: Bool) -> Bool {
        // Only the last way advances the time: nothing else may be waiting then.
        let ways: [() -> Bool] = [
            { self.makeCall() }, { self.carryOutEffect() },
            { self.world.withLock { $0.step(until: $0.now, passes: false) } },
            { self.world.withLock { $0.step(until: end, passes: passes) } },
        ]
        let first = backlog.withLock { $0.draws?.below(3) ?? 0 }
        return ways[first]() || ways.contains { $0() }
    }

    private func makeCall() -> Bool {
        let call = backlog.withLock { backlog -> PendingCall? in
            guard let first = backlog.calls.first else { return nil }
            var index = 0
            if backlog.draws != nil, let other = backlog.calls.firstIndex(where: { $0.device != first.device }) {
                index = backlog.draws?.chance(0.5) ?? false ? other : 0
            }
            return backlog.calls.remove(at: index)
        }
        guard let call, let queue = queues[call.device] else { return false }
        queue.run(call.work)
        return true
    }

    private func carryOutEffect() -> Bool {
        guard let effect = world.withLock({ $0.nextEffect() }) else { return false }
        switch effect {
        case .tell(let address, let life, let input):
            if input.movesContent { backlog.withLock { $0.moveCount += 1 } }
            peerDriver(at: address, life: life)?.handle(input)
        case .launch(let address, let life, let reason):
            if peerDriver(at: address, life: life) != nil { startForSystem(address.device, reason) }
        case .suspend(let address, let life):
            if peerDriver(at: address, life: life) != nil { suspendForSystem(address.device) }
        case .end(let address, let life):
            if peerDriver(at: address, life: life) != nil { endForSystem(address.device) }
        case .lostPower(let device): lostPower(device)
        case .recordsChanged(let device, let life):
            if world.withLock({ $0.life(of: device) }) == life { registry(of: device)?.records.changed() }
        case .recordsAnswered(let device, let life, let request, let outcome):
            if world.withLock({ $0.life(of: device) }) == life { records(of: device)?.answered(request, outcome) }
        }
        return true
    }

    /// Adds a callback from a session.
    func enqueue(_ work: @escaping @Sendable () -> Void, of address: Side) {
        backlog.withLock { $0.calls.append(PendingCall(device: address.device, work: work)) }
    }

    /// Runs on a separate queue, so that the caller's actor is free.
    func turnAside(for duration: Duration?) async -> Bool {
        await withCheckedContinuation { continuation in
            aside.async { continuation.resume(returning: self.turn(limit: Self.turnLimit, for: duration)) }
        }
    }

    // MARK: - Peer drivers

    /// The driver of the peer; nil if the device has no power, or was switched on again since the given start.
    func peerDriver(at address: Side, life: Int? = nil) -> PeerDriver? {
        backlog.withLock { backlog in
            guard let found = backlog.peerDrivers[address], life == nil || found.life == life else { return nil }
            return found.peerDriver
        }
    }

    /// The drivers of a device's peers, by the watches' numbers.
    func peerDrivers(of device: DeviceID) -> [(address: Side, peerDriver: PeerDriver)] {
        backlog.withLock { backlog in
            backlog.peerDrivers.filter { $0.key.device == device }.map { ($0.key, $0.value.peerDriver) }
                .sorted { $0.0.watch < $1.0.watch }
        }
    }

    func tellAll(_ device: DeviceID, _ input: PeerState.Input) {
        for (_, peerDriver) in peerDrivers(of: device) { peerDriver.handle(input) }
    }

    /// Starts a device: its peers start from its disk, and the sessions over them.
    func startCompanions(of device: DeviceID) {
        for address in sides(of: device) {
            let (peerState, life) = world.withLock { world in
                let state = world.devices.transferState(of: address)
                let peerState = PeerState(
                    configuration: PeerState.Configuration(
                        role: address.role, behaviour: behaviours[address.role] ?? SessionBehaviour(),
                        sendsAfterCalls: true),
                    stored: world.stored(of: address), storedTransfers: PeerState.StoredTransfers(state),
                    seed: world.nextSeed())
                world.tidy(address, keeping: peerState.copies, held: peerState.filesToCopy)
                return (peerState, world.life(of: device))
            }
            let environment = SimulatedPeerEnvironment(stage: self, address: address, life: life)
            let peerDriver = PeerDriver(peerState, environment: environment)
            backlog.withLock { $0.peerDrivers[address] = (life, peerDriver) }
        }
        openSessions(of: device)
        for (_, peerDriver) in peerDrivers(of: device) { peerDriver.start() }
    }

    /// Stops a device: its peers end, and waiting callbacks are dropped.
    func endCompanions(of device: DeviceID) {
        let ended = backlog.withLock { backlog in
            backlog.calls.removeAll { $0.device == device }
            let ended = backlog.peerDrivers.filter { $0.key.device == device }
            for address in ended.keys { backlog.peerDrivers[address] = nil }
            return ended.values.map(\.peerDriver)
        }
        for peerDriver in ended { peerDriver.end() }
        records(of: device)?.end()
    }

    /// Releases everything: the pair is no longer used.
    func end() {
        LivePairs.remove(self)
        for (registry, _, _) in registries.withLock({ Array($0.values) }) { registry.standDown() }
        singleton.withLock(\.self)?.turn.end()
        for device in devices {
            world.withLock { $0.stop(device) }
            endCompanions(of: device)
        }
        apps.withLock { $0 = [:] }
        registries.withLock { $0 = [:] }
        world.withLock { $0.timeline.finish() }
        folders.remove()
    }
}

extension PeerState.Input {
    /// Whether content reached a device, or its sender learnt that it did.
    fileprivate var movesContent: Bool {
        switch self {
        case .engineEvent(.exchange(.itemReceived)), .engineEvent(.exchange(.itemDelivered)),
            .engineEvent(.exchange(.messageReceived)), .engineEvent(.files(.sent)), .engineEvent(.files(.ended)),
            .engineEvent(.files(.received)), .engineEvent(.files(.receiving)), .fileCopied:
            true
        default: false
        }
    }
}

extension TransferConfiguration {
    /// The limits under which everything is allowed that one of the two allows.
    fileprivate func joined(_ other: TransferConfiguration) -> TransferConfiguration {
        var joined = self
        joined.files.fileByteCountMax = max(files.fileByteCountMax, other.files.fileByteCountMax)
        return joined
    }
}
