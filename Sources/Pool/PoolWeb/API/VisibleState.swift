import PoolControl
import PoolModel
import WebServer

/// The part of a hub's state that an account may see.
struct VisibleState {
    let now: Timestamp
    let pools: [PoolView]
    let devices: [DeviceView]
    let alerts: AlertState

    init(_ snapshot: ReceivedState, for account: Account) {
        let state = snapshot.state
        now = snapshot.now()
        // By the whole state, because an alert that an account may not see can be why nobody may swim.
        let assessments = state.assessments(at: now)
        devices = state.devices.filter { account.level(of: $0.device.poolID) != nil }
            .map { [now] device in
                let own = device.device.poolID == nil ? assessments.first { $0.deviceID == device.id } : nil
                return DeviceView(device, alerts: state.alerts.state, assessment: own.map(AssessmentView.init), at: now)
            }
        pools = state.pools.filter { account.level(of: $0.id) != nil }
            .map { [devices] pool in PoolView(pool, devices, assessments.first { $0.poolID == pool.id }) }
        let known = Set(devices.map(\.id))
        let seesAll = account.levelOfAll != nil
        // A connection belongs to a server, which only those who see everything are shown.
        let alerts = state.alerts.state.alerts.filter { $0.key.deviceID.map(known.contains) ?? seesAll }
        var shown = AlertState(alerts)
        if seesAll { shown.moreCount = state.alerts.state.moreCount }
        self.alerts = shown
    }
}
