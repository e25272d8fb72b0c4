import SyncCore

// What is checked of the simulated devices themselves.

extension Checks {
    /// A watch calls its link up: the hub has to have answered something that came on this very connection.
    func calledUp(_ watch: SimulatedWatch) -> Finding? {
        guard watch.proof < watch.connected else { return nil }
        return Finding(.reachability, "watch \(watch.number) calls a link up before anything came back through it")
    }

    func reachability(_ watch: SimulatedWatch, link: WatchEngine.Link, now: Instant) -> Finding? {
        guard link == .linked, watch.proof.duration(to: now) > patience.watch else { return nil }
        return Finding(.reachability, "watch \(watch.number) calls a link up through which nothing comes back")
    }

    func reachability(_ hub: SimulatedHub, watches: [SimulatedWatch], now: Instant) -> Finding? {
        // Most often there is a proof for everybody, and the engine need not be asked.
        let isProven = hub.proof.allSatisfy { $0.duration(to: now) <= patience.hub }
        guard !isProven, let engine = hub.engine else { return nil }
        for status in engine.watches where status.isLinked {
            for watch in watches where watch.key == status.watch.key {
                guard hub.proof[watch.number].duration(to: now) > patience.hub else { continue }
                return Finding(.reachability, "the hub calls watch \(watch.number) linked, which hears nothing")
            }
        }
        return nil
    }
}

extension ClockChecker {
    /// A watch whose store holds a state makes an edit: its stamp is greater than all that the watch remembers.
    static func finding(_ edit: Edit, of watch: SimulatedWatch, remembering state: ReplicaState) -> Checks.Finding? {
        let waiting = state.pending.compactMap { if case .edit(let edit) = $0.upload { edit.stamp } else { nil } }
        let newest = (waiting + state.journal.map(\.stamp) + [state.snapshot?.stamp].compactMap(\.self)).max()
        guard edit.stamp.node == watch.key.node else {
            return Checks.Finding(.monotonicClock, "watch \(watch.number) stamps as somebody else")
        }
        guard let newest, edit.stamp <= newest else { return nil }
        return Checks.Finding(
            .monotonicClock, "watch \(watch.number) stamps \(edit.stamp), and knows \(newest) already")
    }
}
