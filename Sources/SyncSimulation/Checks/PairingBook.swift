import SyncCore

/// Who is paired and invited, read from the stored cells.
struct PairingBook {
    struct Invitation {
        var expires: Int64
        var usedBy: PeerKey?
    }

    private(set) var watches: Set<PeerKey> = []
    private(set) var invitations: [PeerKey: Invitation] = [:]
    /// The invitations whose use was confirmed before.
    var answered: Set<PeerKey> = []
    private var version: Version?

    mutating func read(_ state: LedgerState) {
        guard version != state.version else { return }
        version = state.version
        watches = []
        invitations = [:]
        for (key, cell) in state.cells.pairs where key.kind.hasPrefix("sync.") {
            // A cell that cannot be read admits nobody.
            guard let text = cell.value, let value = try? JSONValue(decoding: Array(text.utf8)),
                let peer = value["key"]?.string.flatMap({ PeerKey(hexadecimal: $0) })
            else { continue }
            if key.kind == "sync.watch" { watches.insert(peer) }
            guard let expires = value["expires"]?.integer else { continue }
            invitations[peer] = Invitation(
                expires: expires, usedBy: value["usedBy"]?.string.flatMap { PeerKey(hexadecimal: $0) })
        }
    }

    func admitted(wallMilliseconds: Int64) -> [PeerKey] {
        watches.union(invitations.filter { $0.value.expires > wallMilliseconds }.keys).sorted()
    }
}
