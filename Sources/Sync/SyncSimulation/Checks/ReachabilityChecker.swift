import SyncCore

/// Checks that no side reports a link as up through which nothing comes back.
struct ReachabilityChecker {
    /// What the process of a side knows of its peer.
    private struct End {
        /// When the side sent the newest message that the peer is known to have received.
        var proof = Instant(nanoseconds: .min)
    }

    /// How long a link may be reported as up without a proof, at a watch and at the hub.
    private let timeLimits: (watch: Duration, hub: Duration)
    private var ends: [End]
    /// By watch, when it got its connection.
    private var connected: [Instant]

    init(watchCount: Int, timeLimits: (watch: Duration, hub: Duration)) {
        self.timeLimits = timeLimits
        ends = Array(repeating: End(), count: 2 * watchCount)
        connected = Array(repeating: Instant(nanoseconds: 0), count: watchCount)
    }

    /// A watch got a connection.
    mutating func connected(_ watch: Int, now: Instant) { connected[watch] = now }

    /// A message of the peer arrives, with what it proves.
    mutating func arrived(at side: Side, proof: Instant) {
        ends[side.index].proof = max(ends[side.index].proof, proof)
    }

    /// The process of a side ends.
    mutating func forget(_ side: Side) { ends[side.index] = End() }

    /// A watch reports its link as up: the hub has to have answered something that came on this very connection.
    func calledUp(_ watch: Int) -> Checks.Finding? {
        guard ends[Side(watch: watch, isHub: false).index].proof < connected[watch] else { return nil }
        return Checks.Finding(.reachability, "watch \(watch) calls a link up before anything came back through it")
    }

    /// What is wrong with the link of a watch, nil if nothing.
    func finding(_ watch: Int, link: WatchEngine.Link, now: Instant) -> Checks.Finding? {
        let proof = ends[Side(watch: watch, isHub: false).index].proof
        guard link == .linked, proof.duration(to: now) > timeLimits.watch else { return nil }
        return Checks.Finding(.reachability, "watch \(watch) calls a link up through which nothing comes back")
    }

    /// A watch that the hub reports as linked and that receives nothing, or nil.
    func finding(linkedAtHub watches: [Int], now: Instant) -> Checks.Finding? {
        for watch in watches
        where ends[Side(watch: watch, isHub: true).index].proof.duration(to: now) > timeLimits.hub {
            return Checks.Finding(.reachability, "the hub calls watch \(watch) linked, which hears nothing")
        }
        return nil
    }
}
