import PoolControl
import PoolModel

/// The part of a hub's state that an account may see.
struct VisibleState {
    let now: Timestamp
    let pools: [PoolView]
    let devices: [DeviceView]
    let alerts: AlertState

    init(_ snapshot: ReceivedState, for account: Account) {
        let state = snapshot.state
        now = snapshot.now()
        devices = state.devices.filter { account.level(of: $0.device.poolID) != nil }
            .map { [now] in DeviceView($0, alerts: state.alerts.state, at: now) }
        pools = state.pools.filter { account.level(of: $0.id) != nil }.map { [devices] in PoolView($0, devices) }
        let known = Set(devices.map(\.id))
        let seesAll = account.levelOfAll != nil
        // A connection belongs to a server, which only those who see everything are shown.
        let alerts = state.alerts.state.alerts.filter { $0.key.deviceID.map(known.contains) ?? seesAll }
        var shown = AlertState(alerts)
        if seesAll { shown.moreCount = state.alerts.state.moreCount }
        self.alerts = shown
    }
}
