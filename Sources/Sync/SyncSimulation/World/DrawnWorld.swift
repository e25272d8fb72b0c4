import SyncCore

/// The world of a run of the simulation.
typealias DrawnWorld = VirtualWorld<DrawnConditions>

extension VirtualWorld where Conditions == DrawnConditions {
    /// Whether a side's store knows its peer; that of the hub may have forgotten it before its engine is notified.
    func isKnown(_ side: Side) -> Bool { !side.isHub || hub.stored.isPaired(watches[side.watch].key) }

    /// Whether the engine of a side runs or is suspended.
    func hasEngine(_ side: Side) -> Bool { side.isHub ? hub.engine != nil : watches[side.watch].engine != nil }

    /// Whether the uploads of a watch that runs wait for a person.
    func isHeldUp(_ number: Int) -> Bool {
        watches[number].engine.map { ConvergenceChecker.isHeldUp($0, by: hub.stored.ledger) } ?? false
    }

    /// By key, the watches and whether a forger has their key, too.
    func authors(_ hostile: Int?) -> [PeerKey: (watch: Int, isHostile: Bool)] {
        Dictionary(uniqueKeysWithValues: watches.indices.map { (watches[$0].key, ($0, $0 == hostile)) })
    }

    /// The files of a side, as its engine knows them.
    func heldFiles(_ side: Side) -> FileExchange.State? {
        side.isHub
            ? hub.engine?.transfers(with: watches[side.watch].key)?.files
            : watches[side.watch].engine?.transferState.files
    }

    /// Plans an action of the application of a side, if its process still runs.
    mutating func plan(_ reaction: Reaction, at side: Side, after delay: Duration) {
        let plan = DrawnConditions.Plan.reaction(side: side, run: run(of: side.device), reaction)
        self.plan(plan, at: now.advanced(by: delay), of: side.device)
    }
}
