package import SyncCore

/// Records the inputs and outputs of a hub's engine, for a journal.
///
/// It is called on the link's thread, before the outputs are carried out; it must return at once.
package protocol HubRecording: Sendable {
    /// The engine starts.
    func began(
        _ ledger: LedgerState, transfers: [PeerKey: TransferState], seed: UInt64, at moment: Moment,
        outputs: [HubEngine.Output])
    /// The engine handled an input, with these outputs.
    func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output])
}

/// Records the inputs and outputs of a watch's engine, for a journal.
///
/// It is called on the link's thread, before the outputs are carried out; it must return at once.
package protocol WatchRecording: Sendable {
    /// The engine starts.
    func began(
        _ configuration: WatchEngine.Configuration, _ loaded: WatchEngine.State, seed: UInt64, at moment: Moment,
        outputs: [WatchEngine.Output])
    /// The engine handled an input, with these outputs.
    func stepped(_ input: WatchEngine.Input, at moment: Moment, outputs: [WatchEngine.Output])
}
