public import PoolModel

/// The answer of a watch.
public enum WatchAnswer: Codable, Sendable {
    /// The edit is durable and shown here, and waits for the hub.
    case waiting(PendingEditSummary)
    /// Nothing to change: everything already has the requested value.
    case unchanged(String)
    /// The command was rejected and nothing has changed; the sentence says why, and what to do about it.
    case refused(String)
    /// The alerts.
    case alerts(WatchAlerts)
    /// The files that are kept, in the order of arrival.
    case files([ReceivedFile])
    /// The file was removed.
    case removedFile(ReceivedFile)
    /// The edits and the conflicts.
    case report(WatchReport)
    /// What a face shows.
    case glance(Glance)
    /// The state of an edit.
    case delivery(EditDelivery)
    /// The dose is durable here and goes to the hub, for the pool of this name.
    case queuedDose(Dose, pool: String)
    /// What a dose waits for; nil if the hub has it.
    case doseDelivery(waitsFor: String?)
}
