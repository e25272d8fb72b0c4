import SyncCore

/// Checks that nobody calls a link up through which nothing comes back.
struct ReachabilityChecker {
    /// What the process of a side knows of the other one.
    private struct End {
        /// When it sent the newest message that the other side is known to have received.
        var proof = Instant(nanoseconds: .min)
    }

    /// How long a link may be called up without a proof, at a watch and at the hub.
    private let patience: (watch: Duration, hub: Duration)
    private var ends: [End]
    /// By watch, when it got its connection.
    private var connected: [Instant]

    init(watchCount: Int, patience: (watch: Duration, hub: Duration)) {
        self.patience = patience
        ends = Array(repeating: End(), count: 2 * watchCount)
        connected = Array(repeating: Instant(nanoseconds: 0), count: watchCount)
    }

    /// A watch got a connection.
    mutating func connected(_ watch: Int, now: Instant) { connected[watch] = now }

    /// A message of the other side arrives, with what it proves.
    mutating func arrived(at side: Side, proof: Instant) {
        ends[side.index].proof = max(ends[side.index].proof, proof)
    }

    /// The process of a side ends.
    mutating func forget(_ side: Side) { ends[side.index] = End() }

    /// A watch calls its link up: the hub has to have answered something that came on this very connection.
    func calledUp(_ watch: Int) -> Checks.Finding? {
        guard ends[Side(watch: watch, isHub: false).index].proof < connected[watch] else { return nil }
        return Checks.Finding(.reachability, "watch \(watch) calls a link up before anything came back through it")
    }

    /// What is wrong with the link of a watch, nil if nothing.
    func finding(_ watch: Int, link: WatchEngine.Link, now: Instant) -> Checks.Finding? {
        let proof = ends[Side(watch: watch, isHub: false).index].proof
        guard link == .linked, proof.duration(to: now) > patience.watch else { return nil }
        return Checks.Finding(.reachability, "watch \(watch) calls a link up through which nothing comes back")
    }

    /// A watch that the hub calls linked and that hears nothing, or nil.
    func finding(linkedAtHub watches: [Int], now: Instant) -> Checks.Finding? {
        for watch in watches
        where ends[Side(watch: watch, isHub: true).index].proof.duration(to: now) > patience.hub {
            return Checks.Finding(.reachability, "the hub calls watch \(watch) linked, which hears nothing")
        }
        return nil
    }
}
