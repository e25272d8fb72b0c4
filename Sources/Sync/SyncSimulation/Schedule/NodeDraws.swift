import SyncCore

/// The small delays and the seeds around one node, each identified by its purpose and its number.
///
/// They belong to no occurrence, and leaving one out does not shift them.
struct NodeDraws {
    /// What is drawn; a seed means another run if the numbers change.
    enum Purpose: UInt64 {
        case process, timer, store, dial, notice
        case file = 6
        case fileFault, reaction, connect
    }

    private let streams: SplitMix64

    init(streams: SplitMix64) {
        self.streams = streams
    }

    /// The draws of one thing.
    subscript(purpose: Purpose, number: Int) -> SplitMix64 {
        streams.stream(purpose.rawValue << 48 | UInt64(number))
    }

    /// A delay for one thing.
    func duration(_ purpose: Purpose, _ number: Int, upTo longest: Duration) -> Duration {
        var draws = self[purpose, number]
        return draws.duration(upTo: longest)
    }
}
