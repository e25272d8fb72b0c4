import SyncCore

/// Checks whether all devices hold what the hub's store holds, once the faults have ended.
struct ConvergenceChecker {
    /// What the checks see of a watch.
    struct Watch {
        /// What it has to do with the hub.
        enum Role {
            /// Nothing: it was never invited.
            case none
            /// It wants to be paired with an invitation.
            case invited(PeerKey)
            /// It knows that it is paired.
            case paired
        }

        let number: Int
        let key: PeerKey
        let role: Role
        /// Whether another program has its key, too.
        let isHostile: Bool
        /// Its engine, nil while its process does not run.
        let engine: WatchEngine?
        let durable: WatchEngine.State

        /// Its end and the hub's.
        var sides: [Side] { [Side(watch: number, isHub: false), Side(watch: number, isHub: true)] }
    }

    /// The hub's engine, nil while its process does not run.
    let hub: HubEngine?
    let durable: HubMemory
    /// The keys that the hub's transport admits.
    let admitted: Set<PeerKey>
    let watches: [Watch]
    /// Whether a forger has acknowledged registers that may never have reached the attacked watch.
    let isCreditForged: Bool
    /// What the checks know.
    let checks: Checks

    // MARK: - Before the end

    /// What a watch that has to hold the hub's state lacks, nil if nothing.
    func difference() -> String? {
        guard let hub else { return "the hub does not run" }
        let truth = durable.ledger.version
        guard hub.version == truth else { return "the hub is not at the version of its store" }
        let linked = Set(hub.watches.filter(\.isLinked).map(\.watch.key))
        for watch in watches {
            switch watch.role {
            case .none: continue
            case .invited(let invitation):
                guard admitted.contains(invitation) else { continue }
                return "watch \(watch.number) is not paired yet"
            case .paired:
                guard checks.isPaired(watch.key) else { continue }
                if let difference = difference(watch, linked: linked) { return difference }
            }
        }
        return nil
    }

    private func difference(_ watch: Watch, linked: Set<PeerKey>) -> String? {
        let truth = durable.ledger.version
        guard let held = watch.engine else { return "watch \(watch.number) does not run" }
        guard held.linkState == .linked else { return "watch \(watch.number) is \(held.linkState)" }
        // A greeting that arrives late opens another session, of which the watch knows nothing until its own is silent.
        guard linked.contains(watch.key) else { return "the hub hears nothing of watch \(watch.number)" }
        guard held.snapshot?.version == truth else {
            let version = held.snapshot?.version.traceText ?? "nothing"
            return "watch \(watch.number) holds \(version), the hub \(truth.traceText)"
        }
        if let waits = waiting(watch, held) { return waits }
        if watch.isHostile, isCreditForged { return nil }
        for register in checks.registers.newest.values where held.registers[register.key]?.register != register {
            let order = held.registers[register.key]?.register.order ?? 0
            return "watch \(watch.number) holds \(register.key) #\(order), not #\(register.order)"
        }
        return nil
    }

    /// Whether a watch's uploads wait for a person, who has to settle conflicts: the watch was notified, and it is
    /// true.
    static func isHeldUp(_ engine: WatchEngine, by ledger: LedgerState) -> Bool {
        // A watch has at least a quarter of the log, as long as the others leave it that.
        let leastFull = Conflict.countMax / 4 - Edit.changeCountMax
        return engine.uploadObstacle != nil && ledger.conflicts.count > leastFull
    }

    private func isHeldUp(_ engine: WatchEngine) -> Bool { Self.isHeldUp(engine, by: durable.ledger) }

    /// What still waits between the hub and a watch, nil if nothing.
    private func waiting(_ watch: Watch, _ engine: WatchEngine) -> String? {
        let name = "watch \(watch.number)"
        // The edits of a watch whose key a forger has arrive like any others: later they would win against the values
        // that have to be there by then.
        if !engine.replica.pending.isEmpty, !isHeldUp(engine) {
            return "\(engine.replica.pending.count) edits wait at \(name)"
        }
        guard !watch.isHostile else { return nil }
        for side in watch.sides {
            let held = side.isHub ? hub?.transfers(with: watch.key) : engine.transferState
            guard let held else { return "the hub has no transfers with \(name)" }
            let items = held.exchange.outboxes.urgent.items.count + held.exchange.outboxes.ordinary.items.count
            if items > 0 { return "\(items) items wait at \(side.name)" }
            if !held.exchange.inbox.items.isEmpty { return "items wait for the application of \(side.name)" }
            if !held.files.queue.isEmpty { return "\(held.files.queue.count) files wait at \(side.name)" }
            if !held.files.received.isEmpty || !held.files.results.isEmpty {
                return "files wait for the application of \(side.name)"
            }
        }
        return nil
    }

    /// What a watch shows that its store does not hold, nil if nothing.
    static func unstored(_ watch: Watch) -> Checks.Finding? {
        guard let engine = watch.engine,
            engine.replica != watch.durable.replica || engine.registers != watch.durable.registers
        else { return nil }
        return Checks.Finding(.durabilityOrder, "watch \(watch.number) shows what its store does not hold")
    }

    // MARK: - At the end

    /// What is wrong when nothing happens any more, nil if nothing.
    func finding() -> Checks.Finding? {
        let truth = VersionChecker.projection(of: durable.ledger, schema: Application.schema)
        for watch in watches where checks.isPaired(watch.key) {
            if let finding = finding(watch, truth) { return finding }
        }
        // A watch that waits to be paired anew does not use its earlier key, though a restored hub knows that key.
        let paired = watches.filter { checks.isPaired($0.key) && $0.isPaired }.map(\.number)
        let lost = checks.edits.lost(in: durable.ledger, watches: watches.map(\.durable.replica), paired: paired)
        return lost.map { Checks.Finding(.noSilentLoss, $0) }
    }

    private func finding(_ watch: Watch, _ truth: Snapshot) -> Checks.Finding? {
        guard let engine = watch.engine else { return nil }
        guard engine.snapshot?.contents == truth.contents else {
            return Checks.Finding(.convergence, "watch \(watch.number) holds other bytes than the hub")
        }
        guard !watch.isHostile else { return nil }
        guard isHeldUp(engine) || shows(engine, truth) else {
            return Checks.Finding(.convergence, "watch \(watch.number) shows something else than its snapshot")
        }
        for side in watch.sides {
            if let missing = checks.arrivals.missing(from: side) { return missing }
            let known = side.isHub ? hub?.transfers(with: watch.key) : engine.transferState
            let held = side.isHub ? durable.transfers[watch.key] ?? TransferState() : watch.durable.transfers
            guard known == held else {
                return Checks.Finding(
                    .durabilityOrder, "the records of \(side.name) add up to something else than its state")
            }
        }
        return nil
    }

    private func shows(_ engine: WatchEngine, _ truth: Snapshot) -> Bool {
        engine.view.keys == truth.cells.keys
            && engine.view.pairs.allSatisfy { truth.cells[$0.key]?.dot == $0.value.dot }
    }
}

extension ConvergenceChecker.Watch {
    fileprivate var isPaired: Bool {
        switch role {
        case .paired: true
        case .none, .invited: false
        }
    }
}
