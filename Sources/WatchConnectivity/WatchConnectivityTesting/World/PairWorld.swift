import SyncCore
import SyncSimulation
import WatchConnectivity

/// All devices of a test and what lies between them, in virtual time: the real engines on simulated disks and links.
///
/// It knows no app and no session: what they are to be told leaves it as ``Deed``s, which the code that turns it
/// carries out without holding it.
struct PairWorld {
    /// Something that happens at a time.
    enum Happening {
        case hub(HubEngine.Input, life: Int)
        case watch(Int, WatchEngine.Input, life: Int)
        case dial(Int, life: Int)
        case arrival(Crossing)
    }

    /// A frame on its way.
    struct Crossing {
        var watch: Int
        var connection: Int
        var isToPhone: Bool
        var parts: [[UInt8]]
        var kind: FrameKind
    }

    /// Something to be done outside of the world.
    enum Deed {
        /// Tell one half of a pairing what happened, if its device still has the life in which it did.
        case tell(Address, life: Int, PeerState.Input)
        /// Start or wake an app.
        case launch(Address, life: Int, PeerState.LaunchReason)
        /// End an app.
        case end(Address, life: Int)
        /// A device has lost its power.
        case lostPower(DeviceID)
    }

    /// The wall clock at the start: 2025-06-01 12:00 UTC, a day of summer.
    static let firstWallMilliseconds: Int64 = 1_748_779_200_000
    /// The time after which a watch dials again.
    static let redialTime = Duration.milliseconds(100)

    var now = Instant(nanoseconds: 0)
    /// How far the wall clock was turned.
    var wallOffset: Int64 = 0
    var queue = EventQueue<Happening>()
    var generator: SplitMix64
    /// What the links draw from.
    var linkDraws: SplitMix64
    var phone: PhoneMachine
    var watches: [WatchMachine]
    var halves: [Address: Half] = [:]
    /// By request to an engine, who awaits its answer.
    var requests: [RequestID: (address: Address, life: Int, tag: PeerState.EngineTag)] = [:]
    var lastRequest: UInt64 = 0
    var lastConnection = 0
    var deeds: [Deed] = []
    var timeline: Timeline
    let transfers: TransferConfiguration
    /// The registers that a watch takes before it must give credit.
    let window: UInt32
    /// Hears each frame that a side sends, and each that comes to one; nobody unless a test wants it.
    var onFrame: (@Sendable (_ frame: Frame, _ address: Address, _ isSent: Bool, _ now: Instant) -> Void)?
    /// What is planted, to see that checks see it.
    var flaw: PairFlaw?
    /// What waits, by the flaw that lets it wait.
    var held: (request: PeerState.EngineRequest, tag: PeerState.EngineTag, address: Address)?

    init(watchCount: Int, window: UInt32, transfers: TransferConfiguration, seed: UInt64, folder: String) {
        self.window = window
        timeline = Timeline(root: folder)
        let source = SplitMix64(seed: seed)
        generator = source.stream(1)
        linkDraws = source.stream(2)
        self.transfers = transfers
        phone = PhoneMachine(memory: HubMemory(ledger: LedgerState(newEpoch: Epoch(number: generator.next()))))
        watches = []
        for number in 0..<watchCount {
            watches.append(WatchMachine(number: number, using: &generator))
            for role in [PeerState.Role.phone, .watch] { halves[Address(role, number)] = Half() }
        }
    }

    /// What the clocks of all devices show.
    var moment: Moment {
        let wall = Self.firstWallMilliseconds + wallOffset + now.nanoseconds / 1_000_000
        return Moment(monotonic: now, wallMilliseconds: wall)
    }

    mutating func post(_ happening: Happening, after delay: Duration = .zero) {
        queue.push(happening, at: now.advanced(by: delay))
    }

    // MARK: - Time

    /// Lets the next thing happen that is due at `end` at the latest; false if there is none.
    ///
    /// The time until the end passes then if `passes` says so.
    mutating func step(until end: Instant, passes: Bool) -> Bool {
        let tick = nextTick
        let next = [queue.nextTime, tick?.at].compactMap(\.self).min()
        guard let next, next <= end else {
            if passes { now = max(now, end) }
            return false
        }
        now = max(now, next)
        if let time = queue.nextTime, time <= now, let (happening, _) = queue.pop() {
            happen(happening)
        } else if let tick {
            tellTime(tick.who)
        }
        return true
    }

    /// Who waits for a time.
    private enum Sleeper {
        case hub
        case watch(Int)
        case half(Address)
    }

    /// The earliest deadline.
    private var nextTick: (at: Instant, who: Sleeper)? {
        var earliest: (at: Instant, who: Sleeper)?
        func consider(_ deadline: Instant?, _ notBefore: Instant, _ who: Sleeper) {
            guard let deadline else { return }
            let at = max(deadline, notBefore)
            if earliest.map({ at < $0.at }) ?? true { earliest = (at, who) }
        }
        consider(phone.engine?.nextDeadline, phone.nextTick, .hub)
        for watch in watches {
            consider(watch.engine?.nextDeadline, watch.nextTick, .watch(watch.number))
            for address in [Address(.phone, watch.number), Address(.watch, watch.number)] {
                consider(halves[address]?.wakeAt, halves[address]?.nextTick ?? now, .half(address))
            }
        }
        return earliest
    }

    private mutating func tellTime(_ who: Sleeper) {
        // Nobody is told twice at one moment, so that time goes on whatever deadlines there are.
        let next = now.advanced(by: .milliseconds(1))
        switch who {
        case .hub:
            phone.nextTick = next
            stepHub(.timeReached)
        case .watch(let number):
            watches[number].nextTick = next
            stepWatch(number, .timeReached)
        case .half(let address):
            halves[address]?.nextTick = next
            halves[address]?.wakeAt = nil
            tell(address, .timeReached)
        }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .hub(let input, let life):
            if life == phone.life { stepHub(input) }
        case .watch(let number, let input, let life):
            if life == watches[number].life { stepWatch(number, input) }
        case .dial(let number, let life):
            if life == watches[number].life { dial(number) }
        case .arrival(let crossing): arrive(crossing)
        }
    }

    /// Has a half of a pairing told what happened; it is told when the world is left.
    mutating func tell(_ address: Address, _ input: PeerState.Input) {
        deeds.append(.tell(address, life: life(of: address.device), input))
    }

    func life(of device: DeviceID) -> Int {
        switch device {
        case .phone: phone.life
        case .watch(let number): watches[number].life
        }
    }

    mutating func note(_ device: DeviceID?, _ event: TraceEvent) {
        timeline.add(now, device, event)
    }
}

/// What is planted in the way between the app and the link.
package enum PairFlaw: Hashable, Sendable, CaseIterable {
    /// User info that is handed to the engine is lost.
    case losesUserInfo
    /// User info is handed to the engine twice, as two.
    case repeatsUserInfo
    /// User info waits until other user info has passed it.
    case swapsUserInfo
    /// The outcome of a message is lost.
    case losesOutcome
}
