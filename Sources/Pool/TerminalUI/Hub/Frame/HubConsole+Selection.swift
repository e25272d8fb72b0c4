import PoolControl
import PoolModel

extension HubConsole {
    /// The device that all panels are about: the selected row, else the selected device, else the first.
    var currentDevice: DeviceState? {
        if case .device(let id) = state.selected[.devices], let item = device(id) { return item }
        if case .server(let id) = state.selected[.devices],
            let first = hub.devices.first(where: { $0.device.serverID == id })
        {
            return first
        }
        return hub.selectedDevice ?? hub.devices.first
    }

    var currentWatch: WatchConnection? {
        if case .watch(let name) = state.selected[.watches],
            let watch = hub.watches.first(where: { $0.name == name })
        {
            return watch
        }
        return hub.watches.first
    }

    /// The quantity of the chart: the chosen one, else the one that is worst, else the first that has a value.
    var currentQuantity: Quantity {
        if let quantity = state.quantity { return quantity }
        guard let glance = currentDevice.map(glance) else { return .temperature }
        return glance.alarmingGauges.first?.quantity
            ?? glance.gauges.first { $0.shownValue != nil }?.quantity ?? .temperature
    }

    func device(_ id: DeviceID) -> DeviceState? { hub.device(id) }

    func server(_ id: ServerID) -> ServerState? { hub.servers.first { $0.id == id } }

    var isWide: Bool { ConsoleLayout(size: size, state: state).kind == .wide }

    /// The names of the rows of a panel, in their order.
    func rowIDs(of zone: ConsolePanel) -> [RowID] { list(of: zone, columns: 60).ids.compactMap(\.self) }

    /// The selected row, as long as it is there; else the first.
    func selection(of zone: ConsolePanel) -> RowID? {
        switch zone {
        case .devices:
            if let id = state.selected[.devices], rowIDs(of: .devices).contains(id) { return id }
            return currentDevice.map { .device($0.device.id) } ?? rowIDs(of: .devices).first
        case .gauges: return .quantity(currentQuantity)
        case .limits, .history, .readings, .events, .watches, .alerts, .setup, .pools, .channels, .laboratory, .guide:
            let all = rowIDs(of: zone)
            return state.selected[zone].flatMap { all.contains($0) ? $0 : nil } ?? all.first
        }
    }

    mutating func select(_ row: RowID, in zone: ConsolePanel) {
        state.selected[zone] = row
        if case .quantity(let quantity) = row, zone == .gauges || zone == .limits { state.quantity = quantity }
    }

    /// Moves the selection by so many rows; it stops at the ends.
    mutating func moveSelection(in zone: ConsolePanel, by steps: Int) {
        let all = rowIDs(of: zone)
        guard let selected = selection(of: zone), let index = all.firstIndex(of: selected) else { return }
        let (sum, overflow) = index.addingReportingOverflow(steps)
        let target = min(all.count - 1, max(0, overflow ? (steps < 0 ? 0 : all.count - 1) : sum))
        select(all[target], in: zone)
    }

    /// Shows another device; round in a ring.
    mutating func showDevice(offset: Int) {
        let order = deviceOrder
        guard let current = currentDevice, let index = order.firstIndex(of: current.device.id), !order.isEmpty else {
            return
        }
        let next = ((index + offset) % order.count + order.count) % order.count
        state.selected[.devices] = .device(order[next])
    }

    /// Shows another quantity; it stops at the ends.
    mutating func showQuantity(offset: Int) {
        let all = Quantity.allCases
        guard let index = all.firstIndex(of: currentQuantity) else { return }
        state.quantity = all[min(all.count - 1, max(0, index + offset))]
    }

    mutating func focus(_ zone: ConsolePanel) { state.focus = zone }

    mutating func expand(_ zone: ConsolePanel) {
        if state.expanded.last != zone { state.expanded.append(zone) }
        if state.expanded.count > 8 { state.expanded.removeFirst() }
        state.focus = zone
    }

    mutating func open(_ tab: ConsoleTab) {
        state.expanded = []
        state.tab = tab
        state.focus = tab.zones(isWide: isWide).first ?? .devices
    }

    mutating func toast(_ kind: Toast.Kind, _ text: String) {
        guard !text.isEmpty else { return }
        let long: Int64 = kind == .refused ? 6000 : 3000
        state.toast = Toast(kind: kind, text: text, until: hub.now.advanced(byMilliseconds: long))
    }
}
