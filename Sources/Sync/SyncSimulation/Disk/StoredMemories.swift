package import SyncCore

/// Everything that a hub's store holds.
package struct HubMemory {
    package var ledger: LedgerState
    /// What was exchanged with each watch.
    package var transfers: [PeerKey: TransferState] = [:]

    package init(ledger: LedgerState, transfers: [PeerKey: TransferState] = [:]) {
        self.ledger = ledger
        self.transfers = transfers
    }

    /// Keeps a record as a store does.
    package mutating func apply(_ record: HubRecord) {
        switch record {
        case .group(let group):
            for transaction in group {
                ledger.apply(transaction)
                for peer in transaction.forgotten { transfers[peer] = nil }
            }
        case .transfer(let peer, let record):
            // A step that was under way when its watch was unpaired has no effect, or it would come back with the
            // watch.
            guard isPaired(peer) else { return }
            transfers[peer, default: TransferState()].apply(record)
        }
    }
}

extension HubMemory {
    /// Whether the store holds the pairing of a watch.
    func isPaired(_ peer: PeerKey) -> Bool {
        let beginning = "{\"key\":\"\(peer.hexadecimal)\""
        return ledger.cells.pairs.contains {
            $0.key.kind == "sync.watch" && $0.value.value?.hasPrefix(beginning) ?? false
        }
    }
}

/// Something that a hub makes durable.
package enum HubRecord {
    case group([Transaction])
    case transfer(PeerKey, TransferRecord)
}

extension WatchEngine.State {
    /// Keeps a record as a store does.
    package mutating func apply(_ record: WatchEngine.Record) {
        switch record {
        case .replica(let record): replica.apply(record)
        case .registers(let held, let fence):
            for register in held { registers[register.register.key] = register }
            replica.fence = fence
        case .transfer(let record): transfers.apply(record)
        }
    }
}
