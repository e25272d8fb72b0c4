import PoolModel

/// A chart of the history, and the part of it that is shown; ``MenuView`` draws the chart itself.
struct HistoryPage: MenuPage {
    static let entry = MenuEntry { _ in
        .choice("History")
    } open: { menus, facts, size in
        menus.openHistory(facts, size: size)
    }

    let deviceID: DeviceID
    var quantity: Quantity
    var navigator = ChartNavigator()
    /// The last query to the hub.
    var asked: ChartQuery?

    func isLost(_ facts: WatchFacts) -> Bool { facts.configuration.device(deviceID) == nil }

    /// The query for a chart on a screen of a given size.
    func query(_ facts: WatchFacts, size: Size) -> ChartQuery {
        let columns = min(200, Chart.plot(in: MenuFrame(screen: size, isWide: true).body).size.columns)
        return navigator.query(of: quantity, device: deviceID, now: facts.now, columns: columns)
    }

    /// The chart in the facts, if it has the same quantity and range; nil otherwise.
    func state(_ facts: WatchFacts) -> ChartState? {
        guard let chart = facts.chart, chart.query.deviceID == deviceID, chart.query.quantity == quantity,
            chart.query.milliseconds == navigator.range.milliseconds
        else { return nil }
        return chart
    }

    /// The texts around the chart.
    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let device = facts.configuration.device(deviceID)?.name.sanitized ?? ""
        let ranges = ChartRange.allCases.map { $0 == navigator.range ? "[\($0.label)]" : $0.label }
        return MenuContent(
            title: "\(quantity.name) of \(device)", note: ranges.joined(separator: " "), rows: [],
            hints: [
                KeyBinding("+ -", "zoom"), KeyBinding("←→", "earlier, later"), KeyBinding("↑↓", "quantity"),
                KeyBinding(", .", "read off"), KeyBinding("r", "ask again"), .back,
            ])
    }

    /// The text about the freshness of the chart, and whether it is a problem.
    func freshness(_ facts: WatchFacts) -> (text: String, isProblem: Bool) {
        guard let chart = state(facts) else { return ("asking the hub …", false) }
        let age = chart.cameAt.map { "as it was \(facts.ago($0))" }
        if chart.isAsking { return ([age, "asking the hub …"].compactMap(\.self).joined(separator: "; "), false) }
        guard let trouble = chart.trouble else {
            return (chart.cameAt.map { "asked \(facts.ago($0))" } ?? "", false)
        }
        return ([age, trouble.sanitized].compactMap(\.self).joined(separator: "; "), true)
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        var page = self
        switch key {
        case .up, .character("k"): page.quantity = facts.quantity(after: quantity, -1)
        case .down, .character("j"): page.quantity = facts.quantity(after: quantity, 1)
        case .character(let digit) where ("1"..."9").contains(digit):
            page.quantity = facts.quantity(of: digit) ?? quantity
        case .character("r"), .enter: page.asked = nil
        case .character, .control, .alt, .tab, .backTab, .escape, .backspace, .delete, .insert, .left, .right, .home,
            .end, .pageUp, .pageDown, .function:
            guard page.navigator.press(key, now: facts.now) else { return nil }
        }
        menus.replacePage(page)
        return menus.askForChart(facts, size: size)
    }
}

extension ChartQuery {
    /// The length of its time range.
    fileprivate var milliseconds: Int64 { through.milliseconds(since: from) }
}

extension WatchFacts {
    /// The quantity after another one of the device, or before it, in a ring.
    fileprivate func quantity(after quantity: Quantity, _ step: Int) -> Quantity {
        let all = quantities
        guard let place = all.firstIndex(of: quantity) else { return all.first ?? quantity }
        return all[(place + step + all.count) % all.count]
    }
}
