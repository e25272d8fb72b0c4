import SyncSimulation
import WatchConnectivity

extension Side {
    init(_ role: PeerState.Role, _ watch: Int) {
        self.init(watch: watch, isHub: role == .phone)
    }

    var role: PeerState.Role { isHub ? .phone : .watch }
}

extension DeviceID {
    /// The name in timelines.
    var place: String {
        switch self {
        case .hub: "phone"
        case .watch(let number): number == 0 ? "watch" : "watch \(number + 1)"
        }
    }
}
