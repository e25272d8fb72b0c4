import SyncSimulation

/// A side of a ``TestPair``.
public enum PairSide: Hashable, Sendable {
    /// The phone.
    case phone
    /// A watch by its number, from 0.
    case watch(Int)

    /// The first watch.
    public static var watch: PairSide { .watch(0) }

    var device: DeviceID {
        switch self {
        case .phone: .hub
        case .watch(let number): .watch(number)
        }
    }
}
