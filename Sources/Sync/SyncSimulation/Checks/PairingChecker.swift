import SyncCore

/// Which watches are paired and which keys are invited, read from the stored cells.
struct PairingChecker {
    struct Invitation {
        /// When it ends: by the wall clock of the moment in which this process of the hub first knew it.
        var end: Instant
        var usedBy: PeerKey?
    }

    private(set) var watches: Set<PeerKey> = []
    private(set) var invitations: [PeerKey: Invitation] = [:]
    /// The invitations whose use was confirmed before.
    var answered: Set<PeerKey> = []
    private var version: Version?

    /// Forgets when invitations end: a new process of the hub reads its wall clock again.
    mutating func restarted() {
        version = nil
        invitations = [:]
    }

    mutating func read(_ state: LedgerState, at moment: Moment) {
        guard version != state.version else { return }
        version = state.version
        watches = []
        let known = invitations
        invitations = [:]
        for (key, cell) in state.cells.pairs where key.kind.hasPrefix("sync.") {
            // A cell that cannot be read admits no device.
            guard let text = cell.value, let value = try? JSONValue(decoding: Array(text.utf8)),
                let peer = value["key"]?.string.flatMap({ PeerKey(hexadecimal: $0) })
            else { continue }
            if key.kind == "sync.watch" { watches.insert(peer) }
            guard let expires = value["expires"]?.integer else { continue }
            let left = Duration.milliseconds(expires - moment.wallMilliseconds)
            invitations[peer] = Invitation(
                end: known[peer]?.end ?? moment.monotonic.advanced(by: left),
                usedBy: value["usedBy"]?.string.flatMap { PeerKey(hexadecimal: $0) })
        }
    }

    func admitted(at now: Instant) -> [PeerKey] {
        watches.union(invitations.filter { $0.value.end > now }.keys).sorted()
    }
}
