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
    public var isOpen: Bool { stage.world.withLock { $0.isLinked(watch) } }

    /// What becomes of frames at random from now on.
    public var faults: Faults {
        get { Faults(stage.world.withLock { $0.devices.watches[watch].link.faults }) }
        set { changeLink { $0.faults = newValue.drawn } }
    }

    /// Cuts the link: both devices notice at once.
    public func cut() {
        change { world in
            world.note(nil, .link("the link of \(name) is cut"))
            world.change { devices in
                devices.changeLink(of: watch) { $0.isCut = true }
                devices.disconnect(watch)
            }
        }
    }

    /// Lets what goes one way get lost, or both ways; the devices notice after three seconds of silence.
    public func silence(_ ways: Set<Way> = [.toPhone, .toWatch]) {
        let words =
            switch (ways.contains(.toPhone), ways.contains(.toWatch)) {
            case (true, true): "everything"
            case (true, false): "what goes to the phone"
            case (false, true): "what goes to the watch"
            case (false, false): "nothing"
            }
        changeLink { link in
            link.losesToHub = ways.contains(.toPhone)
            link.losesToWatch = ways.contains(.toWatch)
        }
        change { $0.note(nil, .link("the link of \(name) loses \(words)")) }
    }

    /// Ends cut, silence and faults; devices that are not linked connect at once.
    public func heal() {
        change { $0.heal(watch) }
    }

    /// Ends the connection with all that is on its way; the devices make another one at once.
    public func reset() {
        change { world in
            world.note(nil, .link("the connection of \(name) is reset"))
            world.change { devices in
                devices.disconnect(watch)
                devices.dialSoon(watch)
            }
        }
    }

    /// Does something to the next frame that carries content of the app that way: a message, a reply, user info, a
    /// context or a part of a file; called again, to the frame after it.
    public func disturb(next way: Way, _ mishap: Mishap) {
        let planned: VirtualLink.Mishap =
            switch mishap {
            case .drop: .drop
            case .duplicate: .duplicate
            case .holdUp(let time): .holdUp(time)
            }
        changeLink { $0.plan(planned, isToHub: way == .toPhone) }
    }

    private var name: String { "watch \(watch + 1)" }

    private func changeLink(_ change: (inout VirtualLink) -> Void) {
        self.change { world in world.change { $0.changeLink(of: watch, change) } }
    }
}

extension TestLink.Faults {
    fileprivate init(_ faults: VirtualLink.Faults) {
        dropChance = faults.dropChance
        duplicateChance = faults.duplicateChance
        reorderChance = faults.reorderChance
        reorderTime = faults.reorderTime
        delays = faults.delays
    }

    /// The same, as the virtual world draws from it.
    fileprivate var drawn: VirtualLink.Faults {
        var faults = VirtualLink.Faults()
        faults.dropChance = dropChance
        faults.duplicateChance = duplicateChance
        faults.reorderChance = reorderChance
        faults.reorderTime = reorderTime
        faults.delays = delays
        return faults
    }
}
