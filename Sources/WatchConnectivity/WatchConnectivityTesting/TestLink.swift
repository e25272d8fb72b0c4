import Platform
import SyncCore
public import SyncSimulation
import WatchConnectivity

/// The link between the phone and one watch, and its faults.
///
/// Without faults everything arrives at once and in order. The engine recovers from faults; which effects an app may
/// see is defined by the rules of its session.
public final class TestLink: Sendable {
    /// A direction.
    public enum Way: Hashable, Sendable {
        /// From the watch to the phone.
        case toPhone
        /// From the phone to the watch.
        case toWatch
    }

    /// The fault of a single frame.
    public typealias Mishap = FrameMishap

    /// Random faults of frames.
    public typealias Faults = FrameFaults

    private let stage: PairRunner
    private let watch: Int

    init(watch: Int, of stage: PairRunner) {
        self.watch = watch
        self.stage = stage
    }

    private func change(_ change: (inout PairWorld) -> Void) {
        stage.world.withLock { change(&$0) }
    }

    /// Whether both devices have a session with each other, so that live messages can pass.
    public var isOpen: Bool { stage.world.withLock { $0.isLinked(watch) } }

    /// The random faults of frames from now on.
    public var faults: Faults {
        get { stage.world.withLock { $0.devices.link(of: watch).faults } }
        set { changeLink { $0.faults = newValue } }
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

    /// Loses everything sent one way, or both ways; the devices notice after three seconds of silence.
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

    /// Resets the connection, with everything in transit lost; the devices reconnect at once.
    public func reset() {
        change { world in
            world.note(nil, .link("the connection of \(name) is reset"))
            world.change { devices in
                devices.disconnect(watch)
                devices.dialSoon(watch)
            }
        }
    }

    /// Applies a fault to the next frame with content of the app in a given direction: a message, a reply, user info,
    /// a context or a part of a file; called again, to the frame after it.
    public func disturb(next way: Way, _ mishap: Mishap) {
        changeLink { $0.plan(mishap, isToHub: way == .toPhone) }
    }

    private var name: String { "watch \(watch + 1)" }

    private func changeLink(_ change: (inout VirtualLink) -> Void) {
        self.change { world in world.change { $0.changeLink(of: watch, change) } }
    }
}
