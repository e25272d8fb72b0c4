import CommandSupport
import PoolControl
import PoolModel

/// What happens in a demo after its start, one thing after the other: an alert, a watch whose link is cut and healed,
/// and an edit on two watches that ends in a conflict.
///
/// Each step is announced in one sentence, with the key that a person can press. Somebody who has just killed the hub
/// only misses a step.
struct DemoTour: Sendable {
    /// How long the links of watches stay cut.
    static let cutSeconds = 20
    /// The device that raises the alert: the one that is shown first.
    static let alertingDevice = DemoPlan.pools[0].name
    /// The watches whose links are cut; the first one alone, then both.
    static let cutWatches = [DemoPlan.watches[1], DemoPlan.watches[2]]
    /// The device and the quantity that both change, and the upper limits that they give it.
    static let editedDevice = DemoPlan.pools[1].name
    static let editedQuantity = Quantity.ph
    static let editedLimits = [7.5, 7.8]

    /// The key of the hub's screens that shows the alerts.
    let alertsKey: Character
    /// Where the page for browsers is; nil if there is none.
    let page: @Sendable () -> String?
    /// Shows a sentence.
    let show: @Sendable (String) async -> Void
    /// What the hub shows; nil if it does not answer.
    let hub: @Sendable () async -> HubState?
    /// Cuts the links of watches for some seconds; 0 heals them.
    let cut: @Sendable (_ watches: [DemoPlan.Watch], _ seconds: Int) async -> Void
    /// Changes an upper limit on a watch.
    let edit: @Sendable (DemoPlan.Watch, Double) async -> Void
    /// Waits.
    let sleep: @Sendable (Duration) async throws -> Void

    /// Runs all steps.
    ///
    /// - Throws: `CancellationError` when the demo ends before.
    func run() async throws {
        await show("Two simulated pools with a day of history. Press tab for the next panel")
        try await sleep(.seconds(8))
        if let page = page() {
            await show(page)
            try await sleep(.seconds(8))
        }
        try await showAlert()
        try await showCut()
        try await showConflict()
        await show("That was the tour. Press ? for all keys, q to end")
        if let page = page() {
            try await sleep(.seconds(8))
            await show(page)
        }
    }

    private func showAlert() async throws {
        await show("\(Self.alertingDevice): the acid doser ran empty, so the pH rises")
        func alert(_ hub: HubState) -> AlertState.Alert? {
            hub.alerts.state.alerts.first { $0.key.quantity == .ph && $0.name == Self.alertingDevice }
        }
        guard try await wait(.seconds(40), until: { alert($0) != nil }) else { return }
        await show("ALERT: the pH of \(Self.alertingDevice) is too high. Press a to acknowledge it")
        if try await wait(.seconds(20), until: { alert($0)?.isAcknowledged != false }) {
            await show("Acknowledged, on the watches, too. Otherwise an alert is repeated")
        }
        try await sleep(.seconds(6))
    }

    private func showCut() async throws {
        let watch = Self.cutWatches[0]
        await show("The link of the watch \(watch.name) is cut for \(Self.cutSeconds) s; it shows what it knows")
        await cut([watch], Self.cutSeconds)
        try await sleep(.seconds(Self.cutSeconds))
        await cut([watch], 0)
        _ = try await wait(.seconds(20)) { $0.watches.first { $0.name == watch.name }?.isLinked == true }
        await show("The link is healed: \(watch.name) has the newest values again")
        try await sleep(.seconds(8))
    }

    private func showConflict() async throws {
        let names = Self.cutWatches.map(\.name).joined(separator: " and ")
        await show("\(names), both without a link, change the same limit of \(Self.editedDevice)")
        await cut(Self.cutWatches, 10 * Self.cutSeconds)
        await withTaskGroup(of: Void.self) { group in
            for (watch, limit) in zip(Self.cutWatches, Self.editedLimits) {
                group.addTask { await edit(watch, limit) }
            }
        }
        try await sleep(.seconds(6))
        await cut(Self.cutWatches, 0)
        guard try await wait(.seconds(40), until: { !$0.conflicts.isEmpty }) else { return }
        await show("CONFLICT: press \(alertsKey), then u for the other value or K for the shown one")
        _ = try await wait(.seconds(60)) { $0.conflicts.isEmpty }
    }

    /// Waits until the hub shows something.
    ///
    /// - Returns: Whether it did in that time.
    private func wait(_ limit: Duration, until isThere: (HubState) -> Bool) async throws -> Bool {
        for _ in 0..<Int(limit / .milliseconds(500)) {
            if let hub = await hub(), isThere(hub) { return true }
            try await sleep(.milliseconds(500))
        }
        return false
    }
}
