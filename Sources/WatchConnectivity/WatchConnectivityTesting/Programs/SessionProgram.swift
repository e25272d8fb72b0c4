import SyncCore
import SyncSimulation
package import WatchConnectivity

/// A random program of calls on both sides of a ``TestPair``, of events on its devices, and of faults; it depends
/// only on a seed.
package struct SessionProgram: Sendable {
    /// The content of a request, by its kind of payload.
    package enum Content: Hashable, Sendable {
        case small
        /// The longest allowed payload, or a little shorter.
        case large
        /// A longer payload than allowed (7009).
        case tooLarge
        /// A payload with a value that property lists do not support (7010).
        case unsupported
    }

    /// A step of the program.
    package enum Step: Hashable, Sendable {
        case activate(Actor)
        case message(Actor, isData: Bool, wantsReply: Bool, Content)
        case context(Actor, Content)
        case userInfo(Actor, isComplication: Bool, Content)
        case file(Actor, byteCount: Int, hasMetadata: Bool, exists: Bool)
        /// Cancels the oldest or the newest of the outstanding user infos or files.
        case cancel(Actor, isFile: Bool, isOldest: Bool)
        case appState(Actor, SessionDevice.AppState)
        case power(Actor, isOn: Bool)
        case losePower(Actor, afterSteps: Int)
        case disk(Actor, TestDevice.Disk)
        case lock(Bool)
        case complication(watch: Int, Bool)
        case install(Actor, Bool)
        case pairing(watch: Int, Bool)
        case link(watch: Int, LinkStep)
        case switchWatch(Int)
        case settle
        case advance(Duration)
    }

    /// A device of the program.
    package enum Actor: Hashable, Sendable {
        case phone
        case watch(Int)
    }

    /// A change of a link.
    package enum LinkStep: Hashable, Sendable {
        case cut
        case silence(TestLink.Way?)
        case heal
        case reset
        case faults(TestLink.Faults)
        case disturb(TestLink.Way, TestLink.Mishap)
    }

    /// The behaviour of a program's apps in their callbacks.
    package struct Traits: Hashable, Sendable {
        /// Whether the delegates lack the methods for messages with a reply.
        package var isSparse = false
        /// An app sends something from within every n-th callback; 0 for never.
        package var reentryInterval = 0
        /// An app exits within every n-th delivery; 0 for never.
        package var exitInterval = 0
        /// Every n-th message gets no reply, a later one, two, or too large a one; 0 for never.
        package var misreplyInterval = 0

        /// How often an app replies to a message, by its number from 1, and whether with too large a reply.
        package func replies(toMessage number: Int) -> (count: Int, isTooLarge: Bool) {
            guard misreplyInterval > 0, number % misreplyInterval == 0 else { return (1, false) }
            switch number / misreplyInterval % 3 {
            case 0: return (0, false)
            case 1: return (2, false)
            default: return (1, true)
            }
        }
    }

    package let seed: UInt64
    package let watchCount: Int
    package let isShuffled: Bool
    package var traits: Traits
    /// The steps; only some of those that the seed gave if the program was shrunk.
    package var steps: [Step]

    /// Generates a program.
    package init(seed: UInt64) {
        self.seed = seed
        var draws = SplitMix64(seed: seed)
        watchCount = draws.chance(0.25) ? 2 : 1
        isShuffled = draws.chance(0.5)
        traits = Traits(
            isSparse: draws.chance(0.15), reentryInterval: draws.pick([0, 0, 3, 5]),
            exitInterval: draws.pick([0, 0, 0, 7]), misreplyInterval: draws.pick([0, 3, 4]))
        var generator = StepGenerator(draws: draws, watchCount: watchCount)
        steps = generator.steps(count: 20 + draws.below(60))
    }
}

/// Generates the steps of a program: each program prefers some kinds of them, so that they occur in all combinations.
private struct StepGenerator {
    private enum Kind: CaseIterable {
        case activate, message, context, userInfo, file, cancel, appState, power, losePower, disk, lock, complication
        case install, pairing, link, switchWatch, settle, advance
    }

    private var draws: SplitMix64
    private let watchCount: Int
    private var weights: [(kind: Kind, weight: Double)] = []

    init(draws: SplitMix64, watchCount: Int) {
        self.draws = draws.stream(7)
        self.watchCount = watchCount
        for kind in Kind.allCases { weights.append((kind, weight(of: kind))) }
    }

    private mutating func weight(of kind: Kind) -> Double {
        switch kind {
        case .message, .userInfo: 3
        case .settle: 5
        case .context, .file: 2
        case .activate, .advance: 1
        case .cancel: draws.pick([0, 0.5])
        case .appState: draws.pick([0, 1, 2])
        case .link: draws.pick([0, 1, 2])
        case .power, .losePower, .disk: draws.pick([0, 0, 0.4])
        case .lock, .complication: draws.pick([0, 0.3])
        case .install, .pairing: draws.chance(0.12) ? 0.3 : 0
        case .switchWatch: watchCount > 1 ? draws.pick([0, 1]) : 0
        }
    }

    mutating func steps(count: Int) -> [SessionProgram.Step] {
        var steps: [SessionProgram.Step] = [.settle]
        if draws.chance(0.9) {
            steps.append(.activate(.phone))
            for watch in 0..<watchCount { steps.append(.activate(.watch(watch))) }
        }
        let sum = weights.reduce(0) { $0 + $1.weight }
        for _ in 0..<count {
            var place = draws.unit() * sum
            let kind =
                weights.first { entry in
                    place -= entry.weight
                    return place < 0
                }?.kind ?? .settle
            steps.append(step(kind))
        }
        return steps
    }

    private mutating func actor() -> SessionProgram.Actor {
        draws.chance(0.5) ? .phone : .watch(draws.below(watchCount))
    }

    private mutating func content() -> SessionProgram.Content {
        draws.chance(0.85) ? .small : draws.pick([.large, .tooLarge, .unsupported, .unsupported])
    }

    private mutating func step(_ kind: Kind) -> SessionProgram.Step {
        switch kind {
        case .activate: .activate(actor())
        case .message: .message(actor(), isData: draws.chance(0.3), wantsReply: draws.chance(0.6), content())
        case .context: .context(actor(), content())
        case .userInfo: .userInfo(actor(), isComplication: draws.chance(0.2), content())
        case .file:
            .file(
                actor(), byteCount: draws.pick([0, 10, 1000, 40_000]), hasMetadata: draws.chance(0.5),
                exists: draws.chance(0.95))
        case .cancel: .cancel(actor(), isFile: draws.chance(0.3), isOldest: draws.chance(0.5))
        case .appState: .appState(actor(), draws.pick(SessionDevice.AppState.allCases))
        case .power: .power(actor(), isOn: draws.chance(0.6))
        case .losePower: .losePower(actor(), afterSteps: 1 + draws.below(25))
        case .disk: .disk(actor(), draws.pick([.works, .works, .full, .fails]))
        case .lock: .lock(draws.chance(0.4))
        case .complication: .complication(watch: draws.below(watchCount), draws.chance(0.7))
        case .install: .install(actor(), draws.chance(0.6))
        case .pairing: .pairing(watch: draws.below(watchCount), draws.chance(0.6))
        case .link: .link(watch: draws.below(watchCount), linkStep())
        case .switchWatch: .switchWatch(draws.below(watchCount))
        case .settle: .settle
        case .advance: .advance(draws.pick([.milliseconds(20), .milliseconds(300), .seconds(2), .seconds(15)]))
        }
    }

    private mutating func linkStep() -> SessionProgram.LinkStep {
        switch draws.below(7) {
        case 0: return .cut
        case 1: return .silence(draws.pick([nil, .toPhone, .toWatch]))
        case 2, 3: return .heal
        case 4: return .reset
        case 5:
            let mishap: TestLink.Mishap = draws.pick([.drop, .duplicate, .holdUp(.milliseconds(100))])
            return .disturb(draws.pick([.toPhone, .toWatch]), mishap)
        default:
            var faults = TestLink.Faults()
            faults.dropChance = draws.pick([0, 0.1])
            faults.duplicateChance = draws.pick([0, 0.1])
            faults.reorderChance = draws.pick([0, 0.1])
            faults.delays = draws.pick([.zero ... .zero, .zero ... .milliseconds(20), .milliseconds(5) ... .seconds(1)])
            return .faults(faults)
        }
    }
}

extension SessionProgram.Actor: CustomStringConvertible {
    package var description: String {
        switch self {
        case .phone: "phone"
        case .watch(let number): number == 0 ? "watch" : "watch \(number + 1)"
        }
    }
}
