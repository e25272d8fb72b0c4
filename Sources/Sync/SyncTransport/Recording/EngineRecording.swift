public import SyncCore

/// Hears what a hub's engine is told and wants, for a journal.
///
/// It is called on the link's thread, before anybody acts on the outputs; it must return at once.
public protocol HubRecording: Sendable {
    /// The engine starts.
    func began(
        _ ledger: LedgerState, transfers: [PeerKey: TransferState], seed: UInt64, at moment: Moment,
        outputs: [HubEngine.Output])
    /// The engine was told something, and wants this.
    func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output])
}

/// Hears what a watch's engine is told and wants, for a journal.
///
/// It is called on the link's thread, before anybody acts on the outputs; it must return at once.
public protocol WatchRecording: Sendable {
    /// The engine starts.
    func began(
        _ configuration: WatchEngine.Configuration, _ loaded: WatchEngine.State, seed: UInt64, at moment: Moment,
        outputs: [WatchEngine.Output])
    /// The engine was told something, and wants this.
    func stepped(_ input: WatchEngine.Input, at moment: Moment, outputs: [WatchEngine.Output])
}
