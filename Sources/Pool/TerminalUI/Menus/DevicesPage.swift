import PoolModel

/// The pools and devices.
struct DevicesPage: MenuPage {
    static let entry = MenuEntry { facts in
        .choice("Pools and devices", trailing: facts.shownDevice?.name.sanitized ?? "none shown")
    } open: { menus, facts, _ in
        menus.open(DevicesPage())
        if let place = facts.configuration.devicesByPool.firstIndex(where: { $0.id == facts.shownDeviceID }) {
            menus.selection = place
        }
        return []
    }

    var hasFilter: Bool { true }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        var rows: [MenuRow] = []
        let (configuration, filter) = (facts.configuration, menus.filter)
        func devices(of pool: PoolID?) -> [WatchDevice] {
            configuration.devices(of: pool).filter { filter.accepts($0, facts) }
        }
        for pool in configuration.pools where !devices(of: pool.id).isEmpty {
            rows.append(.line(pool.name.sanitized, .title))
            rows += devices(of: pool.id).map { Self.row(of: $0, facts) }
        }
        let rest = devices(of: nil)
        if !rest.isEmpty, rest.count < configuration.devices.count { rows.append(.line("Without a pool", .title)) }
        rows += rest.map { Self.row(of: $0, facts) }
        if rows.isEmpty {
            rows = [filter.isShown ? .noMatch : .line("The hub has no device yet: add one there.")]
        }
        return MenuContent(
            title: "Pools and devices" + filter.words, rows: rows,
            hints: [
                KeyBinding("enter", "select everywhere"), KeyBinding("space", "look here only"), .moving, .filter,
                .back,
            ])
    }

    private static func row(of device: WatchDevice, _ facts: WatchFacts) -> MenuRow {
        let headline = facts.headlines[device.id]
        var marks: [String] = []
        if device.id == facts.shownDeviceID { marks.append("shown") }
        if device.id == facts.configuration.selection.deviceID { marks.append("selected") }
        let words = marks.isEmpty ? headline?.word ?? "" : marks.joined(separator: ", ")
        return .choice(device.name.sanitized, sign: headline?.sign, trailing: words)
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        let devices = facts.configuration.devicesByPool.filter { menus.filter.accepts($0, facts) }
        guard key.opensRow, !devices.isEmpty else { return nil }
        let device = devices[min(menus.selection, devices.count - 1)].id
        menus.close()
        return key == .enter ? [.edit(.select(device))] : [.look(device)]
    }
}

extension ListFilter {
    /// Whether a device is listed, by its name or that of its pool.
    fileprivate func accepts(_ device: WatchDevice, _ facts: WatchFacts) -> Bool {
        accepts([device.name] + [device.poolID.flatMap(facts.configuration.pool)?.name].compactMap(\.self))
    }
}

extension WatchConfiguration {
    /// The devices in the order of the list: pool by pool, and then those without a pool.
    fileprivate var devicesByPool: [WatchDevice] { pools.flatMap { devices(of: $0.id) } + devices(of: nil) }
}

extension Headline {
    /// The sign of a device in a list.
    fileprivate var sign: (glyph: MenuSymbol, tone: MenuRow.Tone) {
        switch weight {
        case .status(let status): (.status(status), .status(status))
        case .stale: (.stale, .stale)
        }
    }
}
