import PoolModel

extension WatchMenus {
    /// The keys that work now, with their actions: those of the page below the help, or of the face.
    func bindings(_ facts: WatchFacts) -> [KeyBinding] {
        var below = self
        if below.levels.last?.page is HelpPage { below.levels.removeLast() }
        guard below.isOpen else { return faceBindings(facts) }
        var bindings = MenuContent(below, facts).hints
        if below.levels.last?.page is HistoryPage {
            bindings.insert(contentsOf: [KeyBinding("w", "raw values"), KeyBinding("z", "fit the scale")], at: 4)
        }
        if !below.isTyping { bindings += [KeyBinding("y", "copy the row"), KeyBinding("q", quits.action)] }
        return bindings
    }

    private func faceBindings(_ facts: WatchFacts) -> [KeyBinding] {
        var bindings: [KeyBinding] = []
        if let alert = shownAlert(facts) {
            bindings.append(KeyBinding("a", "acknowledge: \(alert.summary.sanitized)"))
            bindings.append(KeyBinding("m", "snooze it"))
        }
        bindings.append(
            KeyBinding("r", facts.glance.link.isLinked ? "ask the hub for news" : "try the link again"))
        if facts.configuration.devices.count > 1 { bindings.append(KeyBinding("↑↓", "next device, look only")) }
        bindings += [KeyBinding("1-4", "the day of a quantity"), KeyBinding("0", "the day of the worst")]
        if facts.shownDeviceID != nil { bindings.append(KeyBinding("g", "history")) }
        if !facts.glance.conflicts.isEmpty { bindings.append(KeyBinding("c", "conflicts")) }
        if !facts.pending.isEmpty || !facts.outcomes.isEmpty { bindings.append(KeyBinding("e", "own edits")) }
        return bindings + [
            KeyBinding("enter", "menu"), KeyBinding("v", "layout"), KeyBinding("t", "light or dark"),
            KeyBinding("d", "dim"), KeyBinding("y", "copy the value"), KeyBinding("^L", "redraw"),
            KeyBinding("^Z", "suspend"),
            KeyBinding("q", quits.action),
        ]
    }
}
