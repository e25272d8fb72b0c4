import SyncCore
import SyncSimulation
import Synchronization
import WatchConnectivity

/// What lies between the phone and one watch, and what goes wrong on it.
///
/// Without faults everything arrives at once and in order. The engine repairs what the link does; what an app may see
/// of it is what the rules of its session say.
public final class TestLink: Sendable {
    /// A direction.
    public enum Way: Hashable, Sendable {
        /// From the watch to the phone.
        case toPhone
        /// From the phone to the watch.
        case toWatch
    }

    /// What may become of a frame.
    public enum Mishap: Hashable, Sendable {
        /// It is lost.
        case drop
        /// It arrives twice.
        case duplicate
        /// It is held up for a time, and what is sent after it may pass it.
        case holdUp(Duration)
    }

    /// What becomes of frames at random.
    public struct Faults: Hashable, Sendable {
        /// The share of the frames that are lost, 0…1.
        public var dropChance = 0.0
        /// The share that arrives twice, 0…1.
        public var duplicateChance = 0.0
        /// The share that later frames may pass, 0…1.
        public var reorderChance = 0.0
        /// The time for which those are held up.
        public var reorderTime = Duration.milliseconds(50)
        /// How long a frame takes, at least and at most.
        public var delays = Duration.zero...Duration.zero

        /// Creates a link without faults.
        public init() {}
    }

    private let stage: PairRunner
    private let watch: Int

    init(watch: Int, of stage: PairRunner) {
        self.watch = watch
        self.stage = stage
    }

    private func change(_ change: (inout PairWorld) -> Void) {
        stage.world.withLock { change(&$0) }
    }

    /// Whether both devices have a session with each other, and so live messages can pass.
    public var isOpen: Bool {
        stage.world.withLock { world in
            [Address(.phone, watch), Address(.watch, watch)].allSatisfy { world.halves[$0]?.isLinked ?? false }
        }
    }

    /// What becomes of frames at random from now on.
    public var faults: Faults {
        get { stage.world.withLock { $0.watches[watch].link.faults } }
        set { change { $0.watches[watch].link.faults = newValue } }
    }

    /// Cuts the link: both devices notice at once.
    public func cut() {
        change { world in
            world.watches[watch].link.isCut = true
            world.note(nil, .link("the link of \(world.watches[watch].name) is cut"))
            world.disconnect(watch)
        }
    }

    /// Lets what goes one way get lost, or both ways; the devices notice after three seconds of silence.
    public func silence(_ ways: Set<Way> = [.toPhone, .toWatch]) {
        let words =
            switch ways {
            case [.toPhone]: "what goes to the phone"
            case [.toWatch]: "what goes to the watch"
            case []: "nothing"
            default: "everything"
            }
        change { world in
            world.watches[watch].link.losesToPhone = ways.contains(.toPhone)
            world.watches[watch].link.losesToWatch = ways.contains(.toWatch)
            world.note(nil, .link("the link of \(world.watches[watch].name) loses \(words)"))
        }
    }

    /// Ends cut, silence and faults; devices that are not linked connect at once.
    public func heal() {
        change { world in
            let (faults, planned) = (Faults(), [(isToPhone: Bool, Mishap)]())
            world.watches[watch].link.isCut = false
            world.watches[watch].link.losesToPhone = false
            world.watches[watch].link.losesToWatch = false
            world.watches[watch].link.faults = faults
            world.watches[watch].link.planned = planned
            world.note(nil, .link("the link of \(world.watches[watch].name) is whole"))
            if world.watches[watch].engine?.linkState != .linked { world.disconnect(watch) }
            world.dialSoon(watch)
        }
    }

    /// Ends the connection with all that is on its way; the devices make another one at once.
    public func reset() {
        change { world in
            world.note(nil, .link("the connection of \(world.watches[watch].name) is reset"))
            world.disconnect(watch)
            world.dialSoon(watch)
        }
    }

    /// Does something to the next frame that carries content of the app that way: a message, a reply, user info, a
    /// context or a part of a file; called again, to the frame after it.
    public func disturb(next way: Way, _ mishap: Mishap) {
        change { $0.watches[watch].link.planned.append((way == .toPhone, mishap)) }
    }
}

extension TestLink.Faults {
    /// Draws what becomes of a frame.
    func draw(using draws: inout SplitMix64) -> TestLink.Mishap? {
        guard dropChance + duplicateChance + reorderChance > 0 else { return nil }
        let (drops, copies, holdsUp) = (
            draws.chance(dropChance), draws.chance(duplicateChance), draws.chance(reorderChance)
        )
        if drops { return .drop }
        if holdsUp { return .holdUp(draws.duration(upTo: reorderTime)) }
        return copies ? .duplicate : nil
    }

    /// Draws how long a frame takes.
    func delay(using draws: inout SplitMix64) -> Duration {
        guard delays.upperBound > .zero else { return .zero }
        return delays.lowerBound + draws.duration(upTo: delays.upperBound - delays.lowerBound)
    }
}
