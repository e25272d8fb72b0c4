package import SyncSimulation

extension CreditBook {
    /// Reads the frames that crossed simulated links.
    package init(of frames: [PassingFrame]) {
        self.init()
        for passing in frames {
            let side = Side(watch: passing.side.watch, isHub: passing.side.isHub)
            if passing.isSent {
                sends(passing.frame, at: side, now: passing.time)
            } else {
                receives(passing.frame, at: side, now: passing.time)
            }
        }
    }
}
