import PoolModel

/// The handling of keys on each page.
extension WatchMenus {
    mutating func handleOnPage(_ key: Key, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        guard let last = levels.indices.last else { return [] }
        let wasAsked = levels[last].isAskedToLeave
        levels[last].isAskedToLeave = false
        if levels[last].hasFilter, levels[last].filter.press(key) { return [] }
        let level = levels[last]
        switch level.page {
        case .rename(let form): return handle(key, form, facts, wasAsked: wasAsked)
        case .limitsForm(let form): return handle(key, form, facts, wasAsked: wasAsked)
        case .history(let page):
            if let outcomes = handle(key, page, facts, size: size) { return outcomes }
        case .top, .devices, .alerts, .alert, .snooze, .limits, .names, .conflicts, .conflict, .edits, .help: break
        }
        switch key {
        case .escape, .backspace: goBack()
        case .up, .character("k"): move(by: -1, facts)
        case .down, .character("j"): move(by: 1, facts)
        case .pageUp: move(by: -8, facts)
        case .pageDown: move(by: 8, facts)
        case .home: move(by: -1000, facts)
        case .end: move(by: 1000, facts)
        case .character("?"): if level.page != .help { open(.help) }
        case .character("/") where level.hasFilter: levels[last].filter.startTyping()
        case .character("r"): return [.refresh]
        case .character, .control, .alt, .enter, .tab, .backTab, .delete, .insert, .left, .right, .function:
            return command(key, level, facts, size: size)
        }
        return []
    }

    /// Moves the selection, or scrolls a page without selectable rows.
    private mutating func move(by step: Int, _ facts: WatchFacts) {
        guard let last = levels.indices.last else { return }
        let sheet = MenuContent(self, facts)
        let choices = sheet.rows.count(where: \.isChoice)
        if choices > 0 {
            levels[last].selection = min(choices - 1, max(0, min(levels[last].selection, choices - 1) + step))
        } else {
            levels[last].offset = min(max(0, sheet.rows.count - 1), max(0, levels[last].offset + step))
        }
    }

    // MARK: - Commands

    private mutating func command(
        _ key: Key, _ level: MenuLevel, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome] {
        let isChosen = [.enter, .character(" "), .right].contains(key)
        switch level.page {
        case .top where isChosen: return openFromTop(level.selection, facts, size: size)
        case .devices: if let outcomes = chooseDevice(key, level, facts) { return outcomes }
        case .alerts: if let outcomes = chooseAlert(key, level, facts) { return outcomes }
        case .alert(let episode): if let outcomes = answer(key, episode, facts) { return outcomes }
        case .snooze(let episode) where isChosen:
            let seconds = Self.snoozes[min(level.selection, Self.snoozes.count - 1)]
            goBack()
            return [.edit(.snooze(episode, seconds: seconds))]
        case .limits where isChosen:
            guard let device = facts.shownDevice else { return [] }
            let quantities = facts.quantities
            guard quantities.indices.contains(level.selection) else { return [] }
            open(.limitsForm(LimitsForm(device, quantities[level.selection])))
            return []
        case .names where isChosen:
            let owners = facts.configuration.owners
            guard owners.indices.contains(level.selection) else { return [] }
            open(.rename(owners[level.selection]))
            return []
        case .conflicts where isChosen:
            guard facts.glance.conflicts.indices.contains(level.selection) else { return [] }
            open(.conflict(facts.glance.conflicts[level.selection].id))
            return []
        case .conflict(let id): if let outcomes = settle(key, id, facts) { return outcomes }
        case .edits where isChosen:
            openConflict(ofEdit: level.selection, facts)
            return []
        case .top, .snooze, .limits, .limitsForm, .names, .rename, .history, .conflicts, .edits, .help: break
        }
        say("\(key.name) does nothing here; ? shows the keys", facts)
        return []
    }

    private mutating func openFromTop(_ selection: Int, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        switch TopMenuItem.allCases[min(selection, TopMenuItem.allCases.count - 1)] {
        case .devices:
            open(.devices)
            if let place = facts.configuration.devicesByPool.firstIndex(where: { $0.id == facts.shownDeviceID }) {
                levels[levels.count - 1].selection = place
            }
        case .alerts: open(.alerts)
        case .limits:
            guard facts.shownDevice != nil else {
                say("no device is shown: choose one first", facts)
                return []
            }
            open(.limits)
            return facts.muted == nil ? [.learnAlerting] : []
        case .history: return openHistory(facts, size: size)
        case .names: open(.names)
        case .conflicts: open(.conflicts)
        case .edits: open(.edits)
        case .help: open(.help)
        }
        return []
    }

    private mutating func chooseDevice(_ key: Key, _ level: MenuLevel, _ facts: WatchFacts) -> [MenuOutcome]? {
        let devices = facts.configuration.devicesByPool.filter { level.filter.accepts($0, facts) }
        guard [.enter, .character(" "), .right].contains(key), !devices.isEmpty else { return nil }
        let device = devices[min(level.selection, devices.count - 1)].id
        close()
        return key == .enter ? [.edit(.select(device))] : [.look(device)]
    }

    private mutating func chooseAlert(_ key: Key, _ level: MenuLevel, _ facts: WatchFacts) -> [MenuOutcome]? {
        let alerts = facts.glance.alerts.alerts.filter { level.filter.accepts([$0.summary]) }
        guard [.enter, .right, .character(" "), .character("a"), .character("m")].contains(key) else { return nil }
        guard !alerts.isEmpty else {
            say(level.filter.isShown ? "no alert matches" : "no alert is open", facts)
            return []
        }
        let episode = alerts[min(level.selection, alerts.count - 1)].episodeID
        if let outcomes = answer(key, episode, facts) { return outcomes }
        open(.alert(episode))
        return []
    }

    /// Acknowledges or snoozes one alert.
    private mutating func answer(_ key: Key, _ episode: AlertEpisodeID, _ facts: WatchFacts) -> [MenuOutcome]? {
        if key == .character("a") {
            let alert = facts.glance.alerts.alerts.first { $0.episodeID == episode }
            if alert?.isAcknowledged == true {
                say("it is acknowledged already", facts)
                return []
            }
            return [.edit(.acknowledge(episode))]
        }
        guard key == .character("m") else { return nil }
        open(.snooze(episode))
        return []
    }

    /// Restores the other value of a conflict, or dismisses the conflict.
    private mutating func settle(_ key: Key, _ id: ConflictID, _ facts: WatchFacts) -> [MenuOutcome]? {
        let isRestoring: Bool?
        if key == .character("u") {
            isRestoring = true
        } else if key == .character("K") {
            isRestoring = false
        } else if key == .enter {
            isRestoring = nil
        } else {
            return nil
        }
        guard let conflict = facts.glance.conflicts.first(where: { $0.id == id }) else { return [] }
        if facts.isSettledHere(id) {
            say("it is settled here already, and waits for the hub", facts)
            return []
        }
        guard let isRestoring else {
            say("u uses the other value, K keeps the shown one", facts)
            return []
        }
        if isRestoring, let obstacle = conflict.obstacle {
            say(obstacle, facts)
            return []
        }
        goBack()
        return [.edit(.settle(conflict: id, restoring: isRestoring))]
    }

    private mutating func openConflict(ofEdit selection: Int, _ facts: WatchFacts) {
        let place = selection - facts.pending.count
        let outcome = facts.outcomes.indices.contains(place) ? facts.outcomes[place] : nil
        guard let edit = outcome?.edit ?? facts.pending.dropFirst(selection).first else { return }
        // The identifiers of an edit's conflicts begin as the edit's and differ in the last digits.
        if let conflict = facts.glance.conflicts.first(where: { $0.id.digits.prefix(16) == edit.id.prefix(16) }) {
            open(.conflict(conflict.id))
        } else {
            say(outcome.map { $0.reason ?? $0.merge ?? $0.kind.word } ?? "waits for the hub", facts)
        }
    }

    // MARK: - Forms

    private mutating func replace(_ page: MenuPage) {
        if let last = levels.indices.last { levels[last].page = page }
    }

    /// Goes back; what was typed is lost only at the second Esc.
    private mutating func leaveForm(isChanged: Bool, wasAsked: Bool, _ facts: WatchFacts) {
        guard isChanged, !wasAsked, let last = levels.indices.last else { return goBack() }
        levels[last].isAskedToLeave = true
        say("not saved: enter saves, esc again leaves", facts)
    }

    private mutating func handle(
        _ key: Key, _ form: NameForm, _ facts: WatchFacts, wasAsked: Bool
    ) -> [MenuOutcome] {
        var form = form
        if key == .escape {
            leaveForm(isChanged: form.name != form.oldName, wasAsked: wasAsked, facts)
        } else if key == .enter {
            if let objection = form.objection {
                say(objection, facts)
            } else if form.name == form.oldName {
                say("it has this name already", facts)
            } else {
                goBack()
                return [.edit(form.edit)]
            }
        } else if form.entry.handle(key, accepting: { displayWidth($0) > 0 || $0 == " " }) {
            replace(.rename(form))
        }
        return []
    }

    private mutating func handle(
        _ key: Key, _ form: LimitsForm, _ facts: WatchFacts, wasAsked: Bool
    ) -> [MenuOutcome] {
        var form = form
        if form.handle(key) {
            replace(.limitsForm(form))
            return []
        }
        switch key {
        case .escape: leaveForm(isChanged: form.isChanged, wasAsked: wasAsked, facts)
        case .up, .backTab: form.move(by: -1)
        case .down, .tab: form.move(by: 1)
        case .character("s"): form.fill(form.inherited)
        case .character(" ") where form.field == .alerting, .enter where form.field == .alerting:
            guard let muted = facts.muted else {
                say("whether it alerts is not known until the hub answers", facts)
                return [.learnAlerting]
            }
            return [.setAlerting(form.quantity, isOn: muted.contains(form.quantity))]
        case .enter: return save(form, facts)
        case .character("?"):
            open(.help)
            return []
        case .character, .control, .alt, .backspace, .delete, .insert, .left, .right, .home, .end, .pageUp, .pageDown,
            .function:
            break
        }
        if case .limitsForm = levels.last?.page {
            replace(.limitsForm(form))
            levels[levels.count - 1].selection = form.field.rawValue
        }
        return []
    }

    private mutating func save(_ form: LimitsForm, _ facts: WatchFacts) -> [MenuOutcome] {
        guard let limits = form.limits else {
            say(form.objection ?? "these are not valid limits", facts)
            return []
        }
        guard form.isChanged else {
            say("nothing was changed", facts)
            return []
        }
        goBack()
        return [.edit(.setLimits(form.deviceID, form.quantity, limits == form.inherited ? nil : limits))]
    }

    // MARK: - History

    /// Handles a key of the chart; nil if it is not one.
    private mutating func handle(
        _ key: Key, _ page: HistoryPage, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        var page = page
        switch key {
        case .up, .character("k"): page.quantity = facts.quantity(after: page.quantity, -1)
        case .down, .character("j"): page.quantity = facts.quantity(after: page.quantity, 1)
        case .character(let digit) where ("1"..."9").contains(digit):
            page.quantity = facts.quantity(of: digit) ?? page.quantity
        case .character("r"), .enter: page.asked = nil
        case .character, .control, .alt, .tab, .backTab, .escape, .backspace, .delete, .insert, .left, .right, .home,
            .end, .pageUp, .pageDown, .function:
            guard page.navigator.press(key, now: facts.now) else { return nil }
        }
        replace(.history(page))
        return askForChart(facts, size: size)
    }
}

extension ListFilter {
    /// Whether a device is listed, by its name or that of its pool.
    func accepts(_ device: WatchDevice, _ facts: WatchFacts) -> Bool {
        accepts([device.name] + [device.poolID.flatMap(facts.configuration.pool)?.name].compactMap(\.self))
    }
}

/// The rows of the first page.
enum TopMenuItem: CaseIterable {
    case devices
    case alerts
    case limits
    case history
    case names
    case conflicts
    case edits
    case help
}

extension WatchFacts {
    /// The quantity after another one of the device, or before it, in a ring.
    fileprivate func quantity(after quantity: Quantity, _ step: Int) -> Quantity {
        let all = quantities
        guard let place = all.firstIndex(of: quantity) else { return all.first ?? quantity }
        return all[(place + step + all.count) % all.count]
    }

    /// The quantity of the device that a digit from 1 on names; nil if it has fewer.
    func quantity(of digit: Character) -> Quantity? {
        let all = quantities
        guard let index = digit.wholeNumberValue.map({ $0 - 1 }), all.indices.contains(index) else { return nil }
        return all[index]
    }
}

extension WatchConfiguration {
    /// The devices in the order of the list: pool by pool, and then those without a pool.
    var devicesByPool: [WatchDevice] { pools.flatMap { devices(of: $0.id) } + devices(of: nil) }

    /// The objects that can be renamed: the pools, then the devices.
    var owners: [NameForm] {
        pools.map { NameForm(.pool($0.id), name: $0.name) } + devices.map { NameForm(.device($0.id), name: $0.name) }
    }
}
