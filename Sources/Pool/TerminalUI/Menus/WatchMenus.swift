public import PoolModel

/// The state of a watch's menus: the open pages, the selection, typed text, and the handling of a person's input.
///
///      face ── enter ──▶ menu ── enter ──▶ page ── enter ──▶ deeper page
///       ▲                 │                 │                 │
///       └────── esc ──────┴────── esc ──────┴────── esc ──────┘
///
/// It is a value: its inputs are keys and ``WatchFacts``, its outputs ``MenuOutcome``s and a picture of the open page.
public struct WatchMenus: Sendable {
    /// The open pages, the front page last; if there is none, the face is shown.
    var levels: [MenuLevel] = []
    /// The quantity that the face describes; nil for the worst.
    public private(set) var picked: Quantity?
    /// What ends with `q`.
    let quits: QuitEffect
    /// The last remark of the menus themselves.
    private(set) var remark: WatchFacts.Remark?
    /// The time up to which the person has read the remarks: that of the last key.
    private var readUntil: Timestamp?

    /// Creates closed menus, which say what ends with `q`.
    public init(quits: QuitEffect = .watch) {
        self.quits = quits
    }

    /// Whether a page covers the face.
    public var isOpen: Bool { !levels.isEmpty }

    /// Whether letters are text now, and not commands.
    public var isTyping: Bool { levels.last?.page.isTyping == true || filter.isTyping }

    /// What the rows of the front page must contain.
    var filter: ListFilter { levels.last?.filter ?? ListFilter() }
    /// The selected row of the front page.
    var selection: Int {
        get { levels.last?.selection ?? 0 }
        set { if let last = levels.indices.last { levels[last].selection = newValue } }
    }

    /// Whether the list of devices is open, for which ``WatchFacts/headlines`` are needed.
    public var showsDevices: Bool { levels.contains { $0.page is DevicesPage } }

    /// Handles the input of a person.
    ///
    /// - Parameters:
    ///   - input: What.
    ///   - facts: The present facts.
    ///   - size: The size of the screen on which the page is drawn, for the mouse.
    /// - Returns: The commands to carry out, in this order.
    public mutating func handle(_ input: TerminalInput, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        dropLostPages(facts)
        remark = nil
        readUntil = facts.now
        switch input {
        case .key(let key): return isOpen ? handleOnPage(key, facts, size: size) : handleOnFace(key, facts, size: size)
        case .paste(let text):
            paste(text)
            return []
        case .mouse(let mouse): return handle(mouse, facts, size: size)
        case .focus: return []
        }
    }

    /// The front page as text, one line for each row, without colours; the remark if no page is open.
    public func text(_ facts: WatchFacts, size: Size) -> String {
        guard isOpen else { return remark(facts)?.text ?? "" }
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .mono))
        return MenuView(self, facts, screen: size).draw(look: look).text
    }

    /// The last remark that is still shown; nil for none.
    func remark(_ facts: WatchFacts) -> WatchFacts.Remark? {
        let unread = facts.remark.flatMap { remark in readUntil.map { $0 <= remark.at } ?? true ? remark : nil }
        let remarks = [remark, unread].compactMap(\.self).filter { $0.isShown(at: facts.now) }
        return remarks.max { $0.at < $1.at }
    }

    /// Handles a click on the face: the notice line acknowledges the alert that it shows, a gauge is picked, the
    /// history opens its chart, anything else opens the menu.
    public mutating func click(on place: WatchPlace?, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        remark = nil
        readUntil = facts.now
        switch place {
        case .notice where shownAlert(facts) != nil:
            return answerShownAlert(facts) { [.edit(.acknowledge($0.episodeID))] }
        case .gauge(let quantity): picked = picked == quantity ? nil : quantity
        case .history: return openHistory(facts, size: size)
        case .header, .notice, nil: open(TopPage())
        }
        return []
    }

    /// The query for the open chart, if time or the screen's size requires new data.
    public mutating func askForChart(_ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        guard var page = levels.last?.page as? HistoryPage else { return [] }
        let query = page.query(facts, size: size)
        guard query != page.asked else { return [] }
        page.asked = query
        replacePage(page)
        return [.loadChart(query)]
    }

    /// Takes what is copied for the terminal's clipboard: the selected row, on the face the value that it describes.
    mutating func copy(_ facts: WatchFacts) -> String? {
        let text = isOpen ? MenuContent(self, facts).selectedText(selection) : shownValue(facts)
        say(text.map { "copied \($0)" } ?? "nothing to copy here", facts, text == nil ? .problem : .calm)
        return text
    }

    private func shownValue(_ facts: WatchFacts) -> String? {
        let gauges = facts.glance.gauges.filter { $0.shownValue != nil }
        let quantity = picked ?? facts.glance.alarmingGauges.first?.quantity
        let gauge = gauges.first { $0.quantity == quantity } ?? gauges.first
        return gauge.flatMap { gauge in gauge.shownValue.map { gauge.quantity.textWithUnit($0) } }
    }

    // MARK: - The face

    private mutating func handleOnFace(_ key: Key, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        switch key {
        case .up, .left, .character("k"), .character("h"): return turnCrown(by: -1, facts)
        case .down, .right, .character("j"), .character("l"): return turnCrown(by: 1, facts)
        case .character(let digit) where ("1"..."9").contains(digit): pick(digit, facts)
        case .character("0"):
            picked = nil
            say("shows what is worst", facts, .calm)
        case .character("a"): return answerShownAlert(facts) { [.edit(.acknowledge($0.episodeID))] }
        case .character("m"):
            if let alert = shownAlert(facts) { open(SnoozePage(episode: alert.episodeID)) } else { sayNoAlert(facts) }
        case .character("r"): return [.refresh]
        case .character("g"): return openHistory(facts, size: size)
        case .character("c"): open(ConflictsPage())
        case .character("e"): open(EditsPage())
        case .enter, .character(" "): open(TopPage())
        case .character("?"): open(HelpPage())
        case .escape, .backspace: say("this is the face already; \(quits.sentence)", facts)
        case .character, .control, .alt, .tab, .backTab, .delete, .insert, .home, .end, .pageUp, .pageDown, .function:
            say("\(key.name) does nothing here; ? shows the keys", facts)
        }
        return []
    }

    private mutating func turnCrown(by step: Int, _ facts: WatchFacts) -> [MenuOutcome] {
        let devices = facts.configuration.devices
        guard !devices.isEmpty else {
            say("the hub has no device yet", facts)
            return []
        }
        guard let place = devices.firstIndex(where: { $0.id == facts.shownDeviceID }) else {
            return [.look(devices[step > 0 ? 0 : devices.count - 1].id)]
        }
        guard devices.count > 1 else {
            say("there is only this device", facts)
            return []
        }
        return [.look(devices[(place + step + devices.count) % devices.count].id)]
    }

    /// Picks the quantity of a digit; the same digit again returns to the worst quantity.
    private mutating func pick(_ digit: Character, _ facts: WatchFacts) {
        guard let quantity = facts.quantity(of: digit) else { return }
        picked = picked == quantity ? nil : quantity
        say(picked.map { "shows \($0.name)" } ?? "shows what is worst", facts, .calm)
    }

    /// The alert that the face shows: the worst unacknowledged one of the device, else the worst of any device.
    func shownAlert(_ facts: WatchFacts) -> AlertState.Alert? {
        let open = facts.glance.alerts.alerts.filter { !$0.isAcknowledged }
        return open.first { $0.key.deviceID == facts.shownDeviceID } ?? open.first
    }

    private mutating func answerShownAlert(
        _ facts: WatchFacts, _ outcomes: (AlertState.Alert) -> [MenuOutcome]
    ) -> [MenuOutcome] {
        guard let alert = shownAlert(facts) else {
            sayNoAlert(facts)
            return []
        }
        return outcomes(alert)
    }

    private mutating func sayNoAlert(_ facts: WatchFacts) {
        let isAnswered = !facts.glance.alerts.alerts.isEmpty
        say(isAnswered ? "every open alert is acknowledged already" : "no alert is open", facts)
    }

    /// Opens the chart of the quantity that the face describes.
    mutating func openHistory(_ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        guard let device = facts.shownDeviceID else {
            say("no device is shown", facts)
            return []
        }
        let quantity = picked ?? facts.glance.alarmingGauges.first?.quantity ?? .temperature
        open(HistoryPage(deviceID: device, quantity: quantity))
        return askForChart(facts, size: size)
    }

    // MARK: - Pages

    mutating func open(_ page: some MenuPage) { levels.append(MenuLevel(page)) }

    /// Goes back to the page before, or to the face.
    mutating func goBack() {
        if !levels.isEmpty { levels.removeLast() }
    }

    /// Goes back to the face.
    mutating func close() { levels = [] }

    mutating func say(_ text: String, _ facts: WatchFacts, _ tone: WatchFacts.Remark.Tone = .problem) {
        remark = WatchFacts.Remark(text, tone, at: facts.now)
    }

    /// Closes pages about things that do not exist any more.
    private mutating func dropLostPages(_ facts: WatchFacts) {
        if let lost = levels.firstIndex(where: { $0.page.isLost(facts) }) { levels.removeSubrange(lost...) }
    }

    private mutating func paste(_ text: String) {
        guard let last = levels.indices.last else { return }
        if levels[last].page.hasFilter { _ = levels[last].filter.paste(text) } else { levels[last].page.paste(text) }
    }

    private mutating func handle(_ mouse: Mouse, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        switch mouse.action {
        case .wheelUp: return isOpen ? handleOnPage(.up, facts, size: size) : turnCrown(by: -1, facts)
        case .wheelDown: return isOpen ? handleOnPage(.down, facts, size: size) : turnCrown(by: 1, facts)
        case .rightClick: return isOpen ? handleOnPage(.escape, facts, size: size) : []
        case .click:
            // The meaning of a click on a face depends on the face's layout: see ``click(on:_:size:)``.
            guard isOpen else { return [] }
            return click(mouse, facts, size: size)
        case .middleClick, .release: return []
        }
    }

    private mutating func click(_ mouse: Mouse, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        let view = MenuView(self, facts, screen: size)
        if let key = view.key(x: mouse.x, y: mouse.y) { return handleOnPage(key, facts, size: size) }
        guard let choice = view.choice(atRow: mouse.y), let last = levels.indices.last else { return [] }
        levels[last].selection = choice
        return levels[last].page.click(choice) ? [] : handleOnPage(.enter, facts, size: size)
    }
}

extension WatchFacts {
    /// The quantity of the device that a digit from 1 on names; nil if it has fewer.
    func quantity(of digit: Character) -> Quantity? {
        let all = quantities
        guard let index = digit.wholeNumberValue.map({ $0 - 1 }), all.indices.contains(index) else { return nil }
        return all[index]
    }
}
