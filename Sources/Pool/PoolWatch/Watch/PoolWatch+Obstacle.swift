internal import PoolModel
internal import SyncCore
internal import SyncTransport

extension PoolWatch {
    /// The interval at which the driver is asked why edits wait, while any does.
    private static let obstacleInterval = Duration.seconds(1)

    /// Keeps the shown reason why edits wait up to date, until the task is cancelled.
    func watchObstacle(of driver: WatchTransport) async {
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: Self.obstacleInterval)
            guard !receiver.memory.edits.pending.isEmpty else { continue }
            // A driver that has ended has no obstacle any more.
            guard let view = try? await driver.view() else { return }
            receiver.obstructed(view.uploadObstacle.map(Self.words))
        }
    }

    /// The rule that makes uploads wait, in words, and what to do about it.
    static func words(_ rule: Conflict.Rule) -> String {
        switch rule {
        case .logFull: "the hub has too many open conflicts: settle some, here or there"
        case .shareFull: "too many conflicts of this watch are open: settle some of them"
        case .newest, .owner, .deleted, .unseen, .together, .readOnly, .schema, .invalid, .tooLarge, .lostInRestore,
            .deletionLostInRestore:
            "the hub does not take edits now: \(ConflictSummary.reason(of: rule.rawValue))"
        }
    }
}

extension EventReceiver {
    /// Stores why edits wait; called on any thread.
    func obstructed(_ obstacle: String?) {
        guard memory.uploadObstacle != obstacle else { return }
        change { $0.uploadObstacle = $0.edits.pending.isEmpty ? nil : obstacle }
    }
}
